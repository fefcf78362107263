package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"
)

// A Page is what one HTML file shows.
type Page struct {
	Title    string
	Summary  string // a sentence or two
	Facts    []Fact // the most important figures, shown large
	Sections []Section
}

// A Fact is a figure with what it is.
type Fact struct{ Label, Value string }

// A Section is a part of a page: text, then plots, then tables.
type Section struct {
	Title  string
	Text   string
	Plots  []Plot
	Tables []Table
}

// Write writes the page as HTML.
func (p *Page) Write(to io.Writer) error {
	b := bufio.NewWriter(to)
	w := &writer{out: b}
	w.print(`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
`)
	w.printf("<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n", w.text(p.Title), style)
	w.printf("<header>\n<h1>%s</h1>\n", w.text(p.Title))
	if p.Summary != "" {
		w.printf("<p>%s</p>\n", w.text(p.Summary))
	}
	w.print("</header>\n")
	w.facts(p.Facts)
	for i := range p.Sections {
		w.section(&p.Sections[i])
	}
	w.print("</main>\n</body>\n</html>\n")
	if w.err != nil {
		return w.err
	}
	return b.Flush()
}

// A writer writes HTML; the first error stays.
type writer struct {
	out   io.Writer
	err   error
	plots int // so far, for ids
}

func (w *writer) print(s string) {
	if w.err == nil {
		_, w.err = io.WriteString(w.out, s)
	}
}

func (w *writer) printf(format string, args ...any) { w.print(fmt.Sprintf(format, args...)) }

// text escapes what stands between tags or in a quoted attribute.
func (w *writer) text(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < 0x20 && r != '\n' && r != '\t' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff {
			return 0xfffd
		}
		return r
	}, strings.ToValidUTF8(s, "\ufffd"))
	return html.EscapeString(s)
}

func (w *writer) facts(facts []Fact) {
	if len(facts) == 0 {
		return
	}
	w.print("<dl class=\"facts\">\n")
	for _, f := range facts {
		w.printf("<div><dt>%s</dt><dd>%s</dd></div>\n", w.text(f.Label), w.text(f.Value))
	}
	w.print("</dl>\n")
}

func (w *writer) section(s *Section) {
	w.print("<section>\n")
	if s.Title != "" {
		w.printf("<h2>%s</h2>\n", w.text(s.Title))
	}
	if s.Text != "" {
		w.printf("<p>%s</p>\n", w.text(s.Text))
	}
	if len(s.Plots) > 0 {
		w.print("<div class=\"plots\">\n")
		for i := range s.Plots {
			w.plot(&s.Plots[i])
		}
		w.print("</div>\n")
	}
	for i := range s.Tables {
		w.table(&s.Tables[i])
	}
	w.print("</section>\n")
}
