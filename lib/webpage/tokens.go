package webpage

import "bytes"

// A kind is what a token is.
type kind uint8

const (
	atEnd kind = iota
	textToken
	startTag
	endTag
)

// A span is a part of the page.
type span struct{ from, to int }

// An attribute is one of a start tag, as written.
type attribute struct{ name, value span }

// A tokenizer takes a page apart as the HTML standard says (section 13.2.5), on
// its bytes, which must be UTF-8. Comments, declarations and what else is not shown
// are passed over. Its token is valid until the next one.
type tokenizer struct {
	in  []byte
	pos int

	kind        kind
	tag         tag
	name        span        // of a tag
	text        span        // of a textToken
	raw         bool        // the text holds no character references
	selfClosing bool        // the start tag ends in />
	attributes  []attribute // of a start tag

	within  tag // the raw text element that the last start tag has opened; other: none
	foreign int // depth of svg and math, whose elements have other rules
}

func (z *tokenizer) reset(in []byte) {
	*z = tokenizer{in: in, attributes: z.attributes[:0]}
}

// next goes to the next token.
func (z *tokenizer) next() bool {
	if z.within != other {
		if z.element(); z.text.from < z.text.to {
			return true
		}
	}
	in := z.in
	begin := z.pos
	for at := begin; ; {
		i := -1
		if at < len(in) {
			i = bytes.IndexByte(in[at:], '<')
		}
		if i < 0 || at+i+1 >= len(in) {
			z.pos = len(in)
			return z.give(begin, len(in))
		}
		at += i
		c := in[at+1]
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z':
		case c == '/' || c == '!' || c == '?':
		default: // a sign of its own
			at++
			continue
		}
		if at > begin {
			z.pos = at
			return z.give(begin, at)
		}
		if z.markup(at) {
			return true
		}
		begin, at = z.pos, z.pos
	}
}

func (z *tokenizer) give(from, to int) bool {
	z.kind, z.text, z.raw = textToken, span{from, to}, false
	if from >= to {
		z.kind = atEnd
		return false
	}
	return true
}

// markup takes what begins with the < at a position: false for what is no tag.
func (z *tokenizer) markup(at int) bool {
	in := z.in
	switch c := in[at+1]; c {
	case '/':
		if at+2 < len(in) && in[at+2]|0x20 >= 'a' && in[at+2]|0x20 <= 'z' {
			return z.readTag(at+2, endTag)
		}
		if at+2 >= len(in) {
			return z.give(at, len(in)) && z.skipTo(len(in))
		}
		z.bogus(at + 2)
	case '!':
		if bytes.HasPrefix(in[at:], []byte("<!--")) {
			z.comment(at + 4)
		} else if z.foreign > 0 && bytes.HasPrefix(in[at:], []byte(cdata)) {
			return z.cdata(at + len(cdata))
		} else {
			z.bogus(at + 2)
		}
	case '?':
		z.bogus(at + 1)
	default:
		return z.readTag(at+1, startTag)
	}
	return false
}

func (z *tokenizer) skipTo(pos int) bool {
	z.pos = pos
	return true
}

const cdata = "<![CDATA["

// cdata takes the text of a CDATA section.
func (z *tokenizer) cdata(from int) bool {
	end := len(z.in)
	z.pos = end
	if i := bytes.Index(z.in[from:], []byte("]]>")); i >= 0 {
		end = from + i
		z.pos = end + 3
	}
	ok := end > from && z.give(from, end)
	z.raw = ok
	return ok
}

// nest counts how deep in foreign content a tag is. Elements that are blocks in HTML
// leave it, whatever is open (HTML standard, section 13.2.6.5).
func (z *tokenizer) nest() {
	switch {
	case z.tag != tagSVG && z.tag != tagMath:
		if z.kind == startTag && z.tag != tagTitle && traits[z.tag]&block != 0 {
			z.foreign = 0
		}
	case z.kind == startTag && !z.selfClosing:
		z.foreign++
	case z.kind == endTag:
		z.foreign = max(z.foreign-1, 0)
	}
}

// bogus passes over what ends with the next >.
func (z *tokenizer) bogus(from int) {
	z.pos = len(z.in)
	if i := bytes.IndexByte(z.in[from:], '>'); i >= 0 {
		z.pos = from + i + 1
	}
}

// comment passes over a comment. It ends with -->, --!>, or at once with > or ->.
func (z *tokenizer) comment(from int) {
	in := z.in
	if rest := in[from:]; len(rest) > 0 && rest[0] == '>' {
		z.pos = from + 1
		return
	} else if len(rest) > 1 && rest[0] == '-' && rest[1] == '>' {
		z.pos = from + 2
		return
	}
	for at := from; ; {
		i := bytes.Index(in[at:], []byte("--"))
		if i < 0 {
			z.pos = len(in)
			return
		}
		at += i + 2
		switch {
		case at < len(in) && in[at] == '>':
			z.pos = at + 1
			return
		case at+1 < len(in) && in[at] == '!' && in[at+1] == '>':
			z.pos = at + 2
			return
		}
		at-- // of three dashes the last two may end it
	}
}

// class says what a byte is within a tag.
var class = func() (t [256]uint8) {
	for _, b := range " \t\n\f\r" {
		t[b] = isBlank | endsName | endsValue
	}
	t['/'], t['='] = endsName, endsName
	t['>'] = endsName | endsValue
	return t
}()

const (
	isBlank   = 1 << iota
	endsName  // of a tag or an attribute
	endsValue // without quotes
)

// readTag takes a tag whose name begins at a position. One that the page's end cuts
// off is none, as in a browser.
func (z *tokenizer) readTag(at int, k kind) bool {
	in := z.in
	begin := at
	for at < len(in) && (class[in[at]]&endsName == 0 || in[at] == '=') {
		at++
	}
	z.kind, z.name, z.selfClosing = k, span{begin, at}, false
	z.attributes = z.attributes[:0]
	if at < len(in) && in[at] == '>' {
		z.pos = at + 1
	} else if !z.readAttributes(at) {
		z.pos = len(in)
		return false
	}
	z.tag = lookUp(in[begin:z.name.to])
	z.nest()
	if k == startTag && traits[z.tag]&(rawText|rcData) != 0 && (z.foreign == 0 || z.tag != tagTitle) {
		z.within = z.tag
	}
	return true
}

// readAttributes takes the attributes up to the tag's end; false where it has none.
func (z *tokenizer) readAttributes(at int) bool {
	in := z.in
	for {
		for at < len(in) && class[in[at]]&isBlank != 0 {
			at++
		}
		if at >= len(in) {
			return false
		}
		switch in[at] {
		case '>':
			z.pos = at + 1
			return true
		case '/':
			if at++; at < len(in) && in[at] == '>' {
				z.selfClosing = true
			}
			continue
		}
		a := attribute{name: span{from: at}}
		for at++; at < len(in) && class[in[at]]&endsName == 0; {
			at++
		}
		a.name.to, a.value = at, span{at, at}
		for at < len(in) && class[in[at]]&isBlank != 0 {
			at++
		}
		if at < len(in) && in[at] == '=' {
			var ok bool
			if a.value, at, ok = z.readValue(at + 1); !ok {
				return false
			}
		}
		z.attributes = append(z.attributes, a)
	}
}

// readValue takes the value behind an equals sign.
func (z *tokenizer) readValue(at int) (value span, end int, ok bool) {
	in := z.in
	for at < len(in) && class[in[at]]&isBlank != 0 {
		at++
	}
	if at >= len(in) {
		return span{}, at, false
	}
	if quote := in[at]; quote == '"' || quote == '\'' {
		i := bytes.IndexByte(in[at+1:], quote)
		if i < 0 {
			return span{}, at, false
		}
		return span{at + 1, at + 1 + i}, at + 2 + i, true
	}
	begin := at
	for at < len(in) && class[in[at]]&endsValue == 0 {
		at++
	}
	return span{begin, at}, at, at < len(in)
}

// element takes the text of a raw text element. Its end tag comes next.
func (z *tokenizer) element() {
	in, t := z.in, z.within
	begin, end := z.pos, len(in)
	switch t {
	case tagPlaintext: // has no end
	case tagScript:
		end = scriptEnd(in, begin)
	default:
		end = elementEnd(in, begin, names[t].name)
	}
	z.within = other
	z.pos, z.kind, z.text = end, textToken, span{begin, end}
	z.raw = traits[t]&rcData == 0
}

// elementEnd gives where the end tag of a name begins; the page's end if there is none.
func elementEnd(in []byte, from int, name string) int {
	for at := from; ; {
		i := bytes.IndexByte(in[at:], '<')
		if i < 0 {
			return len(in)
		}
		at += i
		if endsElement(in[at:], name) {
			return at
		}
		at++
	}
}

// endsElement says whether an end tag of the name begins here.
func endsElement(p []byte, name string) bool {
	return len(p) > len(name)+2 && p[1] == '/' && equalFold(p[2:2+len(name)], name) && ends(p[2+len(name)])
}

func ends(b byte) bool { return class[b]&endsName != 0 && b != '=' }

// equalFold compares a text with a name in lower case ASCII letters.
func equalFold(p []byte, lower string) bool {
	if len(p) != len(lower) {
		return false
	}
	for i := range p {
		c := p[i]
		if c >= 'A' && c <= 'Z' {
			c |= 0x20
		}
		if c != lower[i] {
			return false
		}
	}
	return true
}

// scriptEnd is elementEnd for a script: within <!-- and --> a script that is written
// there does not end it (HTML standard, section 13.2.5.17 and on).
func scriptEnd(in []byte, from int) int {
	const name = "script"
	escaped, double := false, false
	for at := from; at < len(in); {
		if escaped || double {
			i := bytes.IndexAny(in[at:], "<-")
			if i < 0 {
				return len(in)
			}
			at += i
		} else {
			i := bytes.IndexByte(in[at:], '<')
			if i < 0 {
				return len(in)
			}
			at += i
		}
		p := in[at:]
		switch {
		case p[0] == '-':
			if bytes.HasPrefix(p, []byte("-->")) {
				escaped, double = false, false
			}
			at++
		case !escaped && bytes.HasPrefix(p, []byte("<!--")):
			escaped = true
			at += 2 // of <!--> the dashes are those of the end, too
		case endsElement(p, name) && double:
			double = false
			at += len("</script")
		case endsElement(p, name):
			return at
		case escaped && !double && len(p) > len(name)+1 && equalFold(p[1:1+len(name)], name) && ends(p[1+len(name)]):
			double = true
			at += len("<script")
		default:
			at++
		}
	}
	return len(in)
}
