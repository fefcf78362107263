package webgraph

import (
	"bytes"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"

	"archivestream/lib/stage"
)

// whole is what the PageRanks of all vertices add up to, but for what divisions
// leave.
const whole = 1 << 60

// damping is the damping factor of PageRank, in hundredths.
const damping = 85

// RankOptions say where the iterations are.
type RankOptions struct {
	Vertices int64 // of the graph
	Step     int64 // of the iteration, from 1
	Dangling int64 // rank that vertices without edges had after the step before
	Counter  CounterOptions
}

// base is the rank that a vertex has from the damping and from vertices without
// edges.
func (o RankOptions) base() uint64 {
	sum := new(big.Int).Mul(big.NewInt(whole), big.NewInt(100-damping))
	sum.Add(sum, new(big.Int).Mul(big.NewInt(o.Dangling), big.NewInt(damping)))
	return sum.Div(sum, new(big.Int).Mul(big.NewInt(100), big.NewInt(o.Vertices))).Uint64()
}

// share is the rank that a vertex gives to each of n others.
func share(rank uint64, n uint64) uint64 {
	hi, lo := bits.Mul64(rank, damping)
	quotient, _ := bits.Div64(hi, lo, 100*n)
	return quotient
}

// A message is what a vertex is told in an iteration.
type message struct {
	rank    uint64
	counter counter
	counted bool // there is a counter
}

// messages gathers the messages to each vertex and gives them out when there are
// many: what a combiner does for Hadoop.
type messages struct {
	task    *stage.Task
	options RankOptions
	to      map[int64]*message
	spare   []*message
	held    int // ids and registers
	line    []byte
}

const (
	heldMessages = 1 << 15
	heldBytes    = 32 << 20
)

func (m *messages) tell(to int64, rank uint64, c *counter) error {
	one, ok := m.to[to]
	if !ok {
		if len(m.to) >= heldMessages || m.held >= heldBytes {
			if err := m.flush(); err != nil {
				return err
			}
		}
		one = m.fresh()
		m.to[to] = one
	}
	one.rank += rank
	if c != nil {
		one.counted = true
		one.counter.merge(c, m.options.Counter)
		m.held += 8*len(c.ids) + len(c.registers)
	}
	return nil
}

func (m *messages) fresh() *message {
	n := len(m.spare)
	if n == 0 {
		return new(message)
	}
	one := m.spare[n-1]
	m.spare = m.spare[:n-1]
	one.rank, one.counted = 0, false
	one.counter.reset()
	return one
}

func (m *messages) flush() error {
	for to, one := range m.to {
		m.line = append(appendID(m.line[:0], to), '\t')
		m.line = strconv.AppendUint(m.line, one.rank, 10)
		m.line = append(m.line, '\t')
		if one.counted {
			m.line = one.counter.append(m.line)
		}
		if err := m.task.Write(m.line); err != nil {
			return err
		}
		m.spare = append(m.spare, one)
	}
	clear(m.to)
	m.held = 0
	return nil
}

// SpreadRanks is the mapper of an iteration. Its input are records of vertices; it
// gives ID TAB RANK TAB COUNTER for what a vertex is told, the counter being empty
// where it has not grown, and the records themselves. The first iteration gives each
// vertex its equal share of the rank.
func SpreadRanks(t *stage.Task, o RankOptions) error {
	m := messages{task: t, options: o, to: map[int64]*message{}}
	var v vertex
	var c counter
	var fields [][]byte
	var line []byte
	for read, err := range t.Lines() {
		if err != nil {
			return err
		}
		if fields, err = v.parse(fields, read); err != nil {
			return err
		}
		if o.Step == 1 {
			v.rank = whole / uint64(o.Vertices)
		}
		line = v.append(line[:0])
		if err := t.Write(line); err != nil {
			return err
		}
		if len(v.out) == 0 {
			continue
		}
		given := share(v.rank, uint64(bytes.Count(v.out, []byte(","))+1))
		counted := (*counter)(nil)
		if v.changed {
			if err := c.parse(v.counter, o.Counter); err != nil {
				return fmt.Errorf("vertex %s: %w", v.id, err)
			}
			counted = &c
		}
		var failed error
		err = eachID(v.out, func(to int64) {
			if e := m.tell(to, given, counted); failed == nil {
				failed = e
			}
		})
		if err == nil {
			err = failed
		}
		if err != nil {
			return err
		}
	}
	return m.flush()
}

// GatherRanks is the reducer of an iteration: records of vertices with what these
// were told. It counts how far the iterations are: "changed" vertices whose counter
// has grown, "moved" rank, "dangling" rank of vertices without edges, and all "rank".
func GatherRanks(t *stage.Task, o RankOptions) error {
	base := o.base()
	var v vertex
	var own, told counter
	var record, line []byte
	var fields [][]byte
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		record = record[:0]
		rank := base
		grown := false
		own.reset()
		for value, err := range group.Values() {
			if err != nil {
				return err
			}
			fields = stage.Fields(fields, value, 0)
			if len(fields) == vertexFields-1 {
				record = append(append(append(record[:0], group.Key...), '\t'), value...)
				continue
			}
			if len(fields) != 2 {
				return fmt.Errorf("vertex %s is told %.80q", group.Key, value)
			}
			n, err := strconv.ParseUint(string(fields[0]), 10, 64)
			if err != nil {
				return fmt.Errorf("vertex %s: %w", group.Key, err)
			}
			rank += n
			if len(fields[1]) > 0 {
				if err := told.parse(fields[1], o.Counter); err != nil {
					return fmt.Errorf("vertex %s: %w", group.Key, err)
				}
				own.merge(&told, o.Counter)
				grown = true
			}
		}
		if len(record) == 0 {
			return fmt.Errorf("vertex %s has no record", group.Key)
		}
		if fields, err = v.parse(fields, record); err != nil {
			return err
		}
		t.Count("moved", int64(max(rank, v.rank)-min(rank, v.rank)))
		v.rank = rank
		t.Count("rank", int64(rank))
		if len(v.out) == 0 {
			t.Count("dangling", int64(rank))
		}
		if v.changed = false; grown {
			if err := v.grow(&own, &told, o); err != nil {
				return err
			}
		}
		if v.changed {
			t.Count("changed", 1)
		}
		line = v.append(line[:0])
		if err := t.Write(line); err != nil {
			return err
		}
	}
	return nil
}

// grow adds what a vertex was told to its counter; before is a buffer.
func (v *vertex) grow(told, before *counter, o RankOptions) error {
	if err := before.parse(v.counter, o.Counter); err != nil {
		return fmt.Errorf("vertex %s: %w", v.id, err)
	}
	if v.changed = before.merge(told, o.Counter); !v.changed {
		return nil
	}
	size := before.size()
	if size > v.size {
		v.harmonic += (size - v.size) / float64(o.Step)
		v.size = size
	}
	v.counter = before.append(nil)
	return nil
}
