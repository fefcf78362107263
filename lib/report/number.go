package report

import (
	"math"
	"strconv"
	"strings"
)

// Count writes a whole number with a comma between each three digits.
func Count(n int64) string {
	s := strconv.FormatInt(n, 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	var b strings.Builder
	b.WriteString(sign)
	for i := range len(s) {
		if i > 0 && (len(s)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// Short writes a number with up to three digits and the word for thousands (K),
// millions (M), billions (B), trillions (T): 2670000000 is 2.67 B.
func Short(x float64) string { return scaled(x, 1000, []string{"", " K", " M", " B", " T"}) }

// Bytes writes a number of bytes with up to three digits and its unit, of which each
// is 1,000 of the one before.
func Bytes(n int64) string {
	return scaled(float64(n), 1000, []string{" B", " kB", " MB", " GB", " TB", " PB"})
}

// Percent writes a share of 1 in per cent: 0.0335 is 3.35%.
func Percent(share float64) string { return digits(share*100) + "%" }

func scaled(x, step float64, units []string) string {
	unit := 0
	if math.IsInf(x, 0) {
		return digits(x)
	}
	for math.Abs(x) >= step*0.9995 && unit < len(units)-1 {
		x /= step
		unit++
	}
	return digits(x) + units[unit]
}

// digits writes a number with three significant digits, without zeros at the end of
// its fraction; all digits of one of four and more.
func digits(x float64) string {
	switch {
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1):
		return "-∞"
	case x == 0:
		return "0"
	}
	places := 2 - int(math.Floor(math.Log10(math.Abs(x))))
	if places > 15 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	return fixed(x, max(places, 0))
}

// fixed writes a number with so many decimals at most.
func fixed(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if s == "-0" {
		return "0"
	}
	return s
}
