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
	{"/Envelope/Payload-Metadata/HTTP-Response-Metadata/HTML-Metadata/Links", "the pages of otherLinks; the text of a link whose element is not closed; the IIPC's cuts texts after 100 characters and keeps no-break spaces"},
}

const (
	openAnchor = "their parser loses a link whose element is not closed before another begins"
	dashes     = "their parser does not end a comment with more dashes in it where browsers do"
)

// otherLinks are the pages in which we find other links, by the reference and the
// offset; * are all of a file.
var otherLinks = map[string]string{
	"cc-aut-example.arc.gz.wat.gz 136185":   dashes,
	"cc-aut-example.arc.gz.wat.gz 1206624":  openAnchor,
	"cc-aut-example.arc.gz.wat.gz 1454864":  openAnchor,
	"cc-aut-example.warc.gz.wat.gz 171305":  dashes,
	"cc-aut-example.warc.gz.wat.gz 1549915": openAnchor,
	"cc-aut-example.warc.gz.wat.gz 1891371": openAnchor,
	"cc-clueweb-quirk.warc.gz.wat.gz *":     openAnchor,
}

// whyOtherLinks gives the reason; both extractors have the same parser.
func whyOtherLinks(reference, offset string) string {
	reference = strings.Replace(reference, "iipc-", "cc-", 1)
	if why := otherLinks[reference+" *"]; why != "" {
		return why
	}
	return otherLinks[reference+" "+offset]
}

func reasonFor(path string) string {
	for _, d := range differences {
		if strings.HasPrefix(path+"$", d.path) {
			return d.reason
		}
	}
	return ""
}
