package where

import (
	"fmt"
	"strings"
	"testing"

	"archivestream/lib/cdx"
)

// TestDatesOfEachForm compares a timestamp with dates as digits and in ISO form.
func TestDatesOfEachForm(t *testing.T) {
	matches := func(source, timestamp string) bool {
		t.Helper()
		var results []bool
		for _, s := range []*Schema{&Captures, &Enriched} {
			e, err := CompileCondition(source, s)
			if err != nil {
				t.Fatal(source, err)
			}
			var c Capture
			c.SetCapture(&cdx.Capture{Timestamp: []byte(timestamp)})
			ok, err := e.Match(&c)
			if err != nil {
				t.Fatal(source, err)
			}
			results = append(results, ok)
		}
		if results[0] != results[1] {
			t.Errorf("%s of %s: %v", source, timestamp, results)
		}
		return results[0]
	}
	for _, date := range []string{`"20140601"`, `"2014-06-01"`, `20140601`, `"20140601000000"`, `"2014-06-01T00:00:00Z"`, `"2014-06-01 00:00"`, `"2014-06-01T02:00:00+02:00"`} {
		for timestamp, after := range map[string]bool{"20140531235959": false, "20140601000000": true, "20140601000001": true, "20150101000000": true, "20131231000000": false} {
			if got := matches("timestamp >= "+date, timestamp); got != after {
				t.Errorf("timestamp >= %s of %s: %v", date, timestamp, got)
			}
			if got := matches("timestamp < "+date, timestamp); got == after {
				t.Errorf("timestamp < %s of %s: %v", date, timestamp, got)
			}
			if got := matches(date+" <= timestamp", timestamp); got != after {
				t.Errorf("%s <= timestamp of %s: %v", date, timestamp, got)
			}
		}
	}
	for source, want := range map[string]bool{
		`timestamp == "2014"`: true, `timestamp == 2014`: true, `timestamp == "2014-06"`: true, `"2014-06-01" == timestamp`: true, `timestamp == "20140601123000"`: true,
		`timestamp == "2014-06-01T12:30:00Z"`: true, `timestamp == "2014-07"`: false, `timestamp == "20140601123001"`: false,
		`timestamp != "2014"`: false, `timestamp != "2013"`: true, `timestamp != "20140601123000"`: false,
		`timestamp startsWith "2014-06"`: true, `timestamp startsWith "2014-07"`: false,
		`timestamp in ["2013", "2014-06-01"]`: true, `timestamp in ["2013", "20140601123000"]`: true, `timestamp in ["2013", "2015"]`: false,
		`not (timestamp in ["2013", "2015"]) && timestamp > "2014-06-01T12:29"`:      true,
		`let day = "2014-06-01"; url == "" && timestamp > "2014-06-01" && day != ""`: true,
	} {
		if got := matches(source, "20140601123000"); got != want {
			t.Errorf("%s: %v", source, got)
		}
	}
}

// TestWhatNeverHoldsIsAnError has the place of each mistake and, of a name, one that is
// like it.
func TestWhatNeverHoldsIsAnError(t *testing.T) {
	for source, want := range map[string]string{
		`timestamp >= "June"`:            `"June" is no date: expected 2014-06-01, 2014-06-01T12:30:00Z or up to 14 digits as in 20140601 (column 14)`,
		`timestamp >= "2014-13-01"`:      `"2014-13-01" is no date`,
		`timestamp >= "20141301"`:        `"20141301" is no date`,
		`timestamp == "01.06.2014"`:      `"01.06.2014" is no date`,
		`timestamp < "201406010000000"`:  `"201406010000000" is no date`,
		`timestamp < -5`:                 `mismatched types`,
		`timestamp in ["2014", "x"]`:     `"x" is no date: expected 2014-06-01, 2014-06-01T12:30:00Z or up to 14 digits as in 20140601 (column 23)`,
		`status == "abc"`:                `invalid operation: == (mismatched types int and string) (column 8)`,
		`status in ["200"]`:              `this is compared with a number (column 12)`,
		`url in ["a", 5]`:                `this is compared with a text (column 14)`,
		`hostOf(status) == "a"`:          `hostOf needs a text, not a number (column 8)`,
		`hostof(url) == "a"`:             `unknown name hostof: did you mean hostOf? (column 1)`,
		`absolute(url) == "a"`:           `not enough arguments to call absolute (column 1)`,
		`status == 200 || foo(url) == 1`: `unknown name foo (column 18)`,
	} {
		for i, s := range []*Schema{&Captures, &Enriched} {
			for _, compile := range []func(string, *Schema) (*Expression, error){CompileCondition, CompileValue} {
				if _, err := compile(source, s); err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("%d: %s: %v, want %s", i, source, err, want)
				}
			}
		}
	}
	_, err := CompileCondition(`statu == 200`, &Captures)
	if want := "unknown name statu: did you mean status? surt, timestamp, "; err == nil || !strings.HasPrefix(fmt.Sprint(err), want) {
		t.Errorf("%v", err)
	}
}
