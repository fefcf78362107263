package summary

import (
	"fmt"

	"archivestream/lib/report"
)

// Page shows the summary.
func (s *Summary) Page(title string) *report.Page {
	p := &report.Page{
		Title:   title,
		Summary: "What these captures are, by type, status, address and time.",
		Facts: []report.Fact{
			{Label: "Captures", Value: report.Count(s.Captures)},
			{Label: "URLs", Value: report.Count(s.URLs)},
			{Label: "Hosts", Value: report.Count(s.Hosts)},
			{Label: "Compressed records", Value: report.Bytes(s.Bytes)},
			{Label: "First capture", Value: day(s.First)},
			{Label: "Last capture", Value: day(s.Last)},
		},
	}
	p.Sections = []report.Section{
		{Title: "Time", Plots: s.timePlots(), Tables: []report.Table{grid("Captures by year and month", "Year", s.YearMonth)}},
		{Title: "Types and statuses", Tables: []report.Table{grid("Captures by media type and status", "Type", s.MimeStatus)}},
		{
			Title:  "Addresses",
			Text:   "How many segments the path of an address has (P) and how many parameters its query (Q).",
			Tables: []report.Table{grid("Captures by segments of path and query", "Path", s.PathQuery), s.hosts()},
		},
		{Title: "Sample", Text: "Pages with status 200, picked by the hash of their address and time.", Tables: []report.Table{s.sample()}},
	}
	return p
}

// day writes the day of a timestamp.
func day(timestamp string) string {
	if len(timestamp) < 8 {
		return "–"
	}
	return timestamp[:4] + "-" + timestamp[4:6] + "-" + timestamp[6:8]
}

// maxMonths is up to how many years the plot by month shows.
const maxMonths = 6

func (s *Summary) timePlots() []report.Plot {
	var years []string
	var perYear []float64
	var monthNames []string
	var perMonth []float64
	for _, row := range s.YearMonth {
		// Years without captures keep their place.
		for len(years) > 0 && len(years) < 200 && years[len(years)-1] < row.Name {
			var last int
			if _, err := fmt.Sscan(years[len(years)-1], &last); err != nil || fmt.Sprintf("%04d", last+1) == row.Name {
				break
			}
			years, perYear = append(years, fmt.Sprintf("%04d", last+1)), append(perYear, 0)
		}
		years, perYear = append(years, row.Name), append(perYear, float64(row.sum()))
		for _, c := range row.Cells {
			monthNames, perMonth = append(monthNames, row.Name+"-"+c.Name), append(perMonth, float64(c.N))
		}
	}
	plots := []report.Plot{{
		Title: "Captures by year", X: report.Axis{Label: "Year", Names: names(years)}, Y: report.Axis{Label: "Captures"},
		Series: []report.Series{{Mark: report.Columns, Y: perYear}},
	}}
	if n := len(s.YearMonth); n > 0 && n <= maxMonths {
		plots = append(plots, report.Plot{
			Title: "Captures by month", X: report.Axis{Label: "Month", Names: monthNames}, Y: report.Axis{Label: "Captures"},
			Series: []report.Series{{Mark: report.Columns, Y: perMonth}},
		})
	}
	return plots
}

// names makes an axis one of names also where there are none.
func names(of []string) []string { return append([]string{}, of...) }

func (r *Row) sum() int64 {
	sum := int64(0)
	for _, c := range r.Cells {
		sum += c.N
	}
	return sum
}

// grid gives a table of the rows that hold something, with sums.
func grid(caption, corner string, g Grid) report.Table {
	t := report.Table{Caption: caption, Columns: []report.Column{{Name: corner}}}
	var sums []int64
	for _, row := range g {
		if len(t.Columns) == 1 {
			for _, c := range row.Cells {
				t.Columns = append(t.Columns, report.Column{Name: c.Name, Look: report.Shades})
			}
			t.Columns = append(t.Columns, report.Column{Name: "All", Look: report.Bars})
			sums = make([]int64, len(row.Cells))
		}
		sum := row.sum()
		if sum == 0 {
			continue
		}
		cells := []report.Cell{report.Word(row.Name)}
		for i, c := range row.Cells {
			cells = append(cells, report.Number(c.N))
			sums[i] += c.N
		}
		t.Rows = append(t.Rows, append(cells, report.Number(sum)))
	}
	if len(t.Rows) > 1 {
		// Neither shaded nor with a bar: they would be the largest.
		cells, all := []report.Cell{report.Word("All")}, int64(0)
		for _, n := range sums {
			cells = append(cells, report.Word(report.Count(n)))
			all += n
		}
		t.Rows = append(t.Rows, append(cells, report.Word(report.Count(all))))
	}
	return t
}

func (s *Summary) hosts() report.Table {
	t := report.Table{Caption: "Hosts with most captures", Columns: []report.Column{{Name: "Host"}, {Name: "Captures", Look: report.Bars}}}
	for _, h := range s.TopHosts {
		t.Rows = append(t.Rows, []report.Cell{report.Word(h.Name), report.Number(h.N)})
	}
	return t
}

func (s *Summary) sample() report.Table {
	t := report.Table{Caption: "Captures", Columns: []report.Column{{Name: "Time"}, {Name: "Address"}}}
	for _, one := range s.Samples {
		t.Rows = append(t.Rows, []report.Cell{report.Word(day(one[0])), report.Word(one[1])})
	}
	return t
}
