package enrich

import "time"

// milliseconds gives a timestamp of 14 digits as milliseconds since 1970; 0 for what
// is none.
func milliseconds(timestamp []byte) int64 {
	t, err := time.Parse("20060102150405", string(timestamp))
	if err != nil {
		return 0
	}
	return t.UnixMilli()
}
