package webgraph

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func counterOf(o CounterOptions, ids ...int64) *counter {
	c := new(counter)
	for _, id := range ids {
		c.merge(&counter{ids: []int64{id}}, o)
	}
	return c
}

// TestCountersAreSets puts sets together in different orders and parts.
func TestCountersAreSets(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		o := CounterOptions{Exact: r.IntN(20), Bits: 4 + r.IntN(4)}
		ids := make([]int64, 1+r.IntN(60))
		for i := range ids {
			ids[i] = r.Int64N(50)
		}
		want := counterOf(o, ids...)
		r.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		cut := r.IntN(len(ids) + 1)
		a, b := counterOf(o, ids[:cut]...), counterOf(o, ids[cut:]...)
		before := a.append(nil)
		grown := cut < len(ids) && a.merge(b, o)
		if !bytes.Equal(a.append(nil), want.append(nil)) {
			t.Fatalf("%+v, %v cut at %d: %s, want %s", o, ids, cut, a.append(nil), want.append(nil))
		}
		if changed := !bytes.Equal(before, a.append(nil)); grown != changed {
			t.Errorf("%+v, %v cut at %d: grown %v, changed %v", o, ids, cut, grown, changed)
		}
		if a.merge(want, o) || a.merge(a, o) {
			t.Errorf("%+v, %v: grown by itself", o, ids)
		}
		slices.Sort(ids)
		distinct := len(slices.Compact(ids))
		if want.isExact() != (distinct <= o.Exact || distinct == 1) {
			t.Errorf("%+v: %d vertices, exact: %v", o, distinct, want.isExact())
		}
		if want.isExact() && want.size() != float64(distinct) {
			t.Errorf("%d vertices, counted %g", distinct, want.size())
		}
		var again counter
		if err := again.parse(want.append(nil), o); err != nil || !bytes.Equal(again.append(nil), want.append(nil)) {
			t.Errorf("%s is read as %s: %v", want.append(nil), again.append(nil), err)
		}
	}
}

// TestErrorOfCounters measures the deviation that the package states, from a few
// vertices to many more than there are registers.
func TestErrorOfCounters(t *testing.T) {
	for _, bits := range []int{4, 6, 8, 10} {
		o := CounterOptions{Exact: 1, Bits: bits}
		stated := 1.04 / math.Sqrt(float64(int(1)<<bits))
		for _, n := range []int{2 << bits, 5 << bits, 20 << bits, 100 << bits} {
			const trials = 150
			sum, squares := 0.0, 0.0
			for trial := range trials {
				var c counter
				c.approximate(o)
				for i := range n {
					c.put(int64(trial)<<32|int64(i), o)
				}
				e := c.size()/float64(n) - 1
				sum += e
				squares += e * e
			}
			deviation := math.Sqrt(squares / trials)
			// Of 150 trials the deviation itself has one of 6 %. Where linear counting
			// ends, HyperLogLog is known to be worse.
			if deviation > 1.25*stated || math.Abs(sum/trials) > stated/2 {
				t.Errorf("2^%d registers, %d vertices: deviation %.4f, mean %.4f; %.4f is stated", bits, n, deviation, sum/trials, stated)
			}
		}
	}
}

func FuzzCounter(f *testing.F) {
	o := CounterOptions{Exact: 4, Bits: 4}
	f.Add([]byte("x1,2,3"), []byte("hAAAAAAAAAAAAAAAAAAAAAA"))
	f.Add([]byte("x"), []byte("x18446744073709551616"))
	f.Fuzz(func(t *testing.T, a, b []byte) {
		var c, d counter
		if c.parse(a, o) != nil || d.parse(b, o) != nil {
			return
		}
		c.merge(&d, o)
		if c.merge(&d, o) {
			t.Errorf("%q grows by %q twice", a, b)
		}
		if size := c.size(); !(size >= 0) {
			t.Errorf("%q and %q: size %g", a, b, size)
		}
		var again counter
		if err := again.parse(c.append(nil), o); err != nil {
			t.Errorf("%q and %q: %s is not read: %v", a, b, c.append(nil), err)
		}
	})
}
