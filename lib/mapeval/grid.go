package mapeval

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// ParseWeights takes a list of weights apart, and gives it largest first.
func ParseWeights(list string) ([]float64, error) {
	var weights []float64
	for text := range strings.SplitSeq(list, ",") {
		w, err := mementomap.ParseWeight(text)
		if err != nil {
			return nil, err
		}
		weights = append(weights, w)
	}
	slices.SortFunc(weights, func(a, b float64) int {
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	return slices.Compact(weights), nil
}

// GridName is the name of the map of two weights.
func GridName(host, path float64) string {
	text := func(w float64) string {
		if math.IsInf(w, 1) {
			return "inf"
		}
		return strconv.FormatFloat(w, 'g', -1, 64)
	}
	return "h" + text(host) + "-p" + text(path) + ".ukvs"
}

// Grid is the stage that makes the maps of all pairs of weights, as side files below
// maps/, of a sorted map: see the package's documentation.
func Grid(t *stage.Task, o mementomap.CompactOptions, weights []float64) error {
	g := &grid{options: o, weights: weights, task: t}
	first, err := g.make(0, 0)
	if err != nil {
		return err
	}
	header := []byte(mementomap.ContextHeader + "\n" + mementomap.FieldsHeader + "\n")
	if err := first.head(header); err != nil {
		return err
	}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 || mementomap.IsHeader(line) {
			continue
		}
		switch err := first.compactor.Add(line); err {
		case nil:
		case mementomap.ErrMalformed:
			if err := t.Reject(err.Error(), line); err != nil {
				return err
			}
		default:
			return err
		}
	}
	return first.close()
}

type grid struct {
	options mementomap.CompactOptions
	weights []float64
	task    *stage.Task
}

// A link makes one map and hands its lines on to those that are made of it.
type link struct {
	compactor *mementomap.Compactor
	file      storage.Writer
	next      []*link
}

// make makes the link of two weights, by their places, and all behind it.
func (g *grid) make(host, path int) (*link, error) {
	l := &link{}
	var err error
	if l.file, err = g.task.Create("maps/" + GridName(g.weights[host], g.weights[path])); err != nil {
		return nil, err
	}
	o := g.options
	o.HostWeight, o.PathWeight = g.weights[host], g.weights[path]
	l.compactor = mementomap.NewCompactor(o, l.take)
	for _, n := range [][2]int{{host, path + 1}, {host + 1, path}} {
		if n[0] >= len(g.weights) || n[1] >= len(g.weights) || n[0] > host && path > 0 {
			continue
		}
		next, err := g.make(n[0], n[1])
		if err != nil {
			return nil, err
		}
		l.next = append(l.next, next)
	}
	return l, nil
}

func (l *link) head(header []byte) error {
	if _, err := l.file.Write(header); err != nil {
		return err
	}
	for _, n := range l.next {
		if err := n.head(header); err != nil {
			return err
		}
	}
	return nil
}

// take gets lines of the map.
func (l *link) take(text []byte) error {
	if _, err := l.file.Write(text); err != nil {
		return err
	}
	for line := range bytes.Lines(text) {
		line = bytes.TrimSuffix(line, []byte("\n"))
		for _, n := range l.next {
			if err := n.compactor.Add(line); err != nil {
				return fmt.Errorf("in a chain of maps, %q: %w", line, err)
			}
		}
	}
	return nil
}

func (l *link) close() error {
	if err := l.compactor.Close(); err != nil {
		return err
	}
	for _, n := range l.next {
		if err := n.close(); err != nil {
			return err
		}
	}
	return l.file.Close()
}
