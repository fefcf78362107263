package report_test

import (
	"bytes"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"archivestream/lib/report"
	"archivestream/lib/report/reporttest"
)

var update = flag.Bool("update", false, "write the expected output anew")

// sample has every kind of part.
func sample() *report.Page {
	years := []string{}
	var captures, firsts []float64
	for y := range 24 {
		years = append(years, fmt.Sprint(1992+y))
		captures = append(captures, math.Round(math.Pow(1.9, float64(y))))
		firsts = append(firsts, math.Round(math.Pow(1.8, float64(y))))
	}
	var share, held []float64
	for i := range 5000 {
		share = append(share, float64(i)/5000)
		held = append(held, math.Sqrt(float64(i)/5000))
	}
	return &report.Page{
		Title:   "Holdings of <garden.example>",
		Summary: "Made of 3 files & 2 MB.",
		Facts:   []report.Fact{{Label: "Captures", Value: report.Count(4920000000)}, {Label: "Size", Value: report.Bytes(2500000)}, {Label: "γ", Value: "2.46"}},
		Sections: []report.Section{
			{
				Title: "Growth",
				Text:  "What was archived in each year.",
				Plots: []report.Plot{
					{
						Title: "Captures by year", Text: "Both grow by the same factor each year.",
						X: report.Axis{Label: "Year", Names: years}, Y: report.Axis{Label: "Captures", Log: true},
						Series: []report.Series{{Name: "Captures", Y: captures}, {Name: "URLs", Mark: report.DotsLined, Y: firsts}},
					},
					{
						Title: "Columns", Text: "Of two series.",
						X: report.Axis{Label: "Year", Names: years[:6]}, Y: report.Axis{Label: "Captures"},
						Series: []report.Series{{Name: "All", Mark: report.Columns, Y: captures[:6]}, {Name: "First", Mark: report.Columns, Y: firsts[:6]}},
					},
					{
						Title: "Share of captures", Text: "The most archived first.",
						X: report.Axis{Label: "Share of URLs", Format: report.Percent}, Y: report.Axis{Label: "Share of captures", Format: report.Percent, FromZero: true},
						Series: []report.Series{{X: share, Y: held}},
					},
					{
						Title: "Dots", Text: "On two logarithmic axes.",
						X: report.Axis{Label: "Cost", Log: true, Format: report.Percent}, Y: report.Axis{Label: "Accuracy", Log: true, Format: report.Percent},
						Series: []report.Series{{Mark: report.Dots, X: []float64{0.001, 0.01, 0.5, 0}, Y: []float64{0.2, 0.6, 1, 0.5}, Notes: []string{"a", "b", "c", "d"}}},
					},
				},
			},
			{
				Title: "Tables",
				Tables: []report.Table{
					{
						Caption: "Most captured hosts",
						Columns: []report.Column{{Name: "Host"}, {Name: "Captures", Look: report.Bars}},
						Rows:    [][]report.Cell{{report.Word("garden.example"), report.Number(81234)}, {report.Word(strings.Repeat("very-long-", 20) + "name.example"), report.Number(12)}},
					},
					{
						Caption: "Types and statuses",
						Columns: []report.Column{{Name: "Type"}, {Name: "2XX", Look: report.Shades}, {Name: "3XX", Look: report.Shades}, {Name: "4XX", Look: report.Shades}, {Name: "5XX", Look: report.Shades}, {Name: "Other", Look: report.Shades}, {Name: "Sum", Look: report.Figures}},
						Rows:    [][]report.Cell{{report.Word("HTML"), report.Number(123456789), report.Number(4567890), report.Number(1), report.Number(0), report.Number(12), report.Number(128024692)}, {report.Word("short row")}},
					},
				},
			},
		},
	}
}

func render(t *testing.T, p *report.Page) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestPageIsGolden shows changes of the page in review.
func TestPageIsGolden(t *testing.T) {
	page := sample()
	page.Sections[0].Plots = page.Sections[0].Plots[1:2]
	got := render(t, page)
	golden := filepath.Join("testdata", "page.html")
	if *update {
		if err := os.WriteFile(golden, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
}

func TestPageIsReadableInABrowser(t *testing.T) {
	name := filepath.Join(t.TempDir(), "page.html")
	if err := os.WriteFile(name, render(t, sample()), 0o666); err != nil {
		t.Fatal(err)
	}
	reporttest.Check(t, name)
}

// TestLongLinesAreThinned keeps the page small whatever the number of points.
func TestLongLinesAreThinned(t *testing.T) {
	y := make([]float64, 1000000)
	for i := range y {
		y[i] = float64(i)
	}
	page := &report.Page{Sections: []report.Section{{Plots: []report.Plot{{Series: []report.Series{{Y: y}}}}}}}
	if n := len(render(t, page)); n > 40000 {
		t.Errorf("the page has %d bytes", n)
	}
}

// TestOddPlots draws what has no range or no place on an axis: the page is sound, and
// no number in it is none.
func TestOddPlots(t *testing.T) {
	odd := [][]float64{nil, {0}, {5}, {-1, -1}, {math.NaN()}, {math.Inf(1), math.Inf(-1)}, {0, 1e300, 1e-300}, {math.MaxFloat64, -math.MaxFloat64}, {0, 0, 0}}
	for _, x := range odd {
		for _, y := range odd {
			for mark := range report.DotsLined + 1 {
				for _, log := range []bool{false, true} {
					page := &report.Page{Sections: []report.Section{{Plots: []report.Plot{{
						X: report.Axis{Log: log}, Y: report.Axis{Log: log}, Series: []report.Series{{Mark: mark, X: x, Y: y}},
					}}}}}
					got := string(render(t, page))
					drawn := got[strings.Index(got, "<svg"):strings.Index(got, "</svg>")]
					if strings.Contains(drawn, "NaN") || strings.Contains(drawn, "Inf") {
						t.Fatalf("x %v, y %v, mark %d, log %v:\n%s", x, y, mark, log, drawn)
					}
				}
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{report.Count(0), "0"},
		{report.Count(999), "999"},
		{report.Count(-1234567), "-1,234,567"},
		{report.Short(0), "0"},
		{report.Short(999.4), "999"},
		{report.Short(999.6), "1 K"},
		{report.Short(2670000000), "2.67 B"},
		{report.Short(0.0625), "0.0625"},
		{report.Short(-1500), "-1.5 K"},
		{report.Short(math.Inf(-1)), "-∞"},
		{report.Short(1e18), "1000000 T"},
		{report.Bytes(999), "999 B"},
		{report.Bytes(1000), "1 kB"},
		{report.Bytes(5e15), "5 PB"},
		{report.Percent(0.0335), "3.35%"},
		{report.Percent(1), "100%"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

// FuzzText holds the page to its structure whatever its texts are.
func FuzzText(f *testing.F) {
	f.Add("plain")
	f.Add("</title><script>alert(1)</script>")
	f.Add("\" onload=\"x\x00\xff&amp;")
	skeleton := func(t *testing.T, s string) []string {
		page := &report.Page{
			Title: s, Summary: s, Facts: []report.Fact{{Label: s, Value: s}},
			Sections: []report.Section{{
				Title: s, Text: s,
				Plots: []report.Plot{{Title: s, Text: s, X: report.Axis{Label: s, Names: []string{s}}, Y: report.Axis{Label: s}, Series: []report.Series{
					{Name: s, Y: []float64{1}}, {Name: s, Mark: report.Columns, Y: []float64{2}, Notes: []string{s}},
				}}},
				Tables: []report.Table{{Caption: s, Columns: []report.Column{{Name: s}, {Name: s, Look: report.Bars}}, Rows: [][]report.Cell{{report.Word(s), {Text: s, Value: 3}}}}},
			}},
		}
		return tags(t, render(t, page))
	}
	f.Fuzz(func(t *testing.T, s string) {
		if s == "" {
			return // leaves out what has no title
		}
		if diff := cmp.Diff(skeleton(t, "plain"), skeleton(t, s)); diff != "" {
			t.Fatalf("%q is more than text:\n%s", s, diff)
		}
	})
}

// tags gives the names and attribute names of the tags of a page.
func tags(t *testing.T, page []byte) []string {
	var names []string
	z := html.NewTokenizer(bytes.NewReader(page))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return names
		case html.StartTagToken, html.SelfClosingTagToken:
			token := z.Token()
			name := token.Data
			for _, a := range token.Attr {
				name += " " + a.Key
			}
			names = append(names, name)
		}
	}
}
