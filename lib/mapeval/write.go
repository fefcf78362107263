package mapeval

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"

	"archivestream/lib/lines"
	"archivestream/lib/report"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
	"archivestream/lib/tally"
)

// eachLine gives the lines of files.
func eachLine(files []storage.Info, f func(line []byte) error) error {
	for _, file := range files {
		in, err := storage.OpenStream(file.Path)
		if err != nil {
			return err
		}
		for line, failed := range lines.All(in, 0) {
			if err = failed; err == nil && len(line) > 0 {
				err = f(line)
			}
			if err != nil {
				break
			}
		}
		if err = errors.Join(err, in.Close()); err != nil {
			return err
		}
	}
	return nil
}

// An Evaluation is what evaluation.json holds: see the package's documentation.
type Evaluation struct {
	URIs    int64   `json:"uris"`
	Lookups int64   `json:"lookups"`
	Present int64   `json:"present"`
	HitRate float64 `json:"hit_rate"`
	Maps    []Map   `json:"maps"`
}

// A Map is what has been found of one map.
type Map struct {
	Name           string   `json:"name"`
	HostWeight     *float64 `json:"host_weight,omitempty"`
	PathWeight     *float64 `json:"path_weight,omitempty"`
	Lines          int64    `json:"lines"`
	Bytes          int64    `json:"bytes"`
	Cost           float64  `json:"cost"`
	Accuracy       float64  `json:"accuracy"`
	Recall         float64  `json:"recall"`
	Predicted      int64    `json:"predicted"`
	Found          int64    `json:"found"`
	FalsePositives int64    `json:"false_positives"`
}

// Write is the reducer that makes evaluation.json and evaluation.html, as side files, of
// the lines of Evaluate, sorted by the three fields of their keys.
func Write(t *stage.Task, title string, uris int64) error {
	e := &Evaluation{URIs: uris, Maps: []Map{}}
	sums := tally.Summer{Sum: e.add}
	if err := sums.Read(t, "", nil); err != nil {
		return err
	}
	// Maps of a grid by their weights, largest first; others stay as they were given.
	slices.SortStableFunc(e.Maps, func(a, b Map) int {
		if a.HostWeight == nil || b.HostWeight == nil {
			return 0
		}
		return cmp.Or(cmp.Compare(*b.HostWeight, *a.HostWeight), cmp.Compare(*b.PathWeight, *a.PathWeight))
	})
	for name, write := range map[string]func(io.Writer) error{
		"evaluation.json": func(w io.Writer) error {
			enc := json.NewEncoder(w)
			enc.SetEscapeHTML(false)
			enc.SetIndent("", "  ")
			return enc.Encode(e)
		},
		"evaluation.html": e.Page(title).Write,
	} {
		f, err := t.Create(name)
		if err != nil {
			return err
		}
		if err := write(f); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
	}
	return nil
}

func ratio(a, b int64) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

var gridName = regexp.MustCompile(`^h([0-9.e+-]+)-p([0-9.e+-]+)\.ukvs$`)

func (e *Evaluation) add(entry *tally.Entry, n []int64) error {
	if string(entry.Table) != "map" || len(n) != 6 {
		return fmt.Errorf("not a line of a map: %q", entry.Table)
	}
	name, err := stage.AppendUnescaped(nil, entry.Column)
	if err != nil {
		return err
	}
	lookups, present, predicted, found := n[2], n[3], n[4], n[5]
	m := Map{
		Name: string(name), Lines: n[0], Bytes: n[1], Cost: ratio(n[0], e.URIs), Predicted: predicted, Found: found,
		FalsePositives: predicted - found, Recall: ratio(found, present), Accuracy: ratio(lookups-(predicted-found)-(present-found), lookups),
	}
	if present == 0 {
		m.Recall = 1 // nothing has been missed
	}
	if w := gridName.FindStringSubmatch(m.Name); w != nil {
		host, err1 := strconv.ParseFloat(w[1], 64)
		path, err2 := strconv.ParseFloat(w[2], 64)
		if err1 == nil && err2 == nil {
			m.HostWeight, m.PathWeight = &host, &path
		}
	}
	e.Lookups, e.Present, e.HitRate = lookups, present, ratio(present, lookups)
	e.Maps = append(e.Maps, m)
	return nil
}

// Page shows the evaluation.
func (e *Evaluation) Page(title string) *report.Page {
	table := report.Table{Caption: "Maps", Columns: []report.Column{
		{Name: "Map"}, {Name: "Lines", Look: report.Figures}, {Name: "Bytes", Look: report.Figures}, {Name: "Relative cost", Look: report.Figures},
		{Name: "Accuracy", Look: report.Bars}, {Name: "Recall", Look: report.Figures}, {Name: "False positives", Look: report.Figures},
	}}
	var series []report.Series
	byHost := map[string]int{}
	for _, m := range e.Maps {
		table.Rows = append(table.Rows, []report.Cell{
			report.Word(m.Name), report.Number(m.Lines), report.Word(report.Bytes(m.Bytes)), report.Word(report.Percent(m.Cost)),
			{Text: report.Percent(m.Accuracy), Value: m.Accuracy}, report.Word(report.Percent(m.Recall)), report.Number(m.FalsePositives),
		})
		group, note := "Maps", m.Name
		if m.HostWeight != nil {
			group = "Host weight " + report.Short(*m.HostWeight)
			note = group + ", path weight " + report.Short(*m.PathWeight)
		}
		i, known := byHost[group]
		if !known {
			i = len(series)
			byHost[group] = i
			series = append(series, report.Series{Name: group, Mark: report.Dots})
			if m.HostWeight != nil {
				series[i].Mark = report.DotsLined
			}
		}
		s := &series[i]
		s.X, s.Y = append(s.X, m.Cost), append(s.Y, m.Accuracy)
		s.Notes = append(s.Notes, note+": cost "+report.Percent(m.Cost)+", accuracy "+report.Percent(m.Accuracy))
	}
	return &report.Page{
		Title:   title,
		Summary: "How many lookups a map answers rightly, and how large it is.",
		Facts: []report.Fact{
			{Label: "Lookups", Value: report.Count(e.Lookups)},
			{Label: "Of them present", Value: report.Count(e.Present) + " (" + report.Percent(e.HitRate) + ")"},
			{Label: "URI-Rs", Value: report.Count(e.URIs)},
			{Label: "Maps", Value: report.Count(int64(len(e.Maps)))},
		},
		Sections: []report.Section{{
			Title: "Accuracy and relative cost",
			Text:  "The relative cost is the number of lines of a map for each different URI-R. A lookup is right if the map tells its presence or absence rightly.",
			Plots: []report.Plot{{
				Title: "Accuracy over relative cost", Text: "Each mark is a map; the smaller the weight, the smaller the map.",
				X:      report.Axis{Label: "Relative cost", Log: true, Format: report.Percent},
				Y:      report.Axis{Label: "Accuracy", Min: 0, Max: 1, Format: report.Percent},
				Series: series,
			}},
			Tables: []report.Table{table},
		}},
	}
}
