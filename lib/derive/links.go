package derive

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"archivestream/lib/warc"
	"archivestream/lib/webgraph"
	"archivestream/lib/webpage"
)

// A target is a host that a page links to, and how.
type target struct{ host, kind string }

// A linkCounter counts the links of one page after the other.
type linkCounter struct {
	hosts  *webgraph.Hosts
	seen   map[string]bool // hosts of which a line says that they have pages
	from   string
	base   string
	counts map[target]int64
	order  []target
	line   []byte
}

// maxSeen bounds the hosts that are remembered; one may be told twice then.
const maxSeen = 1 << 16

func newLinkCounter() *linkCounter {
	return &linkCounter{hosts: webgraph.NewHosts(), seen: map[string]bool{}, counts: map[target]int64{}}
}

// begin begins a page; ok is false for a URL whose host has no place in a graph.
func (l *linkCounter) begin(url string) (ok bool) {
	clear(l.counts)
	l.from = l.hosts.Reversed([]byte(url))
	l.base = l.from
	return l.from != ""
}

// setBase takes the address that others are relative to.
func (l *linkCounter) setBase(url []byte) {
	if host := l.hosts.Reversed(url); host != "" {
		l.base = host
	}
}

func (l *linkCounter) add(url []byte, kind string) {
	host := l.base
	if !isRelative(url) {
		host = l.hosts.Reversed(url)
	}
	if host != "" && host != l.from {
		l.counts[target{host, kind}]++
	}
}

// isRelative says whether a reference has neither scheme nor authority (RFC 3986,
// section 4.2).
func isRelative(url []byte) bool {
	url = bytes.TrimLeft(url, " \t\r\n\f")
	if bytes.HasPrefix(url, []byte("//")) {
		return false
	}
	for i, c := range url {
		switch {
		case c == ':':
			return i == 0
		case c|0x20 >= 'a' && c|0x20 <= 'z', i > 0 && (c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.'):
		default:
			return true
		}
	}
	return true
}

// element adds a link of a page by the path that WAT files give it.
func (l *linkCounter) element(path string, url, rel []byte) {
	switch {
	case path == "LINK@/href":
		l.related(url, rel)
	case path == "A@/href", path == "AREA@/href", path == "FORM@/action",
		strings.HasSuffix(path, "@/cite"), strings.HasSuffix(path, "@/formaction"), strings.HasSuffix(path, "@/onclick"):
		kind := webgraph.Hyperlink
		if hasWord(rel, "nofollow") {
			kind = webgraph.NoFollow
		}
		l.add(url, kind)
	default:
		l.add(url, webgraph.Requisite)
	}
}

// related adds what a link element or a Link field names: what a page needs to be
// shown, or another page.
func (l *linkCounter) related(url, rel []byte) {
	for _, needed := range [...]string{"stylesheet", "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "preload", "modulepreload", "prefetch", "preconnect", "dns-prefetch", "manifest", "image_src"} {
		if hasWord(rel, needed) {
			l.add(url, webgraph.Requisite)
			return
		}
	}
	l.add(url, webgraph.Hyperlink)
}

func hasWord(words []byte, word string) bool {
	for w := range bytes.FieldsSeq(words) {
		if len(w) == len(word) && bytes.EqualFold(w, []byte(word)) {
			return true
		}
	}
	return false
}

// meta adds the address that a meta element may hold.
func (l *linkCounter) meta(name, httpEquiv, content []byte) {
	switch {
	case is(httpEquiv, "refresh"):
		if i := bytes.Index(bytes.ToLower(content), []byte("url=")); i >= 0 {
			l.add(bytes.Trim(content[i+4:], " '\""), webgraph.Hyperlink)
		}
	case is(name, "og:url", "twitter:url"):
		l.add(content, webgraph.Hyperlink)
	case hasPrefix(name, "og:") || hasPrefix(name, "twitter:"):
		if bytes.HasPrefix(content, []byte("//")) || hasPrefix(content, "http") {
			l.add(content, webgraph.Requisite)
		}
	}
}

func hasPrefix(p []byte, prefix string) bool {
	return len(p) >= len(prefix) && bytes.EqualFold(p[:len(prefix)], []byte(prefix))
}

// field adds the addresses of a field of a response's head.
func (l *linkCounter) field(name, value []byte) {
	switch {
	case is(name, "location", "content-location"):
		l.add(value, webgraph.Hyperlink)
	case is(name, "link"):
		for part := range bytes.SplitSeq(value, []byte(",")) {
			url, parameters, _ := bytes.Cut(part, []byte(";"))
			url = bytes.TrimSpace(url)
			if len(url) < 2 || url[0] != '<' || url[len(url)-1] != '>' {
				continue
			}
			_, rel, _ := bytes.Cut(parameters, []byte("rel="))
			rel, _, _ = bytes.Cut(rel, []byte(";"))
			l.related(url[1:len(url)-1], bytes.Trim(rel, " \"'"))
		}
	}
}

// page adds all that a page names.
func (l *linkCounter) page(p *webpage.Page) {
	if p.Base != nil {
		l.setBase(p.Base)
	}
	for _, list := range [...][]webpage.Link{p.Links, p.HeadLinks, p.Scripts} {
		for i := range list {
			l.element(list[i].Path, list[i].URL, list[i].Get("rel"))
		}
	}
	for _, m := range p.Metas {
		name := m.Get("property")
		if name == nil {
			name = m.Get("name")
		}
		l.meta(name, m.Get("http-equiv"), m.Get("content"))
	}
}

// end gives the link lines of the page, in an order that does not depend on chance.
func (l *linkCounter) end(give func(line []byte) error) error {
	if !l.seen[l.from] {
		if len(l.seen) >= maxSeen {
			clear(l.seen)
		}
		l.seen[l.from] = true
		l.line = webgraph.AppendLink(l.line[:0], l.from, "", "", 1)
		if err := give(l.line); err != nil {
			return err
		}
	}
	l.order = l.order[:0]
	for t := range l.counts {
		l.order = append(l.order, t)
	}
	slices.SortFunc(l.order, func(a, b target) int { return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.kind, b.kind)) })
	for _, t := range l.order {
		l.line = webgraph.AppendLink(l.line[:0], l.from, t.host, t.kind, l.counts[t])
		if err := give(l.line); err != nil {
			return err
		}
	}
	return nil
}

// record counts the links of a record, if it has any, and gives its lines.
func (l *linkCounter) record(c *record, give func(line []byte) error) error {
	if !c.hasPayload() || !l.begin(c.TargetURI()) {
		return nil
	}
	if c.http {
		for name, value := range c.message.Fields() {
			l.field(name, value)
		}
	}
	if c.parse(); c.page != nil {
		l.page(c.page)
	}
	return l.end(give)
}

// A linkMaker makes link lines.
type linkMaker struct {
	recordFile
	counter *linkCounter
	member  *member
}

// linesInMember is how much text goes into one gzip member, in bytes.
const linesInMember = 256 << 10

func (m *linkMaker) open(a *archive) error {
	side, err := m.task.Create(a.folder + "links/" + a.name + ".links.gz")
	if err != nil {
		return &outputError{err}
	}
	m.side, m.file, m.member = side, m.press.file(side), m.press.member()
	clear(m.counter.seen)
	return nil
}

func (m *linkMaker) take(_ *archive, c *record) error {
	if c.Type == warc.Revisit {
		return nil
	}
	return m.counter.record(c, func(line []byte) error {
		m.member.plain = append(append(m.member.plain, line...), '\n')
		if len(m.member.plain) >= linesInMember {
			m.file.put(m.member)
			m.member = m.press.member()
		}
		return nil
	})
}

func (m *linkMaker) close(a *archive, done bool) error {
	if m.file != nil {
		m.file.put(m.member)
	}
	return m.recordFile.close(a, done)
}
