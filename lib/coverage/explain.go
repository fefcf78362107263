package coverage

import (
	"fmt"
	"io"
	"strings"
)

// Explain writes the plan for a person.
func (r *Relation) Explain(w io.Writer) {
	fmt.Fprintf(w, "b covers a if  %s\n\n", r.source)
	fmt.Fprintln(w, "Content, in integers; o: shingles in common, |a|, |b|: shingles of each")
	for _, c := range r.content {
		fmt.Fprintf(w, "  %s >= %d/%d: %d o >= %s\n", c.measure, c.p, c.q, c.k, sum(c.x, c.y))
	}
	fmt.Fprintln(w, "  of documents with 100 shingles, one that covers another has")
	least, most, prefix := r.reach(100)
	fmt.Fprintf(w, "  %s shingles; the %d rarest of the smaller one have to find one of them\n", sizes(least, most), prefix)
	r.explainMetadata(w)
	var names []string
	for _, a := range r.attributes {
		names = append(names, a.String())
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "\nAttributes that leave the mapper: %s\n", strings.Join(names, ", "))
	}
}

func (r *Relation) explainMetadata(w io.Writer) {
	titles := []string{
		"In the key; documents of different keys never meet",
		"Before a document leaves the mapper",
		"For a pair, before its sets are compared",
	}
	sections := make([][]string, len(titles))
	for i := range r.metadata {
		c := &r.metadata[i]
		section := 2
		if c.isKey() {
			section = 0
		} else if c.sides != sideA|sideB {
			section = 1
		}
		sections[section] = append(sections[section], c.source)
	}
	for i, lines := range sections {
		if len(lines) > 0 {
			fmt.Fprintf(w, "\n%s\n  %s\n", titles[i], strings.Join(lines, "\n  "))
		}
	}
}

func sum(x, y uint64) string {
	switch {
	case y == 0:
		return fmt.Sprintf("%d |a|", x)
	case x == 0:
		return fmt.Sprintf("%d |b|", y)
	case x == y:
		return fmt.Sprintf("%d (|a| + |b|)", x)
	}
	return fmt.Sprintf("%d |a| + %d |b|", x, y)
}

// reach gives the sizes that a partner of a set of so many shingles can have (most 0:
// any), and how many of the smaller one's shingles are looked for.
func (r *Relation) reach(size int) (least, most, prefix int) {
	least = size
	for least > 1 && r.Needed(least-1, size) <= least-1 {
		least--
	}
	if most = size; r.Needed(size, 1<<30) <= size {
		most = 0
	} else {
		for r.Needed(size, most+1) <= size {
			most++
		}
	}
	return least, most, size - r.Needed(size, size) + 1
}

func sizes(least, most int) string {
	if most == 0 {
		return fmt.Sprintf("%d or more", least)
	}
	return fmt.Sprintf("%d to %d", least, most)
}
