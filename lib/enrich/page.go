package enrich

import (
	"strconv"

	"archivestream/lib/webpage"
)

// What is taken from a page, in one pass (lib/webpage).
var _ = register(function{
	name: "html", from: "payload.string", takes: 1 << Text, of: "string", gives: Container,
	summary: "the page: title, text, links, meta, headings, lang, canonical, maintext start from it",
	derive: func(_ *Record, from, out *Value) error {
		*out = Value{Kind: Container, Bytes: from.Bytes}
		return nil
	},
})

// pageWants says what each function wants of the page, by its name.
var pageWants = map[string]webpage.Want{}

// registerPage registers a function of a page.
func registerPage(name, summary string, gives Kind, want webpage.Want, take func(r *Record, p *webpage.Page, out *Value)) bool {
	pageWants[name] |= want
	return register(function{
		name: name, from: "payload.string.html", takes: 1 << Container, of: "html", gives: gives, summary: summary,
		derive: func(r *Record, from, out *Value) error {
			if r.page == nil {
				r.page = r.parser.Parse(from.Bytes, r.plan.page)
			}
			take(r, r.page, out)
			return nil
		},
	})
}

// registerPageText registers one whose value is a text of the page.
func registerPageText(name, summary string, want webpage.Want, get func(*webpage.Page) []byte) bool {
	return registerPage(name, summary, Text, want, func(_ *Record, p *webpage.Page, out *Value) {
		if text := get(p); text != nil {
			out.setText(text)
		}
	})
}

var (
	_ = registerPageText("title", "title of the page", webpage.Title, func(p *webpage.Page) []byte { return p.Title })
	_ = registerPageText("text", "all text of the page, a line for each block, as in WET files", webpage.Text, func(p *webpage.Page) []byte { return p.Text })
	_ = registerPageText("maintext", "text of the page without boilerplate", webpage.MainText, func(p *webpage.Page) []byte { return p.MainText })
	_ = registerPageText("lang", "lang attribute of the html element", webpage.Language, func(p *webpage.Page) []byte {
		if p.Lang == nil {
			return p.XMLLang
		}
		return p.Lang
	})
	_ = registerPageText("canonical", "canonical URL that the page names", webpage.Canonical, func(p *webpage.Page) []byte { return p.Canonical })
)

var _ = registerPage("links", "links of the page: path as in WAT files (A@/href), url, attributes, text", JSON, webpage.Links, func(r *Record, p *webpage.Page, out *Value) {
	begin := len(r.arena)
	r.arena = append(r.arena, '[')
	for _, list := range [][]webpage.Link{p.HeadLinks, p.Scripts, p.Links} {
		for i := range list {
			l := &list[i]
			r.openElement(begin)
			r.arena = appendMember(r.arena, "path", []byte(l.Path))
			r.arena = appendMember(r.arena, "url", l.URL)
			r.attributes(l.Attributes)
			if l.Text != nil {
				r.arena = appendMember(r.arena, "text", l.Text)
			}
			r.arena = append(r.arena, '}')
		}
	}
	r.closeList(begin, out)
})

var _ = registerPage("meta", "meta elements of the page with their attributes", JSON, webpage.Metas, func(r *Record, p *webpage.Page, out *Value) {
	begin := len(r.arena)
	r.arena = append(r.arena, '[')
	for _, m := range p.Metas {
		r.openElement(begin)
		r.attributes(m)
		r.arena = append(r.arena, '}')
	}
	r.closeList(begin, out)
})

var _ = registerPage("headings", "headings h1 to h6 of the page: level, text", JSON, webpage.Headings, func(r *Record, p *webpage.Page, out *Value) {
	begin := len(r.arena)
	r.arena = append(r.arena, '[')
	for i := range p.Headings {
		r.openElement(begin)
		r.arena = strconv.AppendInt(appendName(r.arena, "level"), int64(p.Headings[i].Level), 10)
		r.arena = appendMember(r.arena, "text", p.Headings[i].Text)
		r.arena = append(r.arena, '}')
	}
	r.closeList(begin, out)
})

// openElement begins an object in the list that began at a place.
func (r *Record) openElement(list int) {
	if len(r.arena) > list+1 {
		r.arena = append(r.arena, ',')
	}
	r.arena = append(r.arena, '{')
}

func (r *Record) closeList(list int, out *Value) {
	r.arena = append(r.arena, ']')
	out.setJSON(r.arena[list:len(r.arena):len(r.arena)])
}

func (r *Record) attributes(all []webpage.Attribute) {
	for _, a := range all {
		r.arena = appendMember(r.arena, a.Name, a.Value)
	}
}
