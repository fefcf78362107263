package charset

import "bytes"

// declarationBytes is how far a declaration is looked for, in bytes. The HTML
// standard asks for the first 1024; pages have it later, and browsers follow.
const declarationBytes = 8 << 10

// declared takes the encoding that a page or an XML document names in its begin
// (HTML standard, section 13.2.3.2: prescan a byte stream).
func (f *Finder) declared(text []byte) (Charset, bool) {
	text = text[:min(len(text), declarationBytes)]
	if c, ok := f.xmlDeclaration(text); ok {
		return c, true
	}
	for {
		i := bytes.IndexByte(text, '<')
		if i < 0 || i+1 == len(text) {
			return Charset{}, false
		}
		text = text[i+1:]
		switch {
		case bytes.HasPrefix(text, []byte("!--")):
			end := bytes.Index(text[1:], []byte("-->"))
			if end < 0 {
				return Charset{}, false
			}
			text = text[1+end+3:]
		case len(text) > 5 && bytes.EqualFold(text[:4], []byte("meta")) && (isSpace(text[4]) || text[4] == '/'):
			var c Charset
			var ok bool
			if c, ok, text = f.meta(text[4:]); ok {
				return c, true
			}
		}
	}
}

// meta takes the attributes of a meta element; rest is what stands behind them.
func (f *Finder) meta(text []byte) (c Charset, ok bool, rest []byte) {
	var label, content []byte
	pragma := false
	for {
		var name, value []byte
		if name, value, text = attribute(text); name == nil {
			break
		}
		switch {
		case bytes.EqualFold(name, []byte("charset")) && label == nil:
			label = value
		case bytes.EqualFold(name, []byte("http-equiv")):
			pragma = bytes.EqualFold(bytes.TrimSpace(value), []byte("content-type"))
		case bytes.EqualFold(name, []byte("content")) && content == nil:
			content = parameter(value)
		}
	}
	if label == nil && pragma {
		label = content
	}
	if label == nil {
		return Charset{}, false, text
	}
	c, ok = f.Label(label)
	return inASCII(c), ok, text
}

// inASCII corrects what cannot be: that a declaration was read as ASCII says that
// the text is neither UTF-16 nor UTF-32.
func inASCII(c Charset) Charset {
	switch c.Name {
	case "utf-16le", "utf-16be", "utf-32le", "utf-32be":
		return UTF8
	}
	return c
}

// attribute takes the next attribute of a tag; the name is nil behind the last one.
func attribute(p []byte) (name, value, rest []byte) {
	for len(p) > 0 && (isSpace(p[0]) || p[0] == '/') {
		p = p[1:]
	}
	if len(p) == 0 || p[0] == '>' {
		return nil, nil, p
	}
	n := 1 // the first byte belongs to the name whatever it is
	for n < len(p) && !isSpace(p[n]) && p[n] != '/' && p[n] != '>' && p[n] != '=' {
		n++
	}
	name, p = p[:n], p[n:]
	behind := bytes.TrimLeft(p, " \t\r\n\f")
	if len(behind) == 0 || behind[0] != '=' {
		return name, nil, p
	}
	p = bytes.TrimLeft(behind[1:], " \t\r\n\f")
	if len(p) > 0 && (p[0] == '"' || p[0] == '\'') {
		end := bytes.IndexByte(p[1:], p[0])
		if end < 0 {
			return name, p[1:], nil
		}
		return name, p[1 : 1+end], p[end+2:]
	}
	n = 0
	for n < len(p) && !isSpace(p[n]) && p[n] != '>' {
		n++
	}
	return name, p[:n], p[n:]
}

func isSpace(b byte) bool { return b == ' ' || b == '\n' || b == '\t' || b == '\r' || b == '\f' }

// xmlDeclaration takes the encoding of <?xml version="1.0" encoding="…"?>.
func (f *Finder) xmlDeclaration(text []byte) (Charset, bool) {
	text = bytes.TrimLeft(text, " \t\r\n\f")
	if !bytes.HasPrefix(text, []byte("<?xml")) {
		return Charset{}, false
	}
	end := bytes.IndexByte(text, '>')
	if end < 0 {
		return Charset{}, false
	}
	for text = text[len("<?xml"):end]; ; {
		var name, value []byte
		if name, value, text = attribute(text); name == nil {
			return Charset{}, false
		}
		if string(name) == "encoding" {
			c, ok := f.Label(value)
			return inASCII(c), ok
		}
	}
}
