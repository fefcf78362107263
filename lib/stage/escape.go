package stage

import (
	"bytes"
	"fmt"
)

const hexDigits = "0123456789abcdef"

// special marks the bytes that a field cannot hold as they are.
var special = func() (t [256]bool) {
	for c := range 0x20 {
		t[c] = true
	}
	t['\\'] = true
	return t
}()

// AppendEscaped appends a field so that it can stand in a line: see the
// package's documentation for the rule.
func AppendEscaped(dst, field []byte) []byte {
	plain := 0
	for i, c := range field {
		if !special[c] {
			continue
		}
		dst = append(dst, field[plain:i]...)
		plain = i + 1
		switch c {
		case '\\':
			dst = append(dst, `\\`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, '\\', 'x', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return append(dst, field[plain:]...)
}

// AppendUnescaped appends the field that AppendEscaped made an escaped one of.
func AppendUnescaped(dst, escaped []byte) ([]byte, error) {
	for {
		i := bytes.IndexByte(escaped, '\\')
		if i < 0 {
			return append(dst, escaped...), nil
		}
		dst = append(dst, escaped[:i]...)
		escaped = escaped[i+1:]
		if len(escaped) == 0 {
			return dst, fmt.Errorf("escaped field ends in a backslash")
		}
		c := escaped[0]
		escaped = escaped[1:]
		switch c {
		case '\\':
			dst = append(dst, '\\')
		case 't':
			dst = append(dst, '\t')
		case 'n':
			dst = append(dst, '\n')
		case 'r':
			dst = append(dst, '\r')
		case 'x':
			if len(escaped) < 2 {
				return dst, fmt.Errorf(`escaped field ends within \x`)
			}
			high, low := bytes.IndexByte([]byte(hexDigits), escaped[0]), bytes.IndexByte([]byte(hexDigits), escaped[1])
			if high < 0 || low < 0 {
				return dst, fmt.Errorf(`bad escape \x%s`, escaped[:2])
			}
			dst = append(dst, byte(high<<4|low))
			escaped = escaped[2:]
		default:
			return dst, fmt.Errorf(`bad escape \%c`, c)
		}
	}
}
