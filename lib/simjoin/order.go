package simjoin

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// ranks are the places of the counters in the global order.
type ranks []uint32

// readRanks reads a file of counters.
func readRanks(name string) (ranks, error) {
	f, err := storage.OpenStream(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content := make([]byte, 4<<orderBits)
	// Empty where there was no document at all.
	if _, err := io.ReadFull(f, content); err != nil && err != io.EOF {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	counts := make([]uint32, 1<<orderBits)
	for i := range counts {
		counts[i] = binary.LittleEndian.Uint32(content[4*i:])
	}
	return rank(counts), nil
}

// rank orders counters by count and number. Most are zero in a small collection.
func rank(counts []uint32) ranks {
	r := make(ranks, len(counts))
	var order []uint64
	place := uint32(0)
	for i, n := range counts {
		if n > 0 {
			order = append(order, uint64(n)<<32|uint64(i))
			continue
		}
		r[i] = place
		place++
	}
	slices.Sort(order)
	for _, o := range order {
		r[uint32(o)] = place
		place++
	}
	return r
}

// arrange brings a set into the global order.
func (r ranks) arrange(set []uint64, width int) {
	const rest = 64 - orderBits
	for i := 0; i < len(set); i += width {
		set[i] = uint64(r[set[i]>>rest])<<rest | set[i]&(1<<rest-1)
	}
	if width == 1 {
		slices.Sort(set)
		return
	}
	pairs := make([][2]uint64, 0, len(set)/2)
	for i := 0; i+1 < len(set); i += 2 {
		pairs = append(pairs, [2]uint64{set[i], set[i+1]})
	}
	slices.SortFunc(pairs, func(x, y [2]uint64) int {
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]))
	})
	for i, p := range pairs {
		set[2*i], set[2*i+1] = p[0], p[1]
	}
}

// inSample says whether a set is in a sample of one of so many.
func inSample(r *record, one uint64) bool { return binary.BigEndian.Uint64(r.digest[:])%one == 0 }

// OrderOptions say where order-sets reads and what it makes besides.
type OrderOptions struct {
	Counts string // file of the counters
	Sample int    // one of so many sets goes into the sample; 0: none
}

// OrderSets is the mapper that brings the sets of blocks into the global order. Its
// input lines are paths of blocks. It makes the side files sets/NAME, of the same
// names, and _sample/NAME, and a line of blocks.tsv for each.
func OrderSets(t *stage.Task, o OrderOptions) error {
	var order ranks
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		if order == nil {
			if order, err = readRanks(o.Counts); err != nil {
				return err
			}
		}
		if err := orderBlock(t, order, string(line), o.Sample); err != nil {
			return err
		}
	}
	return nil
}

func orderBlock(t *stage.Task, order ranks, path string, sample int) error {
	in, err := openBlock(path)
	if err != nil {
		return err
	}
	defer in.close()
	var out, some *blockFile
	defer func() { out.abort(); some.abort() }()
	if out, err = createBlock(t, "sets/"+in.base(), in.width); err != nil {
		return err
	}
	if some, err = createBlock(t, "_sample/"+in.base(), in.width); err != nil {
		return err
	}
	about := newBlockInfo(in.base())
	var r record
	for {
		if err := in.next(&r); err == io.EOF {
			break
		} else if err != nil {
			return err
		}
		order.arrange(r.words, in.width)
		about.add(&r)
		if err := out.write(&r); err != nil {
			return err
		}
		if sample > 0 && inSample(&r, uint64(sample)) {
			if err := some.write(&r); err != nil {
				return err
			}
		}
	}
	if err := errors.Join(out.close(), some.close()); err != nil {
		return err
	}
	return t.Write(about.append(nil))
}
