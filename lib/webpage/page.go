// Package webpage takes from an HTML page what archives are asked for: title,
// text, links, meta elements, headings, language, canonical URL, main text. All of
// it comes from one pass over the page's tokens; no tree is built. Only CSS
// selectors (Select) parse the page in full.
//
// # Text
//
// The text is that of Common Crawl's WET files: all text with title and
// boilerplate, without scripts and styles; elements that are blocks begin and end
// a line, others like td and img part words with a space; control characters and
// no-break spaces are spaces, runs of white space become one; pre is kept as it is;
// character references are decoded.
//
// # Links
//
// Links are those of WAT files (webarchive-commons, Common Crawl's ia-web-commons)
// with their path notation: element in capitals, @/, attribute: A@/href, IMG@/src,
// FORM@/action and so on; STYLE/#text for what a style sheet names. URLs are as
// written, references decoded. One stands where its element ends.
//
// A page must be UTF-8 (lib/charset); what is not passes through unchanged.
package webpage

import (
	"bytes"

	"archivestream/lib/buffers"
)

// Want says what of a page is asked for. Nothing else is computed.
type Want uint16

// What there is, to be combined.
const (
	Title     Want = 1 << iota
	Text           // all text
	MainText       // text without boilerplate
	Links          // Links, HeadLinks, Scripts
	Metas          // meta elements
	Headings       // h1 to h6
	Language       // lang and xml:lang of the html element
	Canonical      // the link with rel=canonical
	Base           // the base element
)

// A Page is what was found on a page. Its slices are valid until the Parser is used
// again. A value that the page does not have is nil, one that is empty is not.
type Page struct {
	Title     []byte // of the first title with text, white space collapsed
	Text      []byte
	MainText  []byte // paragraphs, each ended by a line feed
	Links     []Link
	HeadLinks []Link // link elements
	Scripts   []Link // script elements with src
	Metas     []Meta
	Headings  []Heading
	Lang      []byte // <html lang>
	XMLLang   []byte // <html xml:lang>
	Canonical []byte
	Base      []byte // href of the first base element that has one
}

// A Link is one attribute with a URL.
type Link struct {
	Path       string // as in A@/href
	URL        []byte
	Attributes []Attribute // that say more of the link, those that the element has
	Text       []byte      // of an a element, white space collapsed; nil if there is none
	from, to   int         // of the text, as long as the page is not read to its end
}

// An Attribute is one of an element.
type Attribute struct {
	Name  string // lower case
	Value []byte
}

// Get gives the value of an attribute of the link, nil if it has none.
func (l *Link) Get(name string) []byte {
	for i := range l.Attributes {
		if l.Attributes[i].Name == name {
			return l.Attributes[i].Value
		}
	}
	return nil
}

// A Meta is a meta element: its attributes name, rel, content, http-equiv,
// property, itemprop and charset, those that it has, in this order.
type Meta []Attribute

// Get gives the value of an attribute, nil if the element has none.
func (m Meta) Get(name string) []byte {
	for i := range m {
		if m[i].Name == name {
			return m[i].Value
		}
	}
	return nil
}

// A Heading is one of h1 to h6.
type Heading struct {
	Level    int // 1 to 6
	Text     []byte
	from, to int
}

// A Parser takes pages apart. Its zero value is ready; it keeps its buffers. It is
// for one goroutine.
type Parser struct {
	z    tokenizer
	refs references
	page Page
	want Want

	text   writer
	arena  []byte      // holds values that are not as written
	extras []Attribute // of links and metas

	svg     int  // depth
	inTitle bool // its text is the page's title
	titleAt int  // where that begins
	hide    bool // text is in an element whose text is not shown
	pre     int  // depth
	asides  int  // depth of navigation

	anchor    Link // the open a element
	inAnchor  bool
	heading   int // index of the open heading, -1 if none is
	divs      int // open div elements in it
	blocks    []paragraph
	linkBytes int // of the open block
}

// keptBuffer is the largest buffer that is kept for the next page, in bytes.
const keptBuffer = 8 << 20

// Parse takes from a page what is wanted.
func (p *Parser) Parse(in []byte, want Want) *Page {
	p.reset(in, want)
	shows := want&(Title|Text|MainText|Links|Headings) != 0
	for !p.finished() && p.z.next() {
		switch p.z.kind {
		case textToken:
			if shows {
				p.textToken()
			}
		case startTag:
			p.open()
		case endTag:
			p.close(p.z.tag)
		}
	}
	p.end()
	return &p.page
}

func (p *Parser) reset(in []byte, want Want) {
	old := p.page
	buffers.Spoil(old.MainText)
	buffers.Spoil(p.text.out)
	buffers.Spoil(p.arena)
	p.page = Page{
		Links: old.Links[:0], HeadLinks: old.HeadLinks[:0], Scripts: old.Scripts[:0],
		Metas: old.Metas[:0], Headings: old.Headings[:0], MainText: old.MainText[:0],
	}
	if cap(p.text.out) > keptBuffer {
		p.text.out = nil
	}
	if cap(p.arena) > keptBuffer {
		p.arena = nil
	}
	p.z.reset(in)
	p.want, p.arena, p.extras = want, p.arena[:0], p.extras[:0]
	p.text.out = p.text.out[:0]
	p.svg, p.inTitle, p.titleAt, p.hide, p.pre, p.asides = 0, false, 0, false, 0, 0
	p.inAnchor, p.heading, p.blocks, p.linkBytes = false, -1, p.blocks[:0], 0
}

// finished reports whether all that is wanted has been found: a title and a language
// mostly stand at the start of a page.
func (p *Parser) finished() bool {
	return p.want&^(Title|Language) == 0 && (p.page.Title != nil || p.want&Title == 0) && (p.page.Lang != nil || p.want&Language == 0)
}

// open takes a start tag.
func (p *Parser) open() {
	t := p.z.tag
	tr := traits[t]
	if tr&(block|spacing) != 0 && t != tagTitle {
		p.separate(tr)
	}
	p.hide = tr&hidden != 0
	switch t {
	case tagHTML:
		p.html()
	case tagTitle:
		p.openTitle()
	case tagSVG:
		if !p.z.selfClosing {
			p.svg++
		}
	case tagPre:
		p.pre++
	case tagMeta:
		p.meta()
	case tagBase:
		p.base()
	case tagH1, tagH2, tagH3, tagH4, tagH5, tagH6:
		p.openHeading(int(t-tagH1) + 1)
	case tagDiv:
		p.divs++
	}
	if tr&aside != 0 {
		p.asides++
	}
	if t == tagA && !p.z.selfClosing {
		p.openAnchor()
	}
	if p.want&(Links|Canonical) != 0 {
		p.links(t, tr)
	}
}

// close takes an end tag.
func (p *Parser) close(t tag) {
	tr := traits[t]
	p.hide = false
	switch t {
	case tagTitle:
		p.closeTitle()
	case tagSVG:
		p.svg = max(p.svg-1, 0)
	case tagPre:
		p.pre = max(p.pre-1, 0)
	case tagA:
		p.closeAnchor()
	case tagH1, tagH2, tagH3, tagH4, tagH5, tagH6:
		p.closeHeading()
	case tagDiv:
		if p.divs--; p.divs < 0 {
			p.closeHeading() // whose own end is missing
		}
	}
	if tr&(block|spacing) != 0 {
		p.separate(tr)
	}
	if tr&aside != 0 {
		p.asides = max(p.asides-1, 0)
	}
}

// separate parts what stands before and behind an element's tag.
func (p *Parser) separate(tr trait) {
	if tr&block == 0 {
		p.text.space()
		return
	}
	p.text.line()
	// The line's end may stand before spaces that something began behind.
	end := len(p.text.out)
	p.titleAt, p.anchor.from = min(p.titleAt, end), min(p.anchor.from, end)
	if p.heading >= 0 {
		h := &p.page.Headings[p.heading]
		h.from = min(h.from, end)
	}
	if p.want&MainText != 0 {
		p.endBlock()
	}
}

// textEnd gives where the text that began at a place ends, without white space.
func (p *Parser) textEnd(from int) int {
	to := len(p.text.out)
	for to > from && p.text.out[to-1] <= ' ' {
		to--
	}
	return to
}

// textToken takes text.
func (p *Parser) textToken() {
	z := &p.z
	text := z.in[z.text.from:z.text.to]
	if p.hide {
		if z.tag == tagStyle && p.want&Links != 0 {
			p.style(text)
		}
		return
	}
	begin := len(p.text.out)
	p.text.write(text, &p.refs, z.raw, p.pre > 0)
	if p.inAnchor {
		p.linkBytes += len(p.text.out) - begin
	}
}

// value gives an attribute's value with its references decoded.
func (p *Parser) value(a *attribute) []byte {
	v := p.z.in[a.value.from:a.value.to:a.value.to]
	for _, b := range v {
		if b == '&' {
			begin := len(p.arena)
			p.arena = p.refs.appendDecoded(p.arena, v, true)
			return p.arena[begin:len(p.arena):len(p.arena)]
		}
	}
	return v
}

// find gives the first attribute of a name in lower case.
func (p *Parser) find(name string) *attribute {
	for i := range p.z.attributes {
		a := &p.z.attributes[i]
		if a.name.to-a.name.from == len(name) && equalFold(p.z.in[a.name.from:a.name.to], name) {
			return a
		}
	}
	return nil
}

// get gives the value of an attribute, nil if the tag does not have it.
func (p *Parser) get(name string) []byte {
	if a := p.find(name); a != nil {
		return p.value(a)
	}
	return nil
}

// collect gives those of the named attributes that the tag has.
func (p *Parser) collect(attributes []string) []Attribute {
	begin := len(p.extras)
	if len(p.z.attributes) > 0 {
		for _, name := range attributes {
			if v := p.get(name); v != nil {
				p.extras = append(p.extras, Attribute{name, v})
			}
		}
	}
	return p.extras[begin:len(p.extras):len(p.extras)]
}

func (p *Parser) html() {
	if p.page.Lang == nil {
		p.page.Lang = p.get("lang")
	}
	if p.page.XMLLang == nil {
		p.page.XMLLang = p.get("xml:lang")
	}
}

var metaAttributes = []string{"name", "rel", "content", "http-equiv", "property", "itemprop", "charset"}

func (p *Parser) meta() {
	if p.want&Metas == 0 {
		return
	}
	if m := p.collect(metaAttributes); len(m) > 0 {
		p.page.Metas = append(p.page.Metas, m)
	}
}

func (p *Parser) base() {
	if p.page.Base == nil && p.want&Base != 0 {
		p.page.Base = p.get("href")
	}
}

func (p *Parser) openTitle() {
	p.inTitle = p.svg == 0 && len(p.page.Title) == 0 && p.want&Title != 0
	p.titleAt = len(p.text.out)
}

// closeTitle takes the text since the title's begin.
func (p *Parser) closeTitle() {
	if p.inTitle {
		if title := p.keep(p.titleAt, len(p.text.out)); title != nil {
			p.page.Title = title
		}
	}
	p.inTitle = false
}

func (p *Parser) openHeading(level int) {
	if p.want&Headings == 0 {
		return
	}
	p.closeHeading()
	p.heading, p.divs = len(p.page.Headings), 0
	p.page.Headings = append(p.page.Headings, Heading{Level: level, from: len(p.text.out)})
}

func (p *Parser) closeHeading() {
	if p.heading >= 0 {
		h := &p.page.Headings[p.heading]
		h.to = p.textEnd(h.from)
		p.heading = -1
	}
}

// end takes what the page's end closes, and the texts of links and headings.
func (p *Parser) end() {
	p.closeTitle()
	p.closeAnchor()
	p.closeHeading()
	if p.want&Links != 0 {
		for i := range p.page.Links {
			if l := &p.page.Links[i]; l.to > l.from {
				l.Text = p.keep(l.from, l.to)
			}
		}
	}
	for i := range p.page.Headings {
		h := &p.page.Headings[i]
		h.Text = p.keep(h.from, h.to)
	}
	if p.want&Text != 0 {
		p.page.Text = present(p.text.out[:len(p.text.out):len(p.text.out)])
	}
	if p.want&MainText != 0 {
		// The last block ends without the spaces that the text ends in, which stay.
		p.text.out = bytes.TrimRight(p.text.out, " ")
		p.endBlock()
		p.mainText()
		p.page.MainText = present(p.page.MainText)
	}
}

// present is a text that a page has, though it may be empty: never nil, whatever pages
// the buffer has held before.
func present(text []byte) []byte {
	if text == nil {
		return []byte{}
	}
	return text
}

// keep gives a part of the text on one line, without white space around it; nil
// if nothing is left.
func (p *Parser) keep(from, to int) []byte {
	out := p.text.out
	from, to = min(from, len(out)), min(to, len(out))
	for from < to && out[from] <= ' ' {
		from++
	}
	for from < to && out[to-1] <= ' ' {
		to--
	}
	if from >= to {
		return nil
	}
	begin := len(p.arena)
	blank := false
	for _, b := range out[from:to] {
		if b <= ' ' {
			b = ' '
			if blank {
				continue
			}
		}
		blank = b == ' '
		p.arena = append(p.arena, b)
	}
	return p.arena[begin:len(p.arena):len(p.arena)]
}
