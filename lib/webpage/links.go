package webpage

import (
	"bytes"
	"regexp"
	"strings"
	"sync"
)

// A rule is an attribute that is a link, and those that say more of it.
type rule struct {
	attribute string
	path      string
	more      []string
}

// rules are those of each element, in the order in which WAT files have them.
var rules = func() (t [256][]rule) {
	add := func(element, attributes string, more ...string) {
		tag := lookUp([]byte(element))
		for _, a := range strings.Fields(attributes) {
			t[tag] = append(t[tag], rule{a, strings.ToUpper(element) + "@/" + a, more})
		}
	}
	add("a", "href", "target", "alt", "title", "rel", "hreflang", "type")
	add("area", "href", "rel")
	add("form", "action", "target", "method")
	add("img", "src", "alt", "title")
	add("img", "longdesc")
	add("link", "href", "rel", "type")
	add("script", "src", "type")
	for _, element := range []string{"frame", "iframe", "embed", "audio", "track", "source"} {
		add(element, "src")
	}
	add("video", "src poster")
	add("input", "src formaction")
	add("button", "formaction")
	add("menuitem", "icon")
	add("object", "codebase cdata data")
	add("applet", "codebase cdata")
	for _, element := range []string{"q", "blockquote", "del", "ins"} {
		add(element, "cite")
	}
	return t
}()

// everywhere are attributes that are links on any element.
var everywhere = []string{"background", "data-href", "data-uri"}

// links takes the links of a start tag.
func (p *Parser) links(t tag, tr trait) {
	if len(p.z.attributes) == 0 {
		return
	}
	if t == tagLink {
		p.canonical()
	}
	if p.want&Links == 0 {
		return
	}
	p.globalLinks()
	if tr&linking == 0 {
		return
	}
	for i := range rules[t] {
		r := &rules[t][i]
		url := p.get(r.attribute)
		if url == nil {
			continue
		}
		l := Link{Path: r.path, URL: url, Attributes: p.collect(r.more)}
		switch {
		case t == tagLink:
			p.page.HeadLinks = append(p.page.HeadLinks, l)
		case t == tagScript:
			p.page.Scripts = append(p.page.Scripts, l)
		case t == tagA && !p.z.selfClosing:
			l.from = p.anchor.from
			p.anchor = l
		default:
			p.page.Links = append(p.page.Links, l)
		}
	}
	if t == tagDiv || t == tagInput {
		p.onClick()
	}
}

// globalLinks takes the attributes that are links on any element.
func (p *Parser) globalLinks() {
	for i := range p.z.attributes {
		a := &p.z.attributes[i]
		name := p.z.in[a.name.from:a.name.to]
		switch name[0] | 0x20 {
		case 'b', 'd':
		default:
			continue
		}
		for _, g := range everywhere {
			if equalFold(name, g) && a.value.to > a.value.from {
				element := strings.ToUpper(string(p.z.in[p.z.name.from:p.z.name.to]))
				p.page.Links = append(p.page.Links, Link{Path: element + "@/" + g, URL: p.value(a)})
			}
		}
	}
}

func (p *Parser) canonical() {
	if p.want&Canonical == 0 || p.page.Canonical != nil {
		return
	}
	for word := range bytes.FieldsSeq(p.get("rel")) {
		if equalFold(word, "canonical") {
			p.page.Canonical = p.get("href")
		}
	}
}

// openAnchor begins the text of an a element, which ends one that is open.
func (p *Parser) openAnchor() {
	p.closeAnchor()
	p.inAnchor, p.anchor.from = true, len(p.text.out)
}

func (p *Parser) closeAnchor() {
	if p.inAnchor && p.anchor.URL != nil {
		p.anchor.to = p.textEnd(p.anchor.from)
		p.page.Links = append(p.page.Links, p.anchor)
	}
	p.anchor, p.inAnchor = Link{}, false
}

// scripts are those of which it is plain where they lead. Few pages have one, so that
// they are compiled when the first one does.
var scripts = sync.OnceValue(func() []*regexp.Regexp {
	return []*regexp.Regexp{
		regexp.MustCompile(`(?i)^(?:javascript:)?(?:(?:window|top|document|self|parent)\.)?location(?:\.href)?\s*=\s*('|&#39;)([^'"]{3,256})('|&#39;)$`),
		regexp.MustCompile(`(?i)^(?:javascript:)?(?:window|parent)\.open\((['"]|&#39;)([^"']{3,256}?)(['"]|&#39;)[,)]`),
	}
})

// onClick takes the URL that a click leads to.
func (p *Parser) onClick() {
	script := p.get("onclick")
	if len(script) < len("location='abc'") {
		return
	}
	for _, pattern := range scripts() {
		m := pattern.FindSubmatch(script)
		if m != nil && bytes.Equal(m[1], m[3]) {
			element := strings.ToUpper(names[p.z.tag].name)
			p.page.Links = append(p.page.Links, Link{Path: element + "@/onclick", URL: m[2]})
		}
	}
}

const (
	// StylePath is the path of links in style elements.
	StylePath = "STYLE/#text"
	// maxStyle is how far a style sheet is searched for links, in bytes.
	maxStyle = 100_000
	// maxStyleURL is the longest URL that is taken from one, in bytes.
	maxStyleURL = 8000
)

// styleImport is an import without url(…).
var styleImport = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`@import\s+('[^']+'|"[^"]+"|\('[^']+'\)|\("[^"]+"\)|\([^)]+\)|[a-z0-9_.:/\\-]+)\s*;`)
})

// style takes what a style sheet names: url(…), then imports.
func (p *Parser) style(text []byte) {
	if bytes.IndexByte(text, '&') >= 0 {
		begin := len(p.arena)
		p.arena = p.refs.appendDecoded(p.arena, text, true)
		text = p.arena[begin:len(p.arena):len(p.arena)]
	}
	text = text[:min(len(text), maxStyle)]
	for rest := text; ; {
		i := bytes.Index(rest, []byte("url"))
		if i < 0 {
			break
		}
		rest = bytes.TrimLeft(rest[i+3:], " \t\r\n\f\v")
		if len(rest) == 0 || rest[0] != '(' {
			continue
		}
		inner := bytes.TrimLeft(rest[1:], " \t\r\n\f\v")
		end := bytes.IndexAny(inner[:min(len(inner), maxStyleURL+1)], ") \t\r\n\f\v")
		if end <= 0 {
			continue
		}
		if behind := bytes.TrimLeft(inner[end:], " \t\r\n\f\v"); len(behind) > 0 && behind[0] == ')' {
			p.styleLink(inner[:end])
			rest = behind
		}
	}
	if bytes.Contains(text, []byte("@import")) {
		for _, m := range styleImport().FindAllSubmatch(text, -1) {
			p.styleLink(m[1])
		}
	}
}

func (p *Parser) styleLink(url []byte) {
	for trimmed := true; trimmed; {
		trimmed = false
		for _, quote := range []string{`\"`, `\'`, `"`, `'`} {
			if cut, ok := bytes.CutPrefix(url, []byte(quote)); ok {
				url, trimmed = cut, true
			}
			if cut, ok := bytes.CutSuffix(url, []byte(quote)); ok {
				url, trimmed = cut, true
			}
		}
	}
	if len(url) > 0 {
		p.page.Links = append(p.page.Links, Link{Path: StylePath, URL: url})
	}
}
