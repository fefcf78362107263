package soft404

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

const (
	maxWords = 1000 // of the text that count
	lineHead = 8    // words of a line that are its begin
	maxSize  = 10   // of n:K
)

// An emitter takes the features of a page, some of them more than once. Names are
// valid until it returns.
type emitter func(name []byte)

// A reader makes features of a page. It keeps its buffers.
type reader struct {
	word, last []byte // the last two words of a line
	name       []byte
	emit       emitter
}

// Features gives the names of a page's features, some of them more than once: for
// training.
func Features(title, text []byte, emit func(name []byte)) {
	r := reader{emit: emit}
	r.page(title, text)
}

func (r *reader) page(title, text []byte) {
	r.title(title)
	n := 0
	for len(text) > 0 && n < maxWords {
		n += r.line(&text, maxWords-n)
	}
	r.name = append(append(r.name[:0], "n:"...), '0'+byte(min(maxSize, bits.Len(uint(n)))))
	r.emit(r.name)
}

func (r *reader) title(title []byte) {
	r.last = append(r.last[:0], '^')
	for more := true; more; {
		if more = r.next(&title); !more {
			r.word = append(r.word[:0], '$')
		} else {
			r.single('t')
		}
		r.pair('t')
		r.last, r.word = r.word, r.last
	}
}

// line takes the words of a line, at most max, and gives how many there were.
func (r *reader) line(text *[]byte, max int) int {
	rest := *text
	end := len(rest)
	for i, c := range rest {
		if c == '\n' {
			end = i
			break
		}
	}
	line := rest[:end]
	*text = rest[min(end+1, len(rest)):]
	r.last = append(r.last[:0], '^')
	n := 0
	for n < max && r.next(&line) {
		if n < lineHead {
			r.single('l')
			r.pair('l')
		}
		r.single('w')
		if n > 0 {
			r.pair('w')
		}
		r.last, r.word = r.word, r.last
		n++
	}
	return n
}

func (r *reader) single(kind byte) {
	r.name = append(append(r.name[:0], kind, ':'), r.word...)
	r.emit(r.name)
}

func (r *reader) pair(kind byte) {
	r.name = append(append(r.name[:0], kind, ':'), r.last...)
	r.name = append(append(r.name, ' '), r.word...)
	r.emit(r.name)
}

// next puts the next word of p into r.word and takes it off p.
func (r *reader) next(p *[]byte) bool {
	s := *p
	r.word = r.word[:0]
	number := true
	i := 0
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c >= 'a' && c <= 'z':
				number = false
			case c >= 'A' && c <= 'Z':
				number = false
				c |= 0x20
			case c >= '0' && c <= '9':
			case len(r.word) == 0:
				i++
				continue
			default:
				*p = s[i:]
				return r.end(number)
			}
			r.word = append(r.word, c)
			i++
			continue
		}
		char, size := utf8.DecodeRune(s[i:])
		inWord := unicode.IsLetter(char) || unicode.IsMark(char)
		alone := inWord && hasNoSpaces(char)
		if len(r.word) > 0 && (!inWord || alone) {
			*p = s[i:]
			return r.end(number)
		}
		i += size
		if inWord {
			number = false
			r.word = utf8.AppendRune(r.word, unicode.ToLower(char))
		}
		if alone {
			break
		}
	}
	*p = s[i:]
	return len(r.word) > 0 && r.end(number)
}

// end makes a word of what has been read.
func (r *reader) end(number bool) bool {
	if number && string(r.word) != "404" {
		r.word = append(r.word[:0], '#')
	}
	return true
}

func hasNoSpaces(c rune) bool {
	return c >= 0x2e80 && (c <= 0x9fff || c >= 0xf900 && c <= 0xfaff || c >= 0x20000) || c >= 0x0e00 && c <= 0x0eff
}
