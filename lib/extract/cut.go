package extract

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"strconv"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// CutOptions say how a plan is cut into splits.
type CutOptions struct {
	Order    Order
	MaxSize  int64 // of a split's records, in bytes
	Splits   int64 // this many splits instead, as equal as can be; 0: by MaxSize
	Total    int64 // size of all records, in bytes; needed for Splits
	Reducers int   // number of reducers that cut
}

// The counters that together tell one plan, as it is cut, from another: sums over its
// lines, which do not depend on how many reducers cut it nor on which engine.
const (
	planHigh = "plan-high"
	planLow  = "plan-low"
)

// CutSplits is the reducer that cuts a sorted plan into splits, one side file
// for each map task: split-NNNNNN.tsv, lines in archive order's form. No split
// is empty, and none is larger than MaxSize unless one record is.
func CutSplits(t *stage.Task, o CutOptions) error {
	c := cutter{task: t, CutOptions: o, next: int64(t.Partition())}
	c.how = fmt.Sprintf("%s %d %d %d\n", o.Order, o.MaxSize, o.Splits, o.Reducers)
	var it item
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if err := it.parse(line, o.Order); err != nil {
			return err
		}
		if err := c.add(&it); err != nil {
			return err
		}
	}
	t.Count(planHigh, c.high)
	t.Count(planLow, c.low)
	return c.close()
}

type cutter struct {
	CutOptions
	task  *stage.Task
	next  int64 // number of the next split
	file  storage.Writer
	w     *bufio.Writer
	size  int64 // of the open split's records
	done  int64 // size of all records before the next one
	share int64 // which of Splits equal shares the open split is
	line  []byte

	how       string // it is cut, for the sums
	lines     int64
	high, low int64 // sums of 32 bits of each line's hash
}

// sum adds a line to what tells the plan from others: what it says, and its place
// where the order of the lists is kept. Its position depends on how the lists were read.
func (c *cutter) sum(it *item) {
	c.lines++
	b := append(c.line[:0], c.how...)
	if c.Order == ByInput {
		b = append(strconv.AppendInt(b, c.lines, 10), '\t')
	}
	b = append(append(b, it.archive...), '\t')
	b = append(strconv.AppendInt(b, it.offset, 10), '\t')
	b = append(append(appendLength(b, it.length), it.form...), '\t')
	b = append(b, it.line...)
	hash := sha256.Sum256(b)
	c.high += int64(binary.BigEndian.Uint32(hash[:4]))
	c.low += int64(binary.BigEndian.Uint32(hash[4:8]))
	c.line = b
}

// add puts an item into the open split or, where it does not fit, a new one.
func (c *cutter) add(it *item) error {
	size := it.size()
	full := c.size+size > c.MaxSize
	if c.Splits > 0 {
		share := min(int64(float64(c.done)/float64(max(c.Total, 1))*float64(c.Splits)), c.Splits-1)
		full = share != c.share
		c.share = share
	}
	if c.w == nil || full {
		if err := c.open(); err != nil {
			return err
		}
	}
	c.size += size
	c.done += size
	c.sum(it)
	c.line = append(it.appendPlan(c.line[:0], ByArchive), '\n')
	_, err := c.w.Write(c.line)
	return err
}

func (c *cutter) open() error {
	if err := c.close(); err != nil {
		return err
	}
	file, err := c.task.Create(splitName(c.next))
	if err != nil {
		return err
	}
	c.file, c.w, c.size = file, bufio.NewWriterSize(file, 256<<10), 0
	// Reducers number their splits in turn, so that none needs to know how
	// many another one makes.
	c.next += int64(max(c.Reducers, 1))
	c.task.Count("splits", 1)
	return nil
}

func (c *cutter) close() error {
	if c.w == nil {
		return nil
	}
	err := c.w.Flush()
	if e := c.file.Close(); err == nil {
		err = e
	}
	c.w = nil
	return err
}

func splitName(n int64) string { return fmt.Sprintf("split-%06d.tsv", n) }
