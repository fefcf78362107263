package derive

import (
	"bytes"
	"unicode/utf8"

	"archivestream/lib/payload"
	"archivestream/lib/webpage"
)

// request writes the metadata of an HTTP request.
func (w *jsonWriter) request(c *record) {
	w.open("HTTP-Request-Metadata")
	w.open("Request-Message")
	f := bytes.Fields(c.message.StartLine())
	for i, name := range [...]string{"Method", "Path", "Version"} {
		if i < len(f) {
			w.text(name, f[i])
		}
	}
	w.close()
	w.messageBody(c)
	w.close()
}

// response writes the metadata of an HTTP response.
func (w *jsonWriter) response(c *record) {
	w.open("HTTP-Response-Metadata")
	w.open("Response-Message")
	version, rest, _ := bytes.Cut(c.message.StartLine(), []byte(" "))
	status, reason, _ := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(" "))
	w.text("Status", status)
	w.text("Version", version)
	if reason = bytes.TrimSpace(reason); len(reason) == 0 {
		reason = []byte("UNK") // as other extractors say
	}
	w.text("Reason", reason)
	w.close()
	w.messageBody(c)
	if c.parse(); c.page != nil {
		w.html(c.page)
	}
	w.close()
}

func (w *jsonWriter) messageBody(c *record) {
	w.number("Headers-Length", int64(len(c.message.Head)))
	w.open("Headers")
	w.messageFields(c.message)
	w.close()
	w.number("Entity-Length", c.entityLength())
	w.text("Entity-Digest", c.entityDigest())
	w.number("Entity-Trailing-Slop-Length", c.slop)
}

func (w *jsonWriter) messageFields(m payload.Message) {
	w.lines = w.lines[:0]
	for name, value := range m.Fields() {
		w.lines = append(w.lines, line{name, value})
	}
	w.fields(w.lines)
}

// html writes what stands in a page.
func (w *jsonWriter) html(page *webpage.Page) {
	w.open("HTML-Metadata")
	if before := len(w.b); w.head(page) {
		w.b = w.b[:before]
	}
	if len(page.Links) > 0 {
		w.list("Links")
		for i := range page.Links {
			w.link(&page.Links[i])
		}
		w.closeList()
	}
	w.close()
}

// head writes what stands in the page's head and says whether that is nothing.
func (w *jsonWriter) head(page *webpage.Page) (empty bool) {
	w.open("Head")
	begin := len(w.b)
	if page.Base != nil {
		w.text("Base", page.Base)
	}
	w.metas(page)
	if len(page.Title) > 0 {
		w.text("Title", page.Title)
	}
	w.links("Link", page.HeadLinks)
	w.links("Scripts", page.Scripts)
	empty = len(w.b) == begin
	w.close()
	return empty
}

func (w *jsonWriter) metas(page *webpage.Page) {
	before := len(w.b)
	w.list("Metas")
	begin := len(w.b)
	w.language("HTML@/lang", page.Lang)
	w.language("HTML@/xml:lang", page.XMLLang)
	for _, m := range page.Metas {
		if len(m) == 1 && m[0].Name == "charset" {
			continue
		}
		w.element()
		w.attributes(m)
		w.close()
	}
	if len(w.b) == begin {
		w.b = w.b[:before]
		return
	}
	w.closeList()
}

func (w *jsonWriter) language(name string, value []byte) {
	if value != nil {
		w.element()
		w.str("name", name)
		w.text("content", value)
		w.close()
	}
}

func (w *jsonWriter) attributes(list []webpage.Attribute) {
	for i := range list {
		if list[i].Name != "charset" { // WAT files have none
			w.text(list[i].Name, list[i].Value)
		}
	}
}

func (w *jsonWriter) links(name string, list []webpage.Link) {
	if len(list) == 0 {
		return
	}
	w.list(name)
	for i := range list {
		w.link(&list[i])
	}
	w.closeList()
}

// linkText is how many characters of a link's text WAT files have.
const linkText = 128

func (w *jsonWriter) link(l *webpage.Link) {
	w.element()
	w.str("path", l.Path)
	if l.Path == webpage.StylePath {
		w.text("href", l.URL)
	} else {
		w.text("url", l.URL)
	}
	w.attributes(l.Attributes)
	if len(l.Text) > 0 {
		w.text("text", bytes.TrimRight(firstCharacters(l.Text, linkText), " "))
	}
	w.close()
}

// firstCharacters gives the first n characters of a text.
func firstCharacters(text []byte, n int) []byte {
	if len(text) <= n {
		return text
	}
	end := 0
	for range n {
		if end >= len(text) {
			return text
		}
		_, size := utf8.DecodeRune(text[end:])
		end += size
	}
	return text[:end]
}
