package warc

import (
	"testing"
	"time"
)

func TestRecordDate(t *testing.T) {
	for text, want := range map[string]string{
		"2020-01-02T03:04:05Z": "2020-01-02T03:04:05Z", "2020-01-02T03:04:05.678901Z": "2020-01-02T03:04:05.678901Z",
		"2020-01-02t03:04:05z": "2020-01-02T03:04:05Z", "2020-01-02T03:04:05+02:00": "2020-01-02T01:04:05Z",
		"2020-01-02T03:04Z": "2020-01-02T03:04:00Z", "2020-01-02": "2020-01-02T00:00:00Z", "2020-01": "2020-01-01T00:00:00Z",
		"2020": "2020-01-01T00:00:00Z", "20200102030405": "2020-01-02T03:04:05Z", "": "0001-01-01T00:00:00Z", "yesterday": "0001-01-01T00:00:00Z",
	} {
		r := Record{Header: Header{{"WARC-Date", text}}}
		if got := r.Date().Format(time.RFC3339Nano); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
