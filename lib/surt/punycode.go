package surt

import "unicode/utf8"

// Parameters of Punycode (RFC 3492, 5).
const (
	punyBase, punyMin, punyMax = 36, 1, 26
	punySkew, punyDamp         = 38, 700
	punyBias, punyFirst        = 72, 0x80
)

// appendPunycode appends the Punycode of a label (RFC 3492, 6.3) of no more than
// maxLabel code points.
func appendPunycode(dst []byte, label []rune) []byte {
	begin := len(dst)
	for _, r := range label {
		if r < punyFirst {
			dst = append(dst, byte(r))
		}
	}
	basic := len(dst) - begin
	if basic > 0 {
		dst = append(dst, '-')
	}
	n, delta, bias := rune(punyFirst), 0, punyBias
	for done := basic; done < len(label); {
		next := rune(utf8.MaxRune)
		for _, r := range label {
			if r >= n && r < next {
				next = r
			}
		}
		delta += int(next-n) * (done + 1)
		n = next
		for _, r := range label {
			if r < n {
				delta++
			}
			if r == n {
				dst = appendVariable(dst, delta, bias)
				bias = adaptBias(delta, done+1, done == basic)
				delta = 0
				done++
			}
		}
		delta++
		n++
	}
	return dst
}

// appendVariable appends a number as variable-length integer.
func appendVariable(dst []byte, number, bias int) []byte {
	for k := punyBase; ; k += punyBase {
		t := min(max(k-bias, punyMin), punyMax)
		if number < t {
			return append(dst, punyDigit(number))
		}
		dst = append(dst, punyDigit(t+(number-t)%(punyBase-t)))
		number = (number - t) / (punyBase - t)
	}
}

func punyDigit(d int) byte {
	if d < 26 {
		return byte('a' + d)
	}
	return byte('0' + d - 26)
}

// adaptBias is the function adapt of RFC 3492, 6.1.
func adaptBias(delta, count int, first bool) int {
	if first {
		delta /= punyDamp
	} else {
		delta /= 2
	}
	delta += delta / count
	k := 0
	for ; delta > (punyBase-punyMin)*punyMax/2; k += punyBase {
		delta /= punyBase - punyMin
	}
	return k + (punyBase-punyMin+1)*delta/(delta+punySkew)
}
