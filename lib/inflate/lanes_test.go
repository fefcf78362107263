package inflate

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
)

// checkAhead inflates members with an Ahead, each announced before, and holds what
// comes of them against a Decoder.
func checkAhead(t testing.TB, limit int, members [][]byte) {
	t.Helper()
	p, d := Ahead{Limit: limit}, Decoder{Limit: limit}
	for i, src := range members {
		want, wantN, wantErr := d.Member(nil, src)
		got, n, err := p.Member(src, members[i+1:])
		var corrupt *CorruptError
		switch {
		case errors.As(wantErr, &corrupt):
			// Where the symbol is that cannot be may be said some bytes off.
			if !errors.Is(err, ErrCorrupt) || !bytes.Equal(got, want) {
				t.Fatalf("member %d: %d bytes, %v, want %d, %v", i, len(got), err, len(want), wantErr)
			}
		case err != wantErr || n != wantN || !bytes.Equal(got, want):
			t.Fatalf("member %d: %d bytes of %d, %v, want %d of %d, %v", i, len(got), n, err, len(want), wantN, wantErr)
		}
	}
}

// mixed gives members of all sizes and kinds of blocks.
func mixed(t testing.TB) [][]byte {
	random := rand.New(rand.NewPCG(1, 2))
	var all [][]byte
	for range 60 {
		data := text(random.IntN(300_000))
		switch random.IntN(5) {
		case 0:
			for i := range data {
				data[i] = byte(random.Uint32())
			}
		case 1: // runs and short periods
			period := 1 + random.IntN(20)
			for i := period; i < len(data); i++ {
				data[i] = data[i-period]
			}
		case 2: // many symbols, so that some codes are long
			for i := range data {
				if random.IntN(4) == 0 {
					data[i] = byte(random.ExpFloat64() * 30)
				}
			}
		}
		all = append(all, member(t, data, []int{-2, 0, 1, 6, 9}[random.IntN(5)]))
	}
	return all
}

func TestAhead(t *testing.T) {
	members := mixed(t)
	for _, limit := range []int{0, 1 << 20, 100_000, 1000} {
		checkAhead(t, limit, members)
	}
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		var some [][]byte
		for range 4 {
			m := bytes.Clone(members[random.IntN(len(members))])
			switch random.IntN(4) {
			case 0:
				m = m[:random.IntN(len(m)+1)]
			case 1:
				m[random.IntN(len(m))] ^= 1 << random.IntN(8)
			case 2:
				m = append(m, members[0]...)
			}
			some = append(some, m)
		}
		checkAhead(t, 1<<20, some)
	}
}

// TestAheadOfAnother has what was announced not be what comes.
func TestAheadOfAnother(t *testing.T) {
	members := mixed(t)
	var p Ahead
	var d Decoder
	for i := range len(members) - 5 {
		if i%7 == 3 {
			p.Forget()
		}
		want, _, _ := d.Member(nil, members[i])
		got, _, err := p.Member(members[i], members[i+1+i%2:i+2+i%2+i%3])
		if err != nil || !bytes.Equal(got, want) {
			t.Fatalf("member %d: %v", i, err)
		}
	}
}

// TestAheadAlone has a processor that cannot do two at a time.
func TestAheadAlone(t *testing.T) {
	defer func(before bool) { hasLanes = before }(hasLanes)
	hasLanes = false
	checkAhead(t, 0, mixed(t)[:20])
}

func TestRealAhead(t *testing.T) {
	checkAhead(t, 8<<20, split(t, realMembers(t)))
}

// split gives the members that stand one behind the other.
func split(t testing.TB, src []byte) [][]byte {
	t.Helper()
	var members [][]byte
	var d Decoder
	var out []byte
	for len(src) > 0 {
		var n int
		var err error
		if out, n, err = d.Member(out[:0], src); err != nil {
			t.Fatal(err)
		}
		members, src = append(members, src[:n]), src[n:]
	}
	return members
}

func FuzzAhead(f *testing.F) {
	for i, level := range levels {
		a, b := member(f, text(500*(i+1)), level), member(f, append(make([]byte, 700), text(900)...), level)
		f.Add(a, b, 0)
		f.Add(b, a[:len(a)/2], 1000)
	}
	f.Fuzz(func(t *testing.T, a, b []byte, limit int) {
		if limit <= 0 || limit > 1<<22 {
			limit = 1 << 22
		}
		checkAhead(t, limit, [][]byte{a, b, a})
	})
}

func BenchmarkAhead(b *testing.B) {
	members := split(b, records(b))
	var p Ahead
	for b.Loop() {
		size := 0
		for i, m := range members {
			out, _, err := p.Member(m, members[i+1:])
			if err != nil {
				b.Fatal(err)
			}
			size += len(out)
		}
		b.SetBytes(int64(size))
	}
}
