package identify

import "bytes"

// A prolog is what stands in front of the root element of a marked-up text.
type prolog struct {
	xml     bool   // there is an XML declaration
	doctype []byte // behind "<!DOCTYPE", up to its end; nil if there is none
	root    []byte // name of the root element, as written
	rest    []byte // from the root element's "<" on
}

// readProlog takes a text's begin apart. ok is false where no element stands
// behind the prolog.
func readProlog(p []byte) (found prolog, ok bool) {
	for {
		p = bytes.TrimLeft(p, " \t\r\n\f")
		switch {
		case bytes.HasPrefix(p, []byte("<!--")):
			end := bytes.Index(p[4:], []byte("-->"))
			if end < 0 {
				return found, false
			}
			p = p[4+end+3:]
		case bytes.HasPrefix(p, []byte("<?")):
			end := bytes.IndexByte(p, '>')
			if end < 0 {
				return found, false
			}
			found.xml = found.xml || hasPrefixFold(p, "<?xml") && len(p) > 5 && isSpace(p[5])
			p = p[end+1:]
		case hasPrefixFold(p, "<!doctype"):
			end := doctypeEnd(p)
			if end < 0 {
				end = len(p)
			}
			found.doctype = p[len("<!doctype"):end]
			p = p[min(end+1, len(p)):]
		default:
			found.rest = p
			found.root = elementName(p)
			return found, found.root != nil
		}
	}
}

// doctypeEnd gives where a document type declaration ends: at the ">" behind its
// internal subset, if it has one. -1 if it does not end.
func doctypeEnd(p []byte) int {
	depth := 0
	for i, c := range p {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case '>':
			if depth <= 0 {
				return i
			}
		}
	}
	return -1
}

// elementName gives the name of the tag that p begins with, nil if it begins with
// none.
func elementName(p []byte) []byte {
	if len(p) < 2 || p[0] != '<' || !isLetter(p[1]) {
		return nil
	}
	end := 1
	for end < len(p) && !isSpace(p[end]) && p[end] != '>' && p[end] != '/' {
		end++
	}
	return p[1:end]
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' }

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' }

func hasPrefixFold(p []byte, prefix string) bool {
	return len(p) >= len(prefix) && bytes.EqualFold(p[:len(prefix)], []byte(prefix))
}

// containsFold says whether p holds a text, which is in lower case, in any case.
func containsFold(p []byte, lower string) bool {
	for len(p) >= len(lower) {
		i := bytes.IndexAny(p, lower[:1]+string(lower[0]&^0x20))
		if i < 0 || len(p)-i < len(lower) {
			return false
		}
		if hasPrefixFold(p[i:], lower) {
			return true
		}
		p = p[i+1:]
	}
	return false
}

// isPageElement says whether a text whose first tag has this name is HTML: those
// of WHATWG MIME Sniffing, section 7.1, and what else web pages begin with.
func isPageElement(name []byte) bool {
	switch string(bytes.ToLower(name)) {
	case "html", "head", "body", "script", "iframe", "frameset", "h1", "h2", "h3", "h4", "div", "font", "table", "a",
		"style", "title", "b", "i", "br", "p", "meta", "link", "base", "center", "img", "form", "ul", "ol", "span",
		"noscript", "hr", "section", "article", "main", "header", "footer", "nav", "strong", "em", "pre", "input", "basefont":
		return true
	}
	return false
}
