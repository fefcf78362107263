package derive

import (
	"strconv"
	"unicode/utf8"
)

// A jsonWriter writes JSON by hand: members in the order of the calls, commas where
// they belong.
type jsonWriter struct {
	b     []byte
	lines []line // buffer
}

func (j *jsonWriter) comma() {
	if n := len(j.b); n > 0 && j.b[n-1] != '{' && j.b[n-1] != '[' && j.b[n-1] != ':' {
		j.b = append(j.b, ',')
	}
}

// key writes a name that needs no escapes.
func (j *jsonWriter) key(name string) {
	j.comma()
	j.b = append(j.b, '"')
	j.b = append(j.b, name...)
	j.b = append(j.b, '"', ':')
}

func (j *jsonWriter) open(name string) {
	j.key(name)
	j.b = append(j.b, '{')
}

func (j *jsonWriter) element() {
	j.comma()
	j.b = append(j.b, '{')
}

func (j *jsonWriter) list(name string) {
	j.key(name)
	j.b = append(j.b, '[')
}

func (j *jsonWriter) close() { j.b = append(j.b, '}') }

func (j *jsonWriter) closeList() { j.b = append(j.b, ']') }

func (j *jsonWriter) text(name string, value []byte) {
	j.key(name)
	j.b = appendString(j.b, value)
}

func (j *jsonWriter) str(name, value string) {
	j.key(name)
	j.b = appendString(j.b, value)
}

// number writes a number as WAT files have them: as a string.
func (j *jsonWriter) number(name string, n int64) {
	j.key(name)
	j.b = append(j.b, '"')
	j.b = strconv.AppendInt(j.b, n, 10)
	j.b = append(j.b, '"')
}

func (j *jsonWriter) bare(name, value string) {
	j.key(name)
	j.b = append(j.b, value...)
}

// plainJSON marks the bytes that stand in a JSON string as they are.
var plainJSON = func() (t [256]bool) {
	for c := ' '; c < utf8.RuneSelf; c++ {
		t[c] = c != '"' && c != '\\' && c != 0x7f
	}
	return t
}()

// appendString appends a JSON string. Bytes that are not UTF-8 are taken as Latin-1.
func appendString[T ~string | ~[]byte](dst []byte, s T) []byte {
	const digits = "0123456789abcdef"
	dst = append(dst, '"')
	begin := 0
	for i := 0; i < len(s); {
		c := s[i]
		if plainJSON[c] {
			i++
			continue
		}
		dst = append(dst, s[begin:i]...)
		size := 1
		switch {
		case c >= utf8.RuneSelf:
			var r rune
			if r, size = decodeRune(s[i:min(len(s), i+utf8.UTFMax)]); r == utf8.RuneError && size == 1 {
				r = rune(c)
			}
			dst = utf8.AppendRune(dst, r)
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '\r':
			dst = append(dst, '\\', 'r')
		case c == '\t':
			dst = append(dst, '\\', 't')
		default:
			dst = append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
		}
		i += size
		begin = i
	}
	dst = append(dst, s[begin:]...)
	return append(dst, '"')
}

func decodeRune[T ~string | ~[]byte](s T) (rune, int) {
	if b, ok := any(s).([]byte); ok {
		return utf8.DecodeRune(b)
	}
	return utf8.DecodeRuneInString(string(s))
}
