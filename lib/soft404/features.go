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

// A reader makes features of a page. It keeps its buffers.
type reader struct {
	word, last word // the last two words of a line
	// emit is called for each feature, some of them more than once: of word, or of
	// last and word together.
	emit func(kind byte, pair bool)
}

// A word has its letters, and their hash as soon as they are complete.
type word struct {
	text []byte
	hash uint64
}

// set makes it a word of a single character.
func (w *word) set(c byte) {
	w.text = append(w.text[:0], c)
	w.hash = hashOf(w.text)
}

// Features gives the names of a page's features, some of them more than once: for
// training. Names are valid until emit returns.
func Features(title, text []byte, emit func(name []byte)) {
	var name []byte
	r := &reader{}
	r.emit = func(kind byte, pair bool) {
		name = append(name[:0], kind, ':')
		if pair {
			name = append(append(name, r.last.text...), ' ')
		}
		name = append(name, r.word.text...)
		emit(name)
	}
	r.page(title, text)
}

func (r *reader) page(title, text []byte) {
	r.title(title)
	n := 0
	for len(text) > 0 && n < maxWords {
		n += r.line(&text, maxWords-n)
	}
	r.word.set('0' + byte(min(maxSize, bits.Len(uint(n)))))
	r.emit('n', false)
}

func (r *reader) title(title []byte) {
	r.last.set('^')
	for more := true; more; {
		if more = r.next(&title); !more {
			r.word.set('$')
		} else {
			r.emit('t', false)
		}
		r.emit('t', true)
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
	r.last.set('^')
	n := 0
	for n < max && r.next(&line) {
		if n < lineHead {
			r.emit('l', false)
			r.emit('l', true)
		}
		r.emit('w', false)
		if n > 0 {
			r.emit('w', true)
		}
		r.last, r.word = r.word, r.last
		n++
	}
	return n
}

// next puts the next word of p into r.word and takes it off p.
func (r *reader) next(p *[]byte) bool {
	s := *p
	w := r.word.text[:0]
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
			case len(w) == 0:
				i++
				continue
			default:
				*p = s[i:]
				return r.end(w, number)
			}
			w = append(w, c)
			i++
			continue
		}
		char, size := utf8.DecodeRune(s[i:])
		inWord := unicode.IsLetter(char) || unicode.IsMark(char)
		alone := inWord && hasNoSpaces(char)
		if len(w) > 0 && (!inWord || alone) {
			*p = s[i:]
			return r.end(w, number)
		}
		i += size
		if inWord {
			number = false
			w = utf8.AppendRune(w, unicode.ToLower(char))
		}
		if alone {
			break
		}
	}
	*p = s[i:]
	return len(w) > 0 && r.end(w, number)
}

// end makes a word of what has been read.
func (r *reader) end(text []byte, number bool) bool {
	if number && string(text) != "404" {
		text = append(text[:0], '#')
	}
	r.word = word{text, hashOf(text)}
	return true
}

func hasNoSpaces(c rune) bool {
	return c >= 0x2e80 && (c <= 0x9fff || c >= 0xf900 && c <= 0xfaff || c >= 0x20000) || c >= 0x0e00 && c <= 0x0eff
}
