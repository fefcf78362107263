package mementomap

import (
	"bytes"
	"errors"
)

// Errors of a line.
var (
	// ErrMalformed is the error of a line that is no line of a map. The next ones
	// can be added.
	ErrMalformed = errors.New("not a line of a map: a key, a frequency and nothing or a JSON object are wanted")
	// ErrOrder is the error of a line that sorts before the one before it.
	ErrOrder = errors.New("lines are not sorted by their bytes")
	// ErrQuery is the error of a line whose key no lookup looks for. It ends the work:
	// the line without its query belongs to another place of the map.
	ErrQuery = errors.New("a key with a query, a fragment or a slash at its end: no lookup finds it")
)

// CompactOptions say what a Compactor does.
type CompactOptions struct {
	Cutoffs
	// Absorb adds keys below a wildcard of the input to it, as if its node had
	// been rolled up here: an older map takes in what is new.
	Absorb bool
	// Keep says of a host (a key without its ")") that it is never rolled up.
	Keep func(host []byte) bool
	// Roll are hosts that are rolled up however many children they have.
	Roll map[string]bool
}

// CompactStats tell what a Compactor has done.
type CompactStats struct {
	Keys       int64 // lines taken, those of one key counted once
	Lines      int64 // lines given
	Exclusions int64 // of zero frequency, among both
	HostRolls  []int64
	PathRolls  []int64 // roll-ups by depth: labels, segments
	Sum        Frequency
}

// A Compactor makes a map smaller while its lines pass by: see the package's
// documentation for the rules. Its memory does not depend on the input, but for
// the longest line. It is for one goroutine.
type Compactor struct {
	options      CompactOptions
	hosts, paths []int64 // limits by depth
	text         pending
	open         []node  // from the TLD down to the last key
	apart        []apart // own lines away from what is below their nodes
	taken        []apart // those whose nodes are open
	key          []byte  // the last one in the tree
	hostEnd      int     // where its ")" is
	clean        int     // so many bytes of it are of a host that is well formed
	kept         []byte  // the last key, if it is outside of the tree
	isKept       bool    // the last key is outside
	lastAt       int64   // offset of the last line
	lastKept     int64   // offset of the last line outside of the tree; -1 before
	run          int64   // offset of the lines outside that come behind the last key in the tree
	flushAt      int     // size of the text in memory at which it is looked what can go
	flushStep    int     // what that grows by (tests set it)
	line         []byte  // being made
	bare         []byte  // an input line without the slash of its root
	excluded     excluded
	stats        CompactStats
	watch        *Measure // sees nodes open and close, or nil
}

// A node is a host or path that the last key lies below, or is.
type node struct {
	start  int64 // offset of its lines; lines outside may stand before the first one
	wild   int64 // rolled up and placed: offset of its wildcard's line
	ownAt  int64 // own: offset of its line
	ownEnd int64 // and of what comes behind
	count  int64 // children
	limit  int64 // it is rolled up when it has more
	sum    Frequency
	end    int // length of its key
	depth  int // labels of a host, segments of a path
	taken  int // 1 more than the index of its own line in taken; 0: none
	isPath bool
	rolled bool
	placed bool // the line behind the wildcard's is there
	own    bool // nothing but its own line has come
	mixed  bool // a wildcard of an older map is in the sum
}

// apart is the own line of a node that byte order keeps away from what is below
// it: of com,a)/b when com,a)/b-c comes before com,a)/b/d.
type apart struct {
	end      int // length of the node's key, with which the last key begins
	from, to int64
	sum      Frequency
}

// NewCompactor makes a compactor. Out gets the lines of the smaller map, many at
// a time, each with its line feed; the text is valid during the call.
func NewCompactor(o CompactOptions, out func(text []byte) error) *Compactor {
	c := &Compactor{options: o, lastKept: -1, flushAt: flushSize, flushStep: flushSize}
	c.hosts, c.paths = o.limits()
	c.text = pending{out: out, room: memorySize}
	c.stats.HostRolls = make([]int64, max(len(c.hosts), 2))
	c.stats.PathRolls = make([]int64, max(len(c.paths), 1))
	return c
}

// Add takes the next line, without its line feed. Headers are the caller's. The
// error is ErrMalformed for a line that was left out, ErrOrder or ErrQuery for one that
// ends the work.
func (c *Compactor) Add(line []byte) error {
	i := bytes.IndexByte(line, ' ')
	if i <= 0 {
		return ErrMalformed
	}
	key, value := line[:i], line[i+1:]
	frequency := value
	if j := bytes.IndexByte(value, ' '); j >= 0 {
		if frequency = value[:j]; !isObject(value[j+1:]) {
			return ErrMalformed
		}
	}
	f, ok := ParseFrequency(frequency)
	if !ok {
		return ErrMalformed
	}
	if hasQuery(key) || key[len(key)-1] == '/' && !isRoot(key) {
		return ErrQuery
	}
	if len(c.text.memory) >= c.flushAt {
		if err := c.flush(); err != nil {
			return err
		}
	}
	if isRoot(key) && !c.below(key[:len(key)-1]) {
		key = key[:len(key)-1]
		c.bare = append(append(append(c.bare[:0], key...), ' '), value...)
		line = c.bare
	}
	return c.take(key, line, f)
}

// below says whether the last key sorts behind the key without being it.
func (c *Compactor) below(key []byte) bool {
	return c.isKept && bytes.Compare(c.kept, key) > 0
}

func (c *Compactor) take(key, line []byte, f Frequency) error {
	shared := commonPrefix(c.key, key)
	if c.isKept {
		switch order := bytes.Compare(key, c.kept); {
		case order < 0:
			return ErrOrder
		case order == 0:
			return c.again(key, line, f)
		}
	} else if shared == len(key) {
		if shared < len(c.key) || shared == 0 {
			return ErrOrder
		}
		return c.again(key, line, f)
	} else if shared < len(c.key) && key[shared] < c.key[shared] {
		return ErrOrder
	}
	if hasControl(key[shared:]) {
		return ErrMalformed
	}
	c.stats.Keys++
	c.stats.Sum.Add(f)
	shape, ok := c.shape(key, shared)
	if f.IsZero() {
		if ok && shape.wildcard && c.isRolled(key[:shape.stop], shared) {
			return nil // what it excludes has been found
		}
		c.stats.Exclusions++
		c.excluded.add(key)
		return c.keep(key, line)
	}
	if !ok || c.excluded.covers(key) {
		return c.keep(key, line)
	}
	return c.grow(key, line, f, shape, shared)
}

// A shape is where the parts of a key lie.
type shape struct {
	hostEnd  int // where the host ends
	stop     int // where the key of the last node ends
	wildcard bool
	isHost   bool // the last node is a host: its wildcard is the key
}

// shape finds the parts of a key of which so many bytes are those of the last
// one. It is false for a key outside of the tree: without a host, or with one
// whose bytes would tear nodes apart.
func (c *Compactor) shape(key []byte, shared int) (shape, bool) {
	end := c.hostEnd
	if shared <= end {
		for end = min(shared, c.clean); ; end++ {
			if end == len(key) {
				return shape{}, false
			}
			if b := key[end]; b == ')' || b == '*' || b == '+' {
				break
			}
		}
	}
	last := len(key) - 1
	switch {
	case key[end] == '*':
		return shape{last - 1, last - 1, true, true}, end == last && end > 1 && key[end-1] == ','
	case key[end] != ')' || end == 0 || end < last && key[end+1] != '/':
		return shape{}, false
	case key[last] == '*' && key[last-1] == '/' && last-1 > end:
		return shape{end, last - 1, true, false}, true
	case last == end+1: // the slash of a root
		return shape{end, last, false, false}, true
	}
	return shape{end, len(key), false, false}, true
}

// isRolled says whether a node, of whose key so many bytes are those of the last one,
// is rolled up.
func (c *Compactor) isRolled(node []byte, shared int) bool {
	n := len(c.open) - 1
	return n >= 0 && c.open[n].rolled && c.open[n].end == len(node) && len(node) <= shared
}

// keep passes on a line that is never rolled up.
func (c *Compactor) keep(key, line []byte) error {
	at := c.text.end()
	if n := len(c.open) - 1; n >= 0 && c.open[n].rolled && !c.open[n].placed && c.behind(n, key) {
		c.open[n].wild, c.open[n].placed = at, true
	}
	c.text.memory = append(append(c.text.memory, line...), '\n')
	c.lastAt, c.lastKept = at, at
	c.kept, c.isKept = append(c.kept[:0], key...), true
	if c.watch != nil {
		c.watch.passed(1)
	}
	return nil
}

// behind says whether a key sorts behind a node's wildcard.
func (c *Compactor) behind(n int, key []byte) bool {
	c.line = c.appendWildcard(c.line[:0], n)
	return bytes.Compare(key, c.line) > 0
}

func (c *Compactor) appendWildcard(dst []byte, n int) []byte {
	dst = append(dst, c.key[:c.open[n].end]...)
	if c.open[n].isPath {
		return append(dst, "/*"...)
	}
	return append(dst, ",*"...)
}

// grow takes a line into the tree.
func (c *Compactor) grow(key, line []byte, f Frequency, s shape, shared int) error {
	for n := len(c.open) - 1; n >= 0; n-- {
		if o := &c.open[n]; o.end <= shared && o.holds(key[o.end]) {
			break
		}
		if err := c.shut(key, shared); err != nil {
			return err
		}
	}
	for n := len(c.apart) - 1; n >= 0 && c.apart[n].end > shared; n-- {
		c.apart = c.apart[:n]
	}
	c.key = append(c.key[:shared], key[shared:]...)
	c.isKept = false
	c.hostEnd, c.clean = s.hostEnd, s.hostEnd
	if s.isHost {
		c.hostEnd = len(key) // no other key has this host
	}
	rolled, err := c.openTo(s)
	if err != nil {
		return err
	}
	n := len(c.open) - 1
	if s.wildcard && !rolled && c.options.Absorb {
		if rolled, err = c.roll(n); err != nil {
			return err
		}
	}
	top := &c.open[len(c.open)-1]
	if rolled {
		top.absorb(f, c.options.Absorb && s.wildcard)
		c.lastAt = c.text.end()
		c.run = c.lastAt
		return nil
	}
	top.sum.Add(f)
	c.lastAt = c.text.end()
	c.text.memory = append(append(c.text.memory, line...), '\n')
	c.run = c.text.end()
	top.own, top.ownAt, top.ownEnd = !s.wildcard, c.lastAt, c.run
	if c.watch != nil {
		c.watch.line(n)
	}
	return nil
}

// holds says whether a key in which the byte comes behind the node's lies below it.
func (n *node) holds(b byte) bool {
	if n.isPath {
		return b == '/'
	}
	return b == ',' || b == ')'
}

// absorb adds to a node that is rolled up. What comes with and after the wildcard
// of an older map can be of the same URIs.
func (n *node) absorb(f Frequency, older bool) {
	if n.mixed = n.mixed || older; n.mixed {
		n.sum.merge(f)
	} else {
		n.sum.Add(f)
	}
}

// openTo opens the nodes of the last key that are not open yet, up to one that is
// rolled up.
func (c *Compactor) openTo(s shape) (rolled bool, err error) {
	pos, depth, isPath := 0, 0, false
	if n := len(c.open) - 1; n >= 0 {
		if c.open[n].rolled {
			return true, nil
		}
		pos, depth, isPath = c.open[n].end, c.open[n].depth, c.open[n].isPath
		c.open[n].own = false
	}
	if !isPath {
		for pos < s.hostEnd {
			begin := pos
			if depth > 0 {
				begin++ // the comma
			}
			end := begin
			for end < s.hostEnd && c.key[end] != ',' {
				end++
			}
			pos, depth = end, depth+1
			if rolled, err = c.push(end, depth, false); rolled || err != nil {
				return rolled, err
			}
		}
		if s.isHost {
			return false, nil
		}
		pos, depth = s.hostEnd+1, 0
		c.openNode(pos, 0, true)
	}
	for pos < s.stop {
		end := pos + 1
		for end < s.stop && c.key[end] != '/' {
			end++
		}
		pos, depth = end, depth+1
		if rolled, err = c.push(end, depth, true); rolled || err != nil {
			return rolled, err
		}
	}
	return false, nil
}

// push opens a node whose parent is the last open one. The parent gets a child, and
// may be rolled up with it.
func (c *Compactor) push(end, depth int, isPath bool) (rolled bool, err error) {
	parent := len(c.open) - 1
	if n := len(c.apart) - 1; n >= 0 && c.apart[n].end == end {
		// Its own line came before: it has been counted.
		c.openNode(end, depth, isPath)
		c.taken = append(c.taken, c.apart[n])
		c.open[parent+1].taken = len(c.taken)
		c.apart = c.apart[:n]
		if c.watch != nil {
			c.watch.rejoin(parent + 1)
		}
		return false, nil
	}
	if parent >= 0 {
		p := &c.open[parent]
		if p.count++; p.count > p.limit {
			if rolled, err = c.roll(parent); rolled || err != nil {
				return rolled, err
			}
		}
	}
	c.openNode(end, depth, isPath)
	if !isPath && len(c.options.Roll) > 0 && c.options.Roll[string(c.key[:end])] {
		return c.roll(parent + 1)
	}
	return false, nil
}

func (c *Compactor) openNode(end, depth int, isPath bool) {
	limits := c.hosts
	if isPath {
		limits = c.paths
	}
	limit := int64(never)
	if depth < len(limits) {
		limit = limits[depth]
	}
	c.open = append(c.open, node{start: c.run, limit: limit, end: end, depth: depth, isPath: isPath})
	if c.watch != nil {
		c.watch.opened(len(c.open) - 1)
	}
}

// commonPrefix is the number of bytes that two keys begin with alike.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	a, b = a[:n], b[:n]
	i := 0
	for ; i+8 <= n; i += 8 {
		if x := load(a[i:]) ^ load(b[i:]); x != 0 {
			return i + firstByte(x)
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}
