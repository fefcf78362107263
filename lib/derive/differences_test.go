package derive

import "strings"

// A difference is a field of WAT files in which we differ from the Internet Archive's
// webarchive-commons or Common Crawl's ia-web-commons, and why.
type difference struct {
	path   string // of the member, or how it begins; $ is the end
	reason string
}

// differences is the list of all of them. Repeated names stand as *.
var differences = []difference{
	{"/Container/Filename", "the references were made of copies under another name"},
	{"/Container/Gzip-Metadata/F-Extra", "Common Crawl writes the number of LX as text"},
	{"/Envelope/Format", "they write WARC/1.0 whatever the version line says"},
	{"/Envelope/Payload-Metadata/Headers-Corrupt", "they lose the last line of a warcinfo block that does not end in a blank line"},
	{"/Envelope/Payload-Metadata/WARC-Info-Metadata/", "that lost line"},
	{"/Envelope/Payload-Metadata/WARC-Metadata-Metadata", "they take text/plain for fields and call these corrupt"},
	{"/Envelope/Payload-Metadata/Actual-Content-Type", "the same: text/plain is no application/metadata-fields"},
	{"/Envelope/Payload-Metadata/Filedesc-Metadata/Data", "they leave out elements of other namespaces' prefixes"},
	{"/Envelope/Payload-Metadata/HTTP-Request-Metadata/Headers-Length", "they leave out the blank line behind a request's head"},
	{"/Envelope/Payload-Metadata/HTTP-Response-Metadata/HTML-Metadata/Head$", "pages compressed for their transfer, which they do not undo"},
	{"/Envelope/Payload-Metadata/HTTP-Response-Metadata/HTML-Metadata/Head/Metas", "they leave out itemprop; the IIPC's leaves out the languages of the html element"},
	{"/Envelope/Payload-Metadata/HTTP-Response-Metadata/HTML-Metadata/Links", "the pages of known differences; the text of a link whose element is not closed; the IIPC's cuts texts after 100 characters and keeps no-break spaces"},
}

func reasonFor(path string) string {
	for _, d := range differences {
		if strings.HasPrefix(path+"$", d.path) {
			return d.reason
		}
	}
	return ""
}
