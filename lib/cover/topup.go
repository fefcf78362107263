package cover

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"

	"archivestream/lib/stage"
)

// A Minimum is how many documents of each value of an attribute are kept at least,
// where there are as many.
type Minimum struct {
	Attribute string
	Number    int
}

// ParseMinima reads ATTRIBUTE=NUMBER, separated by commas.
func ParseMinima(text string) ([]Minimum, error) {
	var all []Minimum
	for part := range strings.SplitSeq(text, ",") {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		i := strings.LastIndexByte(part, '=')
		if i <= 0 {
			return nil, fmt.Errorf("%q: ATTRIBUTE=NUMBER is wanted", part)
		}
		n, err := strconv.Atoi(strings.TrimSpace(part[i+1:]))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("%q: a number from 1 is wanted", part[i+1:])
		}
		all = append(all, Minimum{strings.TrimSpace(part[:i]), n})
	}
	return all, nil
}

// rank sorts kept documents first and the others by weight: the bits of numbers
// above 0 sort as they do.
func rank(kept bool, weight float64) []byte {
	if kept {
		return []byte{'0'}
	}
	return fmt.Appendf(nil, "1%016x", math.Float64bits(weight))
}

// TopUp is the reducer that adds documents to the cover until each group has as
// many of them as the minima say. Its lines are GROUP TAB RANK TAB KEY TAB LABEL as
// SolveComponents emits them, sorted by group and rank and then with the greatest
// key first, so that of the lightest documents the last ones are added. It emits
// lines of kind 3 of the documents' components.
//
// Each group is looked at by itself: the cover that it leads to need not be the
// smallest one that fulfils the minima.
func TopUp(t *stage.Task, minima []Minimum) error {
	for g, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		number, _, _ := bytes.Cut(g.Key, []byte{'='})
		i, err := strconv.Atoi(string(number))
		if err != nil || i >= len(minima) || i < 0 {
			return fmt.Errorf("not a group of documents: %q", g.Key)
		}
		wanted := minima[i].Number
		for line, err := range g.Values() {
			if err != nil {
				return err
			}
			if wanted--; wanted < 0 {
				break
			}
			f := bytes.Split(line, tab)
			if len(f) != 3 {
				return fmt.Errorf("not a document of a group: %q", line)
			}
			if len(f[0]) == 1 {
				continue // kept already
			}
			if err := t.Emit(f[2], []byte{kindAdded}, f[1]); err != nil {
				return err
			}
			t.Count("added", 1)
		}
	}
	return nil
}
