package cover

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
)

// component is one that is being read and solved. Its memory is used again.
type component struct {
	label  []byte
	arena  []byte // keys and groups, one behind the other
	docs   []doc
	weight []float64
	kept   []bool

	earlier  earlier
	added    float64 // weight of what is kept besides the earlier solution
	edges    int64
	covered  []int32 // of each edge
	covering []int32
	similar  []uint32 // of each edge: its place in texts
	texts    texts
	coverers []coverer // by document, of those that are not kept
	from, to int       // where the last edge's documents are
}

// doc is a document of a component. Key and groups are pieces of the arena.
type doc struct {
	key, groups, end int
	bytes            int64
}

// earlier is what is known of the component from an earlier solution.
type earlier struct {
	documents     int
	method        string
	weight, bound float64
}

// coverer is the kept document that is most similar to one that is not.
type coverer struct {
	document   int32 // -1: none yet
	similarity float64
	text       uint32
}

func (c *component) reset(label []byte) {
	*c = component{
		label: append(c.label[:0], label...), arena: c.arena[:0], docs: c.docs[:0], weight: c.weight[:0],
		kept: c.kept[:0], covered: c.covered[:0], covering: c.covering[:0], similar: c.similar[:0],
		texts: c.texts, coverers: c.coverers[:0],
	}
	c.texts.reset()
}

func (c *component) key(i int) []byte    { return c.arena[c.docs[i].key:c.docs[i].groups] }
func (c *component) groups(i int) []byte { return c.arena[c.docs[i].groups:c.docs[i].end] }

// addDocument takes KEY TAB WEIGHT TAB BYTES [TAB GROUP]...
func (c *component) addDocument(line []byte) error {
	key, rest, _ := bytes.Cut(line, tab)
	weight, rest, ok := bytes.Cut(rest, tab)
	size, groups, _ := bytes.Cut(rest, tab)
	w, err := strconv.ParseFloat(string(weight), 64)
	n, err2 := strconv.ParseInt(string(size), 10, 64)
	if !ok || err != nil || err2 != nil || !(w > 0) || math.IsInf(w, 1) {
		return fmt.Errorf("not a document of a component: %q", line)
	}
	if last := len(c.docs) - 1; last >= 0 && bytes.Compare(c.key(last), key) >= 0 {
		return fmt.Errorf("documents of component %s are not sorted, or one is there twice: %q", c.label, key)
	}
	if len(c.docs) == math.MaxInt32 {
		return fmt.Errorf("component %s has more than %d documents", c.label, math.MaxInt32)
	}
	d := doc{key: len(c.arena), bytes: n}
	c.arena = append(c.arena, key...)
	d.groups = len(c.arena)
	c.arena = append(c.arena, groups...)
	d.end = len(c.arena)
	c.docs = append(c.docs, d)
	c.weight = append(c.weight, w)
	c.kept = append(c.kept, false)
	return nil
}

// settled says whether an earlier solution is of this component: it only ever
// grows, and one of as many documents is the same.
func (c *component) settled() bool {
	return c.earlier.documents > 0 && c.earlier.documents == len(c.docs)
}

// find gives the place of a key, looking from a place on, near it first.
func (c *component) find(from int, key []byte) (int, bool) {
	step := 1
	for from+step <= len(c.docs) && bytes.Compare(c.key(from+step-1), key) < 0 {
		step *= 2
	}
	low, high := from+step/2, min(from+step, len(c.docs))
	for low < high {
		middle := (low + high) / 2
		if bytes.Compare(c.key(middle), key) < 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(c.docs) && bytes.Equal(c.key(low), key)
}

// keep marks a document as kept.
func (c *component) keep(key []byte) error {
	i, ok := c.find(0, key)
	if !ok {
		return fmt.Errorf("component %s has no document %q that is to be kept", c.label, key)
	}
	c.kept[i] = true
	return nil
}

// add marks a document as kept that the earlier solution has not kept.
func (c *component) add(key []byte) error {
	if i, ok := c.find(0, key); ok && !c.kept[i] {
		c.added += c.weight[i]
	}
	return c.keep(key)
}

// ends finds the documents of an edge KEY TAB KEY TAB SIMILARITY. Edges come sorted.
func (c *component) ends(line []byte) (covered, covering int32, similarity []byte, err error) {
	a, rest, _ := bytes.Cut(line, tab)
	b, similarity, ok := bytes.Cut(rest, tab)
	if !ok {
		return 0, 0, nil, fmt.Errorf("not an edge of a component: %q", line)
	}
	if c.from >= len(c.docs) || !bytes.Equal(c.key(c.from), a) {
		if c.from, ok = c.find(c.from, a); !ok {
			return 0, 0, nil, fmt.Errorf("component %s has no document %q, or edges are not sorted", c.label, a)
		}
		c.to = 0
	}
	if c.to, ok = c.find(c.to, b); !ok {
		return 0, 0, nil, fmt.Errorf("document %q is covered by %q, which is not in component %s, or edges are not sorted", a, b, c.label)
	}
	c.edges++
	return int32(c.from), int32(c.to), similarity, nil
}

// problem is the component as Solve takes it, its edges being in memory.
func (c *component) problem() *Problem {
	return &Problem{Weight: c.weight, Covered: c.covered, Covering: c.covering}
}

// assign makes room for the coverers.
func (c *component) assign() {
	for range c.docs {
		c.coverers = append(c.coverers, coverer{document: -1})
	}
}

// offer lets a kept document be the coverer of one that is not, where it is the
// most similar so far; of equally similar ones it is the last.
func (c *component) offer(covered, covering int32, text uint32) error {
	if c.kept[covered] || !c.kept[covering] {
		return nil
	}
	similarity, err := strconv.ParseFloat(string(c.texts.of(text)), 64)
	if err != nil {
		return fmt.Errorf("similarity %q of an edge is no number", c.texts.of(text))
	}
	best := &c.coverers[covered]
	if best.document < 0 || similarity >= best.similarity {
		*best = coverer{covering, similarity, text}
	}
	return nil
}

var tab = []byte{'\t'}

// texts numbers the texts of similarities, of which there are few different ones.
type texts struct {
	places map[string]uint32
	list   []string
}

// maxTexts is from how many texts on all are forgotten before the next component.
const maxTexts = 1 << 16

func (t *texts) reset() {
	if t.places == nil || len(t.list) > maxTexts {
		*t = texts{places: map[string]uint32{}}
	}
}

func (t *texts) number(text []byte) uint32 {
	n, ok := t.places[string(text)]
	if !ok {
		n = uint32(len(t.list))
		t.list = append(t.list, string(text))
		t.places[t.list[n]] = n
	}
	return n
}

func (t *texts) of(n uint32) string { return t.list[n] }
