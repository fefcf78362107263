package identify

import "bytes"

// puids are the formats of PRONOM that a media type alone stands for.
var puids = map[string]string{
	Plain:                           "x-fmt/111",
	XML:                             "fmt/101",
	"application/rss+xml":           "fmt/101",
	"application/atom+xml":          "fmt/101",
	"application/rdf+xml":           "fmt/101",
	"application/gpx+xml":           "fmt/101",
	"application/mathml+xml":        "fmt/101",
	"text/css":                      "x-fmt/224",
	Script:                          "x-fmt/423",
	"application/json":              "fmt/817",
	"text/csv":                      "x-fmt/18",
	"image/vnd.microsoft.icon":      "x-fmt/418",
	"image/tiff":                    "fmt/353",
	"font/ttf":                      "x-fmt/453",
	"font/otf":                      "fmt/520",
	"application/zip":               "x-fmt/263",
	"application/gzip":              "x-fmt/266",
	"application/x-tar":             "x-fmt/265",
	"application/x-bzip2":           "x-fmt/268",
	"audio/mpeg":                    "fmt/134",
	"audio/wav":                     "fmt/6",
	"video/mp4":                     "fmt/199",
	"video/webm":                    "fmt/573",
	"video/quicktime":               "x-fmt/384",
	"video/x-msvideo":               "fmt/5",
	"application/msword":            "fmt/40",
	"application/vnd.ms-excel":      "fmt/61",
	"application/vnd.ms-powerpoint": "fmt/126",
	"application/x-ole-storage":     "fmt/111",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document":   "fmt/412",
	"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet":         "fmt/214",
	"application/vnd.openxmlformats-officedocument.presentationml.presentation": "fmt/215",
	"application/epub+zip": "fmt/483",
}

// PUID gives the format of PRONOM that a payload has, whose media type Mime gave;
// empty where the table does not know it. The first Looked bytes are enough.
func PUID(mime string, payload []byte) string {
	p := payload[:min(len(payload), Looked)]
	switch mime {
	case HTML, XHTML:
		return pagePUID(mime, p)
	case "application/pdf":
		return pdfPUID(p)
	case "image/gif":
		if len(p) > 4 && p[4] == '7' {
			return "fmt/3"
		}
		return "fmt/4"
	case "image/jpeg":
		return jpegPUID(p)
	case "image/png":
		return pngPUID(p)
	case "image/webp":
		return webpPUID(p)
	case "image/svg+xml":
		if containsFold(p, `version="1.0"`) && !bytes.Contains(p, []byte("1.1")) && !bytes.HasPrefix(p, []byte("<?xml")) {
			return "fmt/91"
		}
		return "fmt/92"
	}
	return puids[mime]
}

// doctypes are the public identifiers of HTML's versions, in lower case.
var doctypes = []struct{ identifier, puid string }{
	{"dtd xhtml 1.1", "fmt/103"},
	{"dtd xhtml", "fmt/102"},
	{"dtd html 4.01", "fmt/100"},
	{"dtd html 4.0", "fmt/99"},
	{"dtd html 3.2", "fmt/98"},
	{"html 2.0", "fmt/97"},
}

func pagePUID(mime string, p []byte) string {
	text, _ := asText(p)
	found, _ := readProlog(text)
	for i := range doctypes {
		if found.doctype != nil && containsFold(found.doctype, doctypes[i].identifier) {
			return doctypes[i].puid
		}
	}
	switch {
	case found.doctype != nil && bytes.EqualFold(bytes.TrimSpace(found.doctype), []byte("html")), containsFold(found.doctype, "about:legacy-compat"):
		return "fmt/471"
	case mime == XHTML:
		return "fmt/102"
	}
	return "fmt/96"
}

// pdfVersions are the formats of PDF 1.0 to 1.7.
var pdfVersions = [...]string{"fmt/14", "fmt/15", "fmt/16", "fmt/17", "fmt/18", "fmt/19", "fmt/20", "fmt/276"}

func pdfPUID(p []byte) string {
	const at = len("%PDF-")
	if len(p) < at+3 {
		return ""
	}
	switch minor := int(p[at+2]) - '0'; {
	case p[at] == '2':
		return "fmt/1129"
	case p[at] == '1' && minor >= 0 && minor < len(pdfVersions):
		return pdfVersions[minor]
	}
	return ""
}

// jpegPUID looks at the segment that comes first: JFIF with its version, or Exif.
func jpegPUID(p []byte) string {
	if len(p) < 13 {
		return "fmt/41"
	}
	if string(p[6:11]) == "JFIF\x00" {
		switch {
		case p[11] == 1 && p[12] == 0:
			return "fmt/42"
		case p[11] == 1 && p[12] == 2:
			return "fmt/44"
		}
		return "fmt/43"
	}
	if string(p[6:10]) == "Exif" {
		switch {
		case bytes.Contains(p, []byte("0221")):
			return "fmt/645"
		case bytes.Contains(p, []byte("0220")):
			return "x-fmt/391"
		case bytes.Contains(p, []byte("0210")):
			return "x-fmt/390"
		}
	}
	return "fmt/41"
}

// pngPUID tells the versions by the chunks that came with them: iTXt with 1.2,
// iCCP, sPLT and sRGB with 1.1 (PNG 1.2, chapter 15).
func pngPUID(p []byte) string {
	puid := "fmt/11"
	for at := 8; at+8 <= len(p); {
		switch string(p[at+4 : at+8]) {
		case "iTXt":
			return "fmt/13"
		case "iCCP", "sPLT", "sRGB":
			puid = "fmt/12"
		case "IDAT", "IEND":
			return puid
		}
		length := int64(p[at])<<24 | int64(p[at+1])<<16 | int64(p[at+2])<<8 | int64(p[at+3])
		if length > Looked {
			break
		}
		at += 12 + int(length)
	}
	return puid
}

func webpPUID(p []byte) string {
	if len(p) >= 16 {
		switch string(p[12:16]) {
		case "VP8L":
			return "fmt/567"
		case "VP8X":
			return "fmt/568"
		}
	}
	return "fmt/566"
}
