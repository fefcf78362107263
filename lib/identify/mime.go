package identify

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/gabriel-vasile/mimetype"
)

// Looked is how much of a payload's begin is looked at, in bytes.
const Looked = 4096

// Media types that are asked for by name.
const (
	HTML   = "text/html"
	XHTML  = "application/xhtml+xml"
	XML    = "text/xml"
	Plain  = "text/plain"
	Script = "text/javascript"
	binary = "application/octet-stream"
)

// Mime gives the media type of a payload, of which the first Looked bytes are
// enough; empty for an empty one. Parameters such as a charset are not in it.
func Mime(payload []byte) string {
	p := payload[:min(len(payload), Looked)]
	if len(p) == 0 {
		return ""
	}
	if name := magic(p); name != "" {
		return name
	}
	text, isText := asText(p)
	if isText {
		if name := textType(text); name != "" {
			return name
		}
	}
	name, _, _ := strings.Cut(mimetype.Detect(p).String(), ";")
	if isText && name == binary {
		return Plain
	}
	return name
}

// magics are the magic numbers of what is most frequent on the web.
var magics = []struct{ begin, name string }{
	{"\xff\xd8\xff", "image/jpeg"},
	{"GIF87a", "image/gif"},
	{"GIF89a", "image/gif"},
	{"%PDF-", "application/pdf"},
	{"wOFF", "font/woff"},
	{"wOF2", "font/woff2"},
	{"\x00\x01\x00\x00\x00", "font/ttf"},
	{"OTTO", "font/otf"},
	{"\x00\x00\x01\x00", "image/vnd.microsoft.icon"},
	{"\x1f\x8b\x08", "application/gzip"},
}

func magic(p []byte) string {
	for i := range magics {
		if m := &magics[i]; len(p) >= len(m.begin) && string(p[:len(m.begin)]) == m.begin {
			return m.name
		}
	}
	switch {
	case bytes.HasPrefix(p, []byte("\x89PNG\r\n\x1a\n")) && !bytes.Contains(p, []byte("acTL")):
		return "image/png"
	case len(p) >= 12 && string(p[:4]) == "RIFF" && string(p[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}

// asText gives the begin of a text without its byte order mark, in UTF-8 where it
// was UTF-16. ok is false for what holds bytes that no text has (WHATWG MIME
// Sniffing, section 3: binary data byte).
func asText(p []byte) (text []byte, ok bool) {
	switch {
	case bytes.HasPrefix(p, []byte("\xef\xbb\xbf")):
		p = p[3:]
	case bytes.HasPrefix(p, []byte("\xff\xfe")):
		return fromUTF16(p[2:], 0), true
	case bytes.HasPrefix(p, []byte("\xfe\xff")):
		return fromUTF16(p[2:], 1), true
	}
	for _, c := range p {
		if c < ' ' && isBinary(c) {
			return nil, false
		}
	}
	return p, true
}

func isBinary(c byte) bool {
	return c <= 0x08 || c == 0x0b || c >= 0x0e && c <= 0x1a || c >= 0x1c && c <= 0x1f
}

// fromUTF16 gives UTF-8 for UTF-16 whose lower byte comes first, or second.
func fromUTF16(p []byte, low int) []byte {
	units := make([]uint16, len(p)/2)
	for i := range units {
		units[i] = uint16(p[2*i+low]) | uint16(p[2*i+1-low])<<8
	}
	text := make([]byte, 0, len(p))
	for _, r := range utf16.Decode(units) {
		text = utf8.AppendRune(text, r)
	}
	return text
}

// textType tells markup, scripts, style sheets and JSON; empty for what may be
// any other text.
func textType(p []byte) string {
	if found, ok := readProlog(p); ok {
		return markupType(&found)
	} else if found.xml {
		return XML
	} else if found.doctype != nil && containsFold(found.doctype, "html") {
		return HTML
	}
	p = bytes.TrimLeft(p, " \t\r\n\f")
	switch {
	case len(p) == 0:
		return Plain
	case p[0] == '{' || p[0] == '[':
		return jsonType(p)
	case bytes.HasPrefix(p, []byte("#!")) || bytes.HasPrefix(p, []byte("#EXTM3U")) || bytes.HasPrefix(p, []byte("{\\rtf")):
		return ""
	case isScript(p):
		return Script
	case isStyle(p):
		return "text/css"
	}
	return ""
}

// roots are the XML formats that have a media type of their own, by the name of
// their root element without its prefix.
var roots = map[string]string{
	"rss": "application/rss+xml", "RDF": "application/rdf+xml", "feed": "application/atom+xml",
	"svg": "image/svg+xml", "kml": "application/vnd.google-earth.kml+xml", "gpx": "application/gpx+xml",
	"OpenSearchDescription": "application/opensearchdescription+xml", "math": "application/mathml+xml",
}

func markupType(found *prolog) string {
	root := found.root
	if i := bytes.IndexByte(root, ':'); i >= 0 {
		root = root[i+1:]
	}
	if bytes.EqualFold(root, []byte("html")) {
		if found.xml || bytes.Contains(head(found.rest, 512), []byte("http://www.w3.org/1999/xhtml")) && containsFold(found.doctype, "xhtml") {
			return XHTML
		}
		return HTML
	}
	if name, ok := roots[string(root)]; ok && (name != "application/rdf+xml" || found.xml || len(found.root) > len(root)) {
		if name == "application/rdf+xml" && bytes.Contains(found.rest, []byte("http://purl.org/rss/1.0/")) {
			return roots["rss"]
		}
		return name
	}
	switch {
	case found.xml:
		return XML
	case found.doctype != nil && containsFold(found.doctype, "html"), isPageElement(root):
		return HTML
	}
	return ""
}

func head(p []byte, n int) []byte { return p[:min(len(p), n)] }

// jsonType tells JSON by how it goes on: all of a large document is not there.
func jsonType(p []byte) string {
	rest := bytes.TrimLeft(p[1:], " \t\r\n")
	if len(rest) == 0 {
		return ""
	}
	switch c := rest[0]; {
	case p[0] == '{' && c == '"':
		if end := bytes.IndexByte(rest[1:], '"'); end >= 0 {
			behind := bytes.TrimLeft(rest[end+2:], " \t\r\n")
			if len(behind) > 0 && behind[0] == ':' {
				return "application/json"
			}
		}
	case p[0] == '{' && c == '}', p[0] == '[' && (c == '{' || c == '"' || c == '[' || c == ']' || c == '-' || c >= '0' && c <= '9'):
		return "application/json"
	}
	return ""
}

// scriptStarts are what scripts begin with behind their comments.
var scriptStarts = []string{
	"(function", "!function", ";(function", "+function", "function ", "function(", "var ", "let ", "const ", "window.", "window[",
	"document.", "jQuery(", "jQuery.", "$(", "'use strict'", `"use strict"`, "if(typeof ", "if (typeof ", "(()=>", "(() =>",
	"try{", "try {", "define(", "import ", "export ", "this.", "self.", "(window", "void function",
}

// isScript says whether a text looks like JavaScript.
func isScript(p []byte) bool {
	body := behindComments(p)
	for _, start := range scriptStarts {
		if len(body) >= len(start) && string(body[:len(start)]) == start {
			return bytes.ContainsAny(body, "(=;") && bytes.ContainsAny(body, "{;)")
		}
	}
	return false
}

// behindComments gives what stands behind the comments and blanks of a script or
// style sheet.
func behindComments(p []byte) []byte {
	for {
		p = bytes.TrimLeft(p, " \t\r\n\f;")
		end := -1
		switch {
		case bytes.HasPrefix(p, []byte("/*")):
			if end = bytes.Index(p[2:], []byte("*/")); end >= 0 {
				end += 4
			}
		case bytes.HasPrefix(p, []byte("//")):
			end = bytes.IndexByte(p, '\n')
		default:
			return p
		}
		if end < 0 {
			return nil
		}
		p = p[end:]
	}
}

// isStyle says whether a text looks like a style sheet: an at-rule, or a selector
// and a declaration.
func isStyle(p []byte) bool {
	body := behindComments(p)
	for _, rule := range []string{"@charset ", "@import ", "@media", "@font-face", "@namespace ", "@keyframes "} {
		if hasPrefixFold(body, rule) {
			return true
		}
	}
	open := bytes.IndexByte(body, '{')
	if open <= 0 || open > 1024 || bytes.ContainsAny(body[:open], ";()=\"'") && !bytes.ContainsAny(body[:open], ":[") {
		return false
	}
	rule := body[open+1:]
	if end := bytes.IndexByte(rule, '}'); end >= 0 {
		rule = rule[:end]
	}
	rule = behindComments(rule)
	colon := bytes.IndexByte(rule, ':')
	return colon > 0 && isProperty(bytes.TrimSpace(rule[:colon]))
}

// isProperty says whether a name can be that of a CSS property.
func isProperty(name []byte) bool {
	for _, c := range name {
		if !isLetter(c) && c != '-' && c != '*' {
			return false
		}
	}
	return len(name) > 0
}
