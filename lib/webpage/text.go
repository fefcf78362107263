package webpage

import "bytes"

// A writer collects the text of a page.
type writer struct{ out []byte }

// plain marks the bytes that text takes as they are: all but white space, control
// characters, references and the first bytes of spaces that are not ASCII.
var plain = func() (t [256]bool) {
	for b := range t {
		t[b] = b > ' ' && b != 0x7f && b != '&'
	}
	for _, b := range []byte{0xc2, 0xe1, 0xe2, 0xe3} {
		t[b] = false
	}
	return t
}()

// write appends text: runs of white space become one space, or nothing behind other
// white space, unless it is preformatted; raw text holds no references.
func (w *writer) write(text []byte, refs *references, raw, preformatted bool) {
	if preformatted {
		if raw {
			w.out = append(w.out, text...)
		} else {
			w.out = refs.appendDecoded(w.out, text, false)
		}
		return
	}
	for i := 0; i < len(text); {
		begin := i
		for i < len(text) && plain[text[i]] {
			i++
		}
		w.out = append(w.out, text[begin:i]...)
		if i == len(text) {
			return
		}
		switch b := text[i]; {
		case b == '&':
			decoded, n := text[i:i+1], 1
			if !raw {
				if d, m := refs.decode(text[i:], false); m > 0 {
					decoded, n = d, m
				}
			}
			w.decoded(decoded)
			i += n
		case b <= ' ' || b == 0x7f:
			w.blank()
			i++
		default:
			n, blank := wideSpace(text[i:])
			if blank == nil {
				w.out = append(w.out, b)
			} else {
				w.blanks(blank)
			}
			i += n
		}
	}
}

// decoded appends what a reference stands for.
func (w *writer) decoded(text []byte) {
	for i := 0; i < len(text); {
		b := text[i]
		n, blank := 1, []byte(nil)
		if b >= 0x80 {
			n, blank = wideSpace(text[i:])
		}
		switch {
		case blank != nil:
			w.blanks(blank)
		case b <= ' ' || b == 0x7f:
			w.blank()
		default:
			w.out = append(w.out, text[i:i+n]...)
		}
		i += n
	}
}

// wideSpace says whether text begins with white space that is not ASCII, and what
// is written for it: a space for the no-break space, else itself. n is its length, 1
// for what is no white space. (Other spaces that do not break are none.)
func wideSpace(text []byte) (n int, blank []byte) {
	if len(text) >= 2 && text[0] == 0xc2 {
		if text[1] == 0xa0 {
			return 2, oneSpace
		}
		return 1, nil
	}
	if len(text) < 3 {
		return 1, nil
	}
	space := false
	switch text[0] {
	case 0xe1:
		space = text[1] == 0x9a && text[2] == 0x80
	case 0xe2:
		space = text[1] == 0x80 && (text[2] <= 0x8a && text[2] != 0x87 || text[2] == 0xa8 || text[2] == 0xa9) ||
			text[1] == 0x81 && text[2] == 0x9f
	case 0xe3:
		space = text[1] == 0x80 && text[2] == 0x80
	}
	if space {
		return 3, text[:3]
	}
	return 1, nil
}

var oneSpace = []byte{' '}

// blank appends a space unless white space stands before it.
func (w *writer) blank() {
	if n := len(w.out); n > 0 && w.out[n-1] > ' ' && !w.endsWide() {
		w.out = append(w.out, ' ')
	}
}

func (w *writer) blanks(space []byte) {
	if n := len(w.out); n > 0 && w.out[n-1] > ' ' && !w.endsWide() {
		w.out = append(w.out, space...)
	}
}

// endsWide says whether the text ends in white space that is not ASCII.
func (w *writer) endsWide() bool {
	n := len(w.out)
	if n < 3 || w.out[n-1] < 0x80 || w.out[n-3] < 0xe1 || w.out[n-3] > 0xe3 {
		return false
	}
	_, blank := wideSpace(w.out[n-3:])
	return blank != nil
}

// line ends the line, unless the text is at a line's begin.
func (w *writer) line() {
	n := len(w.out)
	for n > 0 && w.out[n-1] == ' ' {
		n--
	}
	w.out = w.out[:n]
	if n > 0 && w.out[n-1] != '\n' {
		w.out = append(w.out, '\n')
	}
}

// space parts words.
func (w *writer) space() {
	if n := len(w.out); n > 0 && w.out[n-1] != ' ' && w.out[n-1] != '\n' {
		w.out = append(w.out, ' ')
	}
}

// Parts reports whether an element, by its name in lower case, parts what stands before
// and after it: by a line's end or by a space.
func Parts(element string) bool { return traits[lookUp([]byte(element))]&(block|spacing) != 0 }

// A paragraph is a block of text, for the search of the main text.
type paragraph struct {
	end   int // of it in the text; it begins where the one before ends
	words int
	links float64 // the share of its bytes that are text of links; navigation and the title count as links
}

// endBlock ends a paragraph where the text does.
func (p *Parser) endBlock() {
	begin, end := 0, len(p.text.out)
	if n := len(p.blocks); n > 0 {
		begin = p.blocks[n-1].end
	}
	if end <= begin { // what stood there was white space
		p.linkBytes = 0
		return
	}
	b := paragraph{end: end, links: 1}
	if p.asides == 0 && p.z.tag != tagTitle {
		text := bytes.TrimSpace(p.text.out[begin:end])
		b.words = countWords(text)
		b.links = float64(min(p.linkBytes, len(text))) / float64(max(len(text), 1))
	}
	p.blocks = append(p.blocks, b)
	p.linkBytes = 0
}

// countWords counts words; of scripts that do not part them each two characters
// are taken for one.
func countWords(text []byte) int {
	words, wide := 0, 0
	inWord := false
	for i := 0; i < len(text); i++ {
		switch b := text[i]; {
		case b <= ' ':
			inWord = false
		case b >= 0xe3 && b <= 0xe9 && i+2 < len(text): // U+3000 to U+9FFF
			wide++
			i += 2
			inWord = false
		case !inWord:
			words++
			inWord = true
		}
	}
	return words + (wide+1)/2
}

// mainText picks the paragraphs that are no boilerplate: the decision tree on the
// number of words and the density of links in a block and its neighbours of
// Kohlschütter, Fankhauser, Nejdl: Boilerplate Detection using Shallow Text Features
// (WSDM 2010), section 4.4.
func (p *Parser) mainText() {
	begin := 0
	for i := range p.blocks {
		b := &p.blocks[i]
		if isContent(p.blocks, i) {
			text := bytes.TrimSpace(p.text.out[begin:b.end])
			p.page.MainText = append(append(p.page.MainText, text...), '\n')
		}
		begin = b.end
	}
}

func isContent(blocks []paragraph, i int) bool {
	var before, behind paragraph
	if i > 0 {
		before = blocks[i-1]
	}
	if i+1 < len(blocks) {
		behind = blocks[i+1]
	}
	b := &blocks[i]
	switch {
	case b.links > 1.0/3:
		return false
	case before.links > 5.0/9:
		return b.words > 40 || behind.words > 17
	}
	return b.words > 16 || behind.words > 15 || before.words > 4
}
