package surt

const hexDigits = "0123456789ABCDEF"

// lowerDigits are those of the escapes in a key, which is in lower case.
const lowerDigits = "0123456789abcdef"

// Of a byte's class: what must be looked at before the byte stands in a key.
const (
	escaped uint8 = 1 << iota // the begin of an escape, or a byte that needs one
	digit
	dot
	separator
)

var (
	class [256]uint8
	lower [256]byte // ASCII letters in lower case
)

func init() {
	for i := range class {
		c := byte(i)
		lower[i] = c
		switch {
		case c >= 'A' && c <= 'Z':
			lower[i] = c | 0x20
		case c >= '0' && c <= '9':
			class[i] = digit
		case c == '.':
			class[i] = dot
		case c == '/':
			class[i] = separator
		case c <= ' ', c >= 0x7f, c == '%', c == '#':
			class[i] = escaped
		}
	}
}

// appendLower appends text in lower case and gives the classes seen in it.
func appendLower(dst, text []byte) (out []byte, seen uint8) {
	begin := len(dst)
	dst = append(dst, text...)
	for i, c := range dst[begin:] {
		dst[begin+i] = lower[c]
		seen |= class[c]
	}
	return dst, seen
}

// unhex gives the value of a hexadecimal digit, or 0xff.
var unhex = func() (values [256]byte) {
	for i := range values {
		values[i] = 0xff
	}
	for i := range 16 {
		values[hexDigits[i]], values[lowerDigits[i]] = byte(i), byte(i)
	}
	return values
}()

// appendUnescaped appends text without percent escapes, also without those that
// are only there when others have been taken out: %2541 is A. The order in which
// escapes are taken out does not matter, as no two of them overlap, so one run
// over the text finds all, whatever their depth.
func appendUnescaped(dst, text []byte) []byte {
	begin := len(dst)
	for _, c := range text {
		dst = append(dst, c)
		for n := len(dst); n-begin >= 3 && dst[n-3] == '%'; n = len(dst) {
			high, low := unhex[dst[n-2]], unhex[dst[n-1]]
			if high|low == 0xff {
				break
			}
			dst = append(dst[:n-3], high<<4|low)
		}
	}
	return dst
}

// escapeFrom brings dst[begin:] into lower case and escapes in it what cannot
// stand in a key: controls, space, "#", "%", and all that is not ASCII.
func escapeFrom(dst []byte, begin int) []byte {
	count := 0
	for i, c := range dst[begin:] {
		dst[begin+i] = lower[c]
		if class[c]&escaped != 0 {
			count++
		}
	}
	if count == 0 {
		return dst
	}
	from := len(dst)
	for range count {
		dst = append(dst, 0, 0)
	}
	to := len(dst)
	for to > from {
		from--
		c := dst[from]
		if class[c]&escaped == 0 {
			to--
			dst[to] = c
			continue
		}
		to -= 3
		dst[to], dst[to+1], dst[to+2] = '%', lowerDigits[c>>4], lowerDigits[c&15]
	}
	return dst
}
