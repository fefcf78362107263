package cover

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"archivestream/lib/report"
	"archivestream/lib/stage"
)

// A Collection is what is known of the documents and the options besides the
// components.
type Collection struct {
	Cover       string `json:"cover"`
	ShingleSize int64  `json:"shingle_size"`
	Weighing    string `json:"weight_expression"`
	KeepPer     string `json:"keep_per"`
	ExactLimit  int    `json:"exact_limit"`
	Shingles    int64  `json:"shingles"`
	URLs        int64  `json:"urls"`
	Versions    int64  `json:"-"` // documents with a URL
	Squares     int64  `json:"-"` // of the versions of each URL, added up
	Added       int64  `json:"added"`
	NoWeight    int64  `json:"without_weight"`
}

// stats is stats.json: the paper's Table 2 (documents, shingles, versions per URL)
// and Table 3 (reductions in per cent), and what the components are like.
type stats struct {
	Documents    int64   `json:"documents"`
	Bytes        int64   `json:"bytes"`
	VersionsMean float64 `json:"documents_per_url_mean"`
	VersionsSD   float64 `json:"documents_per_url_sd"`
	Collection
	Edges          int64       `json:"edges"`
	Components     int64       `json:"components"`
	Single         int64       `json:"components_single"`
	Exact          int64       `json:"components_exact"`
	Greedy         int64       `json:"components_greedy"`
	CoverSize      int64       `json:"cover_size"`
	CoverBytes     int64       `json:"cover_bytes"`
	DocumentsSaved float64     `json:"reduction_documents_percent"`
	BytesSaved     float64     `json:"reduction_bytes_percent"`
	Weight         float64     `json:"weight"`
	Bound          float64     `json:"weight_bound"`
	Sizes          [][2]int64  `json:"sizes"`
	Largest        []Component `json:"largest"`
}

// WriteReport is the stage that makes stats.json and report.html of the summaries of
// all tasks of SolveComponents.
func WriteReport(t *stage.Task, c Collection) error {
	var sum Summary
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if err := sum.merge(line); err != nil {
			return err
		}
	}
	s := stats{
		Documents: sum.Documents, Bytes: sum.Bytes, Collection: c, Edges: sum.Edges,
		Components: sum.Components, Single: sum.Single, Exact: sum.Exact, Greedy: sum.Greedy,
		CoverSize: sum.Kept, CoverBytes: sum.KeptBytes,
		DocumentsSaved: saved(sum.Kept, sum.Documents), BytesSaved: saved(sum.KeptBytes, sum.Bytes),
		Weight: sum.Weight, Bound: sum.Bound, Sizes: sum.sizes.List(), Largest: sum.Largest,
	}
	if c.URLs > 0 {
		s.VersionsMean = float64(c.Versions) / float64(c.URLs)
		s.VersionsSD = math.Sqrt(max(0, float64(c.Squares)/float64(c.URLs)-s.VersionsMean*s.VersionsMean))
	}
	f, err := t.Create("stats.json")
	if err != nil {
		return err
	}
	text := json.NewEncoder(f)
	text.SetEscapeHTML(false)
	text.SetIndent("", "  ")
	if err := text.Encode(s); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	page, err := t.Create("report.html")
	if err != nil {
		return err
	}
	if err := s.page().Write(page); err != nil {
		return err
	}
	return page.Close()
}

// saved is the share that is not kept, in per cent.
func saved(kept, all int64) float64 {
	if all == 0 {
		return 0
	}
	return 100 * (1 - float64(kept)/float64(all))
}

func percent(v float64) string { return fmt.Sprintf("%.2f %%", v) }

func (s *stats) page() *report.Page {
	return &report.Page{
		Title: "Redundancy of a collection",
		Summary: fmt.Sprintf("%s of %s documents are enough: each other one is covered by one of them, directly, under the relation %s.",
			report.Count(s.CoverSize), report.Count(s.Documents), s.Cover),
		Facts: []report.Fact{
			{Label: "documents less", Value: percent(s.DocumentsSaved)},
			{Label: "bytes less", Value: percent(s.BytesSaved)},
			{Label: "documents", Value: report.Count(s.Documents)},
			{Label: "bytes", Value: report.Bytes(s.Bytes)},
			{Label: "edges", Value: report.Count(s.Edges)},
			{Label: "components", Value: report.Count(s.Components)},
		},
		Sections: []report.Section{s.collection(), s.reduction(), s.sizes(), s.largest()},
	}
}

func (s *stats) collection() report.Section {
	rows := [][]report.Cell{
		{report.Word("Documents"), report.Number(s.Documents)},
		{report.Word("Shingles"), report.Number(s.Shingles)},
		{report.Word("URLs"), report.Number(s.URLs)},
		{report.Word("Documents per URL, mean"), report.Word(fmt.Sprintf("%.2f", s.VersionsMean))},
		{report.Word("Documents per URL, standard deviation"), report.Word(fmt.Sprintf("%.2f", s.VersionsSD))},
	}
	return report.Section{Title: "Collection", Tables: []report.Table{{
		Columns: []report.Column{{Name: "What"}, {Name: "Number", Look: report.Figures}}, Rows: rows,
	}}}
}

func (s *stats) reduction() report.Section {
	var text []string
	solved := s.Components - s.Single
	if solved > 0 {
		text = append(text, fmt.Sprintf("Of %s components with more than one document %s (%s) are solved to the proven optimum, %s greedily.",
			report.Count(solved), report.Count(s.Exact), percent(100*float64(s.Exact)/float64(solved)), report.Count(s.Greedy)))
	}
	if s.Weighing != "" {
		text = append(text, fmt.Sprintf("The sum of %s over the documents that are kept is to be small.", s.Weighing))
	}
	if s.KeepPer != "" {
		text = append(text, fmt.Sprintf("%s documents were added so that %s are kept; a smaller cover that fulfils this could exist.", report.Count(s.Added), s.KeepPer))
	} else {
		text = append(text, fmt.Sprintf("The cover weighs %g; no cover weighs less than %g.", s.Weight, s.Bound))
	}
	row := func(what string, all, kept int64, less float64, of func(int64) string) []report.Cell {
		return []report.Cell{report.Word(what), report.Word(of(all)), report.Word(of(kept)), {Text: percent(less), Value: less}}
	}
	return report.Section{Title: "Reduction", Text: strings.Join(text, " "), Tables: []report.Table{{
		Columns: []report.Column{{Name: ""}, {Name: "All", Look: report.Figures}, {Name: "Kept", Look: report.Figures}, {Name: "Less", Look: report.Figures}},
		Rows: [][]report.Cell{
			row("Documents", s.Documents, s.CoverSize, s.DocumentsSaved, report.Count),
			row("Bytes", s.Bytes, s.CoverBytes, s.BytesSaved, report.Bytes),
		},
	}}}
}

func (s *stats) sizes() report.Section {
	var x, y []float64
	for _, p := range s.Sizes {
		x, y = append(x, float64(p[0])), append(y, float64(p[1]))
	}
	return report.Section{Title: "Component sizes", Plots: []report.Plot{{
		Title:  "How many components have so many documents",
		Text:   "Both axes are logarithmic.",
		X:      report.Axis{Label: "documents", Log: true},
		Y:      report.Axis{Label: "components", Log: true},
		Series: []report.Series{{Name: "components", Mark: report.Dots, X: x, Y: y}},
	}}}
}

func (s *stats) largest() report.Section {
	var rows [][]report.Cell
	for _, c := range s.Largest {
		rows = append(rows, []report.Cell{
			report.Word(c.ID), report.Number(c.Documents), report.Number(c.Edges), report.Number(c.Kept),
			report.Word(percent(saved(c.Kept, c.Documents))), report.Word(percent(saved(c.KeptBytes, c.Bytes))),
			report.Word(c.Method), report.Word(fmt.Sprintf("%g", c.Bound)),
		})
	}
	return report.Section{Title: "Largest components", Text: "A component is named by the greatest of its ids.", Tables: []report.Table{{
		Columns: []report.Column{{Name: "Component"}, {Name: "Documents", Look: report.Bars}, {Name: "Edges", Look: report.Figures}, {Name: "Kept", Look: report.Figures},
			{Name: "Documents less", Look: report.Figures}, {Name: "Bytes less", Look: report.Figures}, {Name: "Solved"}, {Name: "Least weight", Look: report.Figures}},
		Rows: rows,
	}}}
}
