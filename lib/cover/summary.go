package cover

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"archivestream/lib/graph"
	"archivestream/lib/stage"
)

// A Component is what the report says of one.
type Component struct {
	ID        string  `json:"id"` // the greatest in it
	Documents int64   `json:"documents"`
	Bytes     int64   `json:"bytes"`
	Edges     int64   `json:"edges"`
	Kept      int64   `json:"kept"`
	KeptBytes int64   `json:"kept_bytes"`
	Method    string  `json:"method"`
	Weight    float64 `json:"weight"`
	Bound     float64 `json:"bound"`
}

// A Summary is of the components that a task, or all of them, have solved.
type Summary struct {
	Documents  int64       `json:"documents"`
	Bytes      int64       `json:"bytes"`
	Edges      int64       `json:"edges"`
	Components int64       `json:"components"`
	Kept       int64       `json:"kept"`
	KeptBytes  int64       `json:"kept_bytes"`
	Single     int64       `json:"single"`
	Exact      int64       `json:"exact"`
	Greedy     int64       `json:"greedy"`
	Reused     int64       `json:"reused"`
	Weight     float64     `json:"weight"`
	Bound      float64     `json:"bound"`
	Sizes      [][2]int64  `json:"sizes"`
	Largest    []Component `json:"largest"`

	sizes graph.Sizes
}

// maxLargest is how many components a summary names.
const maxLargest = 20

func (s *Summary) add(c *Component) {
	s.Documents += c.Documents
	s.Bytes += c.Bytes
	s.Edges += c.Edges
	s.Components++
	s.Kept += c.Kept
	s.KeptBytes += c.KeptBytes
	s.Weight += c.Weight
	s.Bound += c.Bound
	switch c.Method {
	case methodSingle:
		s.Single++
	case methodExact:
		s.Exact++
	default:
		s.Greedy++
	}
	s.sizes.Add(c.Documents)
	if c.Documents > 1 {
		s.rank(*c)
	}
}

// rank puts a component among the largest, where it belongs to them.
func (s *Summary) rank(c Component) {
	at, _ := slices.BinarySearchFunc(s.Largest, c, func(a, b Component) int {
		if a.Documents != b.Documents {
			return int(b.Documents - a.Documents)
		}
		return bytes.Compare(graph.AppendKey(nil, []byte(a.ID)), graph.AppendKey(nil, []byte(b.ID)))
	})
	if at < maxLargest {
		s.Largest = slices.Insert(s.Largest, at, c)
		s.Largest = s.Largest[:min(len(s.Largest), maxLargest)]
	}
}

// write makes the task's side file, one line of JSON.
func (s *Summary) write(t *stage.Task) error {
	if s.Components == 0 {
		return nil
	}
	s.Sizes = s.sizes.List()
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	f := table{task: t, folder: "_summary"}
	if err := f.put(text); err != nil {
		return err
	}
	return f.close()
}

// merge adds what another task says, a line of its side file.
func (s *Summary) merge(line []byte) error {
	var o Summary
	if err := json.Unmarshal(line, &o); err != nil {
		return fmt.Errorf("not a summary of components: %w", err)
	}
	s.Documents += o.Documents
	s.Bytes += o.Bytes
	s.Edges += o.Edges
	s.Components += o.Components
	s.Kept += o.Kept
	s.KeptBytes += o.KeptBytes
	s.Single += o.Single
	s.Exact += o.Exact
	s.Greedy += o.Greedy
	s.Reused += o.Reused
	s.Weight += o.Weight
	s.Bound += o.Bound
	for _, p := range o.Sizes {
		if err := s.sizes.Read(fmt.Appendf(nil, "%d\t%d", p[0], p[1])); err != nil {
			return err
		}
	}
	for _, c := range o.Largest {
		s.rank(c)
	}
	s.Sizes = s.sizes.List()
	return nil
}
