package mementomap

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

func load(b []byte) uint64 { return binary.LittleEndian.Uint64(b) }

// firstByte is the index of the first byte that is not zero.
func firstByte(x uint64) int { return bits.TrailingZeros64(x) >> 3 }

// roll rolls up an open node with all that is open below it: its lines are taken
// back, but for those that are never rolled up. It is false for a host that is to
// be kept.
func (c *Compactor) roll(n int) (bool, error) {
	p := &c.open[n]
	if !p.isPath && c.options.Keep != nil && c.options.Keep(c.key[:p.end]) {
		p.limit = never
		return false, nil
	}
	for len(c.open)-1 > n {
		last := len(c.open) - 1
		p.sum.Add(c.open[last].sum)
		c.untake(last)
		c.open = c.open[:last]
	}
	for a := len(c.apart) - 1; a >= 0 && c.apart[a].end > p.end; a-- {
		c.apart = c.apart[:a]
	}
	p.rolled, p.placed, p.own = true, false, false
	if c.watch != nil {
		c.watch.rolled(n)
	}
	if p.isPath {
		c.stats.PathRolls[min(p.depth, len(c.stats.PathRolls)-1)]++
	} else {
		c.stats.HostRolls[min(p.depth, len(c.stats.HostRolls)-1)]++
	}
	if p.taken > 0 {
		own := c.taken[p.taken-1]
		if err := c.text.remove(own.from, own.to); err != nil {
			return false, err
		}
		p.start -= own.to - own.from
	}
	if c.lastKept < p.start {
		c.text.truncate(p.start)
		return true, nil
	}
	var err error
	var x excluded
	p.wild, p.placed, err = c.text.filter(p.start, x.isOutside, func(line []byte) bool {
		key, _, _ := bytes.Cut(line, []byte{' '})
		return c.behind(n, key)
	})
	// Lines outside may have moved: none is known to lie before this one.
	c.lastKept = c.text.end()
	return true, err
}

// untake forgets the own line of a node that closes.
func (c *Compactor) untake(n int) {
	if t := c.open[n].taken; t > 0 {
		c.taken = c.taken[:t-1]
	}
}

// excluded is what the last wildcard of zero frequency covers: the begin of all keys
// below its node.
type excluded struct{ begin []byte }

// add takes the key of an exclusion.
func (x *excluded) add(key []byte) {
	if n := len(key) - 1; n > 0 && key[n] == '*' && (key[n-1] == '/' || key[n-1] == ',') && !x.covers(key) {
		x.begin = append(x.begin[:0], key[:n]...)
	}
}

// covers says whether a key, which sorts behind the exclusion, is below it.
func (x *excluded) covers(key []byte) bool {
	return len(x.begin) > 0 && bytes.HasPrefix(key, x.begin)
}

// isOutside says whether a line of the text is never rolled up. It is asked for line
// after line.
func (x *excluded) isOutside(line []byte) bool {
	key, value, _ := bytes.Cut(line, []byte{' '})
	frequency, _, _ := bytes.Cut(value, []byte{' '})
	f, _ := ParseFrequency(frequency)
	if f.IsZero() {
		x.add(key)
		return true
	}
	none := Compactor{}
	_, ok := none.shape(key, 0)
	return !ok || x.covers(key)
}

// shut closes the last open node. The next key has so many bytes in common with
// the last one.
func (c *Compactor) shut(next []byte, shared int) error {
	last := len(c.open) - 1
	n := &c.open[last]
	switch {
	case n.rolled:
		sum := n.sum
		if n.taken > 0 {
			sum.Add(c.taken[n.taken-1].sum)
		}
		c.line = append(c.appendWildcard(c.line[:0], last), ' ')
		c.line = append(sum.Append(c.line), '\n')
		at := c.text.end()
		if n.placed {
			at = n.wild
		}
		if err := c.text.insert(at, c.line); err != nil {
			return err
		}
		// Lines before this wildcard are before those of the next nodes too.
		c.run = max(c.run, at) + int64(len(c.line))
		if c.lastKept >= at {
			c.lastKept += int64(len(c.line))
		}
	case n.own && n.isPath && n.depth > 0 && n.end <= shared && next[n.end] < '/':
		c.apart = append(c.apart, apart{n.end, n.ownAt, n.ownEnd, n.sum})
	}
	if c.watch != nil {
		c.watch.closed(last, n, !n.isPath && c.options.Keep != nil && c.options.Keep(c.key[:n.end]))
	}
	if last > 0 {
		c.open[last-1].sum.Add(n.sum)
	}
	c.untake(last)
	c.open = c.open[:last]
	return nil
}

// again takes a line of the same key as the last one: of another map.
func (c *Compactor) again(key, line []byte, f Frequency) error {
	if f.IsZero() {
		return nil // what one map excludes another one has, or excludes too
	}
	if c.isKept && frequencyOf(c.lastLine()).IsZero() {
		c.text.truncate(c.lastAt)
		c.isKept = false
		c.stats.Keys--
		c.stats.Exclusions--
		if c.watch != nil {
			c.watch.passed(-1)
		}
		return c.take(key, line, f)
	}
	c.stats.Sum.merge(f)
	if c.isKept {
		c.rewrite(line, f)
		return nil
	}
	top := &c.open[len(c.open)-1]
	top.sum.merge(f)
	if !top.rolled {
		c.rewrite(line, f)
		top.ownEnd = c.text.end()
		c.run = top.ownEnd
	}
	return nil
}

// lastLine gives the last line, which is still in memory.
func (c *Compactor) lastLine() []byte {
	text := c.text.memory[c.lastAt-c.text.base:]
	return text[:len(text)-1]
}

func frequencyOf(line []byte) Frequency {
	_, value, _ := bytes.Cut(line, []byte{' '})
	text, _, _ := bytes.Cut(value, []byte{' '})
	f, _ := ParseFrequency(text)
	return f
}

// rewrite adds to the last line what another one of the same key has. A JSON
// object stays if both have the same.
func (c *Compactor) rewrite(line []byte, f Frequency) {
	old := c.lastLine()
	sum := frequencyOf(old)
	sum.merge(f)
	key, value, _ := bytes.Cut(old, []byte{' '})
	_, object, _ := bytes.Cut(value, []byte{' '})
	_, value, _ = bytes.Cut(line, []byte{' '})
	_, other, _ := bytes.Cut(value, []byte{' '})
	c.line = append(append(c.line[:0], key...), ' ')
	c.line = sum.Append(c.line)
	if len(object) > 0 && bytes.Equal(object, other) {
		c.line = append(append(c.line, ' '), object...)
	}
	c.text.truncate(c.lastAt)
	c.text.memory = append(append(c.text.memory, c.line...), '\n')
}

// flush gives out what is final, and keeps the last line in memory in any case.
func (c *Compactor) flush() error {
	final := min(c.lastAt, c.run)
	for i := range c.open {
		if n := &c.open[i]; n.rolled || n.limit != never {
			final = min(final, n.start)
			break
		}
	}
	if len(c.apart) > 0 {
		final = min(final, c.apart[0].from)
	}
	if len(c.taken) > 0 {
		final = min(final, c.taken[0].from)
	}
	if err := c.text.release(final, c.lastAt); err != nil {
		return err
	}
	c.flushAt = len(c.text.memory) + c.flushStep
	return nil
}

// Close ends the map. It must be called once, also after an error.
func (c *Compactor) Close() error {
	defer c.text.close()
	for len(c.open) > 0 {
		if err := c.shut(nil, -1); err != nil {
			return err
		}
	}
	return c.text.release(c.text.end(), c.text.end())
}

// Stats tell what has been done; all of it after Close.
func (c *Compactor) Stats() CompactStats {
	s := c.stats
	s.Lines = c.text.lines
	return s
}
