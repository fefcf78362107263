package warc

import "time"

// arcTime gives the time of an ARC date, UTC. The format has 14 digits; real
// files have fewer or more, and some have text behind them. What is missing
// behind the hour counts as zero (2016020900 and 200011101120 occur), what
// stands behind the second is left out, and a month or day of 00, from captures
// that somebody dated to a month or year, counts as the first one. Fewer than
// ten digits, or no such time, is no date.
func arcTime(s string) (time.Time, bool) {
	const full = "20060102150405"
	digits := []byte("00000000000000")
	n := 0
	for n < len(s) && n < len(full) && s[n] >= '0' && s[n] <= '9' {
		digits[n] = s[n]
		n++
	}
	if n < 10 {
		return time.Time{}, false
	}
	for _, at := range []int{4, 6} {
		if string(digits[at:at+2]) == "00" {
			digits[at+1] = '1'
		}
	}
	t, err := time.Parse(full, string(digits))
	return t, err == nil
}
