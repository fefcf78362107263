package profile

import (
	"strconv"

	"archivestream/lib/report"
)

// Page shows the profile.
func (p *Profile) Page(title string) *report.Page {
	t := p.Totals
	return &report.Page{
		Title:   title,
		Summary: "A URI-R is what was captured, a URI-M a capture of it, an HxPx key an address without its query.",
		Facts: []report.Fact{
			{Label: "URI-Ms", Value: report.Count(t.URIMs)},
			{Label: "URI-Rs", Value: report.Count(t.URIRs)},
			{Label: "URI-Ms per URI-R (γ)", Value: report.Short(t.Gamma)},
			{Label: "HxPx keys", Value: report.Count(t.Keys)},
			{Label: "Hosts", Value: report.Count(t.Hosts)},
			{Label: "Of them IP addresses", Value: report.Count(t.Addresses)},
			{Label: "First capture", Value: day(t.First)},
			{Label: "Last capture", Value: day(t.Last)},
			{Label: "Lines of the index", Value: report.Count(t.Lines)},
			{Label: "Index files", Value: report.Count(t.IndexFiles) + ", " + report.Bytes(t.IndexBytes)},
			{Label: "Compressed records", Value: report.Bytes(t.Bytes)},
		},
		Sections: []report.Section{p.tldSection(), p.uriSection(), p.yearSection(), p.depthSection()},
	}
}

// day writes the day of a timestamp.
func day(timestamp string) string {
	if len(timestamp) < 8 {
		return "–"
	}
	return timestamp[:4] + "-" + timestamp[4:6] + "-" + timestamp[6:8]
}

// table makes a table with names in the first column and numbers in the others.
func table(caption string, columns ...string) report.Table {
	t := report.Table{Caption: caption, Columns: []report.Column{{Name: columns[0]}}}
	for _, name := range columns[1:] {
		t.Columns = append(t.Columns, report.Column{Name: name, Look: report.Figures})
	}
	return t
}

func (p *Profile) tldSection() report.Section {
	t := table("TLDs with most URI-Ms", "TLD", "URI-Ms", "URI-Rs", "HxPx keys", "Hosts")
	t.Columns[1].Look = report.Bars
	for _, d := range p.TLDs {
		t.Rows = append(t.Rows, []report.Cell{report.Word(d.Name), report.Number(d.URIMs), report.Number(d.URIRs), report.Number(d.Keys), report.Number(d.Hosts)})
	}
	return report.Section{Title: "Top-level domains", Tables: []report.Table{t}}
}

func (p *Profile) uriSection() report.Section {
	d := p.PerURI
	var x, y []float64
	for _, point := range d.Curve {
		x, y = append(x, point[0]), append(y, point[1])
	}
	share := report.Percent
	s := report.Section{
		Title: "URI-Ms per URI-R",
		Plots: []report.Plot{{
			Title: "URI-Ms over URI-Rs",
			Text:  "The most captured " + share(d.BreakPoint) + " of the URI-Rs hold " + share(1-d.BreakPoint) + " of the URI-Ms.",
			X:     report.Axis{Label: "Share of the URI-Rs, most captured first", Min: 0, Max: 1, Format: share},
			Y:     report.Axis{Label: "Share of the URI-Ms", Min: 0, Max: 1, Format: share},
			Series: []report.Series{
				{Name: "This collection", X: x, Y: y},
				{Name: "All alike", X: []float64{0, 1}, Y: []float64{0, 1}},
			},
		}},
	}
	t := table("URI-Ms per URI-R", "Measure", "Value")
	for _, row := range []report.Cell{
		{Text: "Maximum", Value: float64(d.Max)},
		{Text: "Median", Value: d.Median},
		{Text: "Mean (γ)", Value: d.Mean},
		{Text: "Standard deviation (σ)", Value: d.Deviation},
		{Text: "Gini coefficient", Value: d.Gini},
	} {
		t.Rows = append(t.Rows, []report.Cell{report.Word(row.Text), report.Word(report.Short(row.Value))})
	}
	t.Rows = append(t.Rows, []report.Cell{report.Word("Pareto's break point"), report.Word(share(d.BreakPoint))})
	top := table("Most captured URI-Rs", "Key", "URI-Ms")
	top.Columns[1].Look = report.Bars
	for _, u := range p.TopURIs {
		top.Rows = append(top.Rows, []report.Cell{report.Word(u.Key), report.Number(u.URIMs)})
	}
	s.Tables = []report.Table{t, top}
	return s
}

func (p *Profile) yearSection() report.Section {
	names := []string{}
	var urims, urirs, duplicates []float64
	var classes [4][]float64
	t := table("By year", "Year", "URI-Rs", "New", "Cumulative", "Duplicates", "URI-Ms", "Cumulative", "γ", "Cumulative γ", "2xx", "3xx", "4xx", "5xx")
	for _, y := range p.Years {
		names = append(names, strconv.Itoa(y.Year))
		urims, urirs = append(urims, float64(y.CumulativeURIMs)), append(urirs, float64(y.CumulativeURIRs))
		duplicates = append(duplicates, y.Duplicates)
		row := []report.Cell{
			report.Word(strconv.Itoa(y.Year)), report.Number(y.URIRs), report.Number(y.NewURIRs), report.Number(y.CumulativeURIRs), report.Word(report.Percent(y.Duplicates)),
			report.Number(y.URIMs), report.Number(y.CumulativeURIMs), report.Word(report.Short(y.Gamma)), report.Word(report.Short(y.CumulativeGamma)),
		}
		for i, share := range []float64{y.Status2XX, y.Status3XX, y.Status4XX, y.Status5XX} {
			classes[i] = append(classes[i], share)
			row = append(row, report.Word(report.Percent(share)))
		}
		t.Rows = append(t.Rows, row)
	}
	axis := report.Axis{Label: "Year", Names: names}
	return report.Section{
		Title: "Growth",
		Plots: []report.Plot{
			{
				Title: "Cumulative growth", Text: "URI-Ms and different URI-Rs up to the end of each year.",
				X: axis, Y: report.Axis{Label: "Cumulative number", Log: true},
				Series: []report.Series{{Name: "URI-Ms", Mark: report.DotsLined, Y: urims}, {Name: "URI-Rs", Mark: report.DotsLined, Y: urirs}},
			},
			{
				Title: "Status and duplicates", Text: "Shares of the captures of each year, and of its URI-Rs that had been captured before.",
				X: axis, Y: report.Axis{Label: "Share", Min: 0, Max: 1, Format: report.Percent},
				Series: []report.Series{{Name: "2xx", Y: classes[0]}, {Name: "3xx", Y: classes[1]}, {Name: "4xx", Y: classes[2]}, {Name: "5xx", Y: classes[3]}, {Name: "Duplicates", Y: duplicates}},
			},
		},
		Tables: []report.Table{t},
	}
}

func (p *Profile) depthSection() report.Section {
	exact := table("Hosts and HxPx keys by exact depth", "Depth", "Hosts", "Keys by host depth", "Keys by path depth")
	for _, d := range p.ExactDepths {
		exact.Rows = append(exact.Rows, []report.Cell{report.Word(d.Depth), report.Number(d.Hosts), report.Number(d.HostKeys), report.Number(d.PathKeys)})
	}
	prefixes := table("HxPx keys by prefix", "Depth", "Prefixes", "Keys", "RedQ", "Maximum", "Mean", "Median", "σ", "Parents", "Children", "Mean children")
	reduction := report.Plot{
		Title: "Reduction by depth (RedQ)", Text: "What share of the keys is saved if all are cut at that depth.",
		X: report.Axis{Label: "Depth", Min: 0, Max: maxDepth}, Y: report.Axis{Label: "Reduction", Min: 0, Max: 1, Format: report.Percent},
	}
	number := report.Plot{
		Title: "Prefixes by depth", Text: "How many different prefixes are there.",
		X: report.Axis{Label: "Depth", Min: 0, Max: maxDepth}, Y: report.Axis{Label: "Prefixes", Log: true},
	}
	for _, kind := range []struct {
		name, letter string
		depths       []Depth
	}{{"Host", "H", p.HostDepths}, {"Path", "P", p.PathDepths}} {
		var x, share, n []float64
		for _, d := range kind.depths {
			x, share, n = append(x, float64(d.Depth)), append(share, d.Reduction), append(n, float64(d.Prefixes))
			prefixes.Rows = append(prefixes.Rows, []report.Cell{
				report.Word(kind.letter + strconv.Itoa(d.Depth)), report.Number(d.Prefixes), report.Number(d.Keys), report.Word(report.Percent(d.Reduction)),
				report.Number(d.Max), report.Word(report.Short(d.Mean)), report.Word(report.Short(d.Median)), report.Word(report.Short(d.Deviation)),
				report.Number(d.Parents), report.Number(d.Children), report.Word(report.Short(d.MeanChildren)),
			})
		}
		reduction.Series = append(reduction.Series, report.Series{Name: kind.name, Mark: report.DotsLined, X: x, Y: share})
		number.Series = append(number.Series, report.Series{Name: kind.name, Mark: report.DotsLined, X: x, Y: n})
	}
	return report.Section{
		Title:  "Depth of hosts and paths",
		Text:   "H is the depth of a host in labels, P that of a path in segments.",
		Plots:  []report.Plot{reduction, number},
		Tables: []report.Table{exact, prefixes},
	}
}
