package graph

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"

	"archivestream/lib/stage"
)

// Sizes counts components by their number of vertices. There are about as many
// different sizes as the root of twice the vertices, at most.
type Sizes struct {
	counts map[int64]int64
}

// Add counts a component of a size.
func (s *Sizes) Add(size int64) { s.add(size, 1) }

func (s *Sizes) add(size, n int64) {
	if s.counts == nil {
		s.counts = map[int64]int64{}
	}
	s.counts[size] += n
}

// List gives pairs of a size and how many components have it, by size.
func (s *Sizes) List() [][2]int64 {
	list := make([][2]int64, 0, len(s.counts))
	for size, n := range s.counts {
		list = append(list, [2]int64{size, n})
	}
	slices.SortFunc(list, func(a, b [2]int64) int { return int(a[0] - b[0]) })
	return list
}

// Components is how many were counted, Vertices how many they have, Largest the
// greatest size.
func (s *Sizes) Components() (components, vertices, largest int64) {
	for size, n := range s.counts {
		components += n
		vertices += size * n
		largest = max(largest, size)
	}
	return components, vertices, largest
}

// write makes the task's side file of sizes.
func (s *Sizes) write(t *stage.Task) error {
	f, err := t.Create(fmt.Sprintf("_sizes/part-%05d.tsv", t.Partition()))
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	for _, p := range s.List() {
		fmt.Fprintf(w, "%d\t%d\n", p[0], p[1])
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// Read adds the line of a file of sizes.
func (s *Sizes) Read(line []byte) error {
	a, b, _ := bytes.Cut(line, []byte{'\t'})
	size, err := strconv.ParseInt(string(a), 10, 64)
	n, err2 := strconv.ParseInt(string(b), 10, 64)
	if err != nil || err2 != nil || size < 1 || n < 1 {
		return fmt.Errorf("not a line of sizes: %q", line)
	}
	s.add(size, n)
	return nil
}

// CountSizes is the reducer that gets the label of each vertex, sorted, and makes
// the side file _sizes/part-NNNNN.tsv.
func CountSizes(t *stage.Task) error {
	var sizes Sizes
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		var n int64
		for _, err := range g.Values() {
			if err != nil {
				return err
			}
			n++
		}
		sizes.Add(n)
	}
	return sizes.write(t)
}

// stats is what stats.json of a job that finds components holds.
type stats struct {
	Vertices   int64      `json:"vertices"`
	Edges      int64      `json:"edges"`
	Components int64      `json:"components"`
	Largest    int64      `json:"largest"`
	Rounds     int        `json:"rounds"`
	Sizes      [][2]int64 `json:"sizes"`
}

// WriteStats is the stage that adds sizes up into the side file stats.json.
func WriteStats(t *stage.Task, edges int64, rounds int) error {
	var sizes Sizes
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if err := sizes.Read(line); err != nil {
			return err
		}
	}
	s := stats{Edges: edges, Rounds: rounds, Sizes: sizes.List()}
	s.Components, s.Vertices, s.Largest = sizes.Components()
	text, err := json.Marshal(s)
	if err != nil {
		return err
	}
	f, err := t.Create("stats.json")
	if err != nil {
		return err
	}
	if _, err := f.Write(append(text, '\n')); err != nil {
		return err
	}
	return f.Close()
}
