package inflate

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// noise gives bytes without order.
func noise(size int) []byte {
	out := make([]byte, size)
	x := uint32(size)*2654435761 + 1
	for i := range out {
		x = x*1664525 + 1013904223
		out[i] = byte(x >> 24)
	}
	return out
}

// TestMatches takes all lengths with the distances at which the way of copying
// changes, and the longest ones.
func TestMatches(t *testing.T) {
	before := noise(32768)
	var d Decoder
	for _, dist := range []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 257, 258, 259, 1024, 1025, 32767, 32768} {
		for length := 3; length <= 258; length++ {
			data := append([]byte(nil), before...)
			var w writer
			w.stored(before, 0)
			w.bits(1, 1)
			w.bits(kindFixed, 2)
			for range 2 { // far from the end of the input, and near it
				w.match(length, dist)
				for range length {
					data = append(data, data[len(data)-dist])
				}
				for _, literal := range before[:20] {
					w.fixed(int(literal))
				}
				data = append(data, before[:20]...)
			}
			w.fixed(256)
			whole := framed(w.out, data)
			out, _, err := d.Member(nil, whole)
			if err != nil || !bytes.Equal(out, data) {
				t.Fatalf("length %d at distance %d: %v", length, dist, err)
			}
		}
	}
}

// TestFarthest takes distances that lead to the member's first byte, which is
// sound, and to the one before it, which is not, though dst holds one.
func TestFarthest(t *testing.T) {
	for _, size := range []int{1, 2, 7, 8, 16, 300, 32767, 32768} {
		for _, more := range []int{0, 1} {
			if size+more > 32768 {
				continue
			}
			data := noise(size)
			var w writer
			w.stored(data, 0)
			w.bits(1, 1)
			w.bits(kindFixed, 2)
			w.match(3, size+more)
			w.fixed(256)
			for i := range 3 {
				data = append(data, data[i])
			}
			var d Decoder
			for _, behind := range []int{0, 100} {
				src := append(framed(w.out, data), make([]byte, behind)...)
				compare(t, &d, src)
				out, _, err := d.Member([]byte("dst"), src)
				if more == 0 && err != nil || more == 1 && (!errors.Is(err, ErrCorrupt) || len(out) != 3+size) {
					t.Errorf("distance %d at %d: %d bytes, %v", size+more, size, len(out), err)
				}
			}
		}
	}
}

// TestRoom gives the output every room about a member's size, and looks that
// nothing is written behind its capacity or before its length.
func TestRoom(t *testing.T) {
	for _, size := range []int{0, 1, 2, 257, 258, 259, 291, 292, 293, 600, 65535, 65536, 65537} {
		for _, level := range []int{-2, 0, 1, 9} {
			for name, data := range map[string][]byte{"text": text(size), "run": make([]byte, size)} {
				src := member(t, data, level)
				for _, spare := range []int{0, 1, size - 600, size - 293, size - 292, size - 258, size - 1, size, size + 1, size + 291, size + 292, size + 293, size + 600} {
					if spare < 0 {
						continue
					}
					checkRoom(t, fmt.Sprintf("%s of %d at level %d, room %d", name, size, level, spare), src, data, spare)
				}
			}
		}
	}
}

func checkRoom(t *testing.T, name string, src, data []byte, spare int) {
	t.Helper()
	const fence = 40
	arena := bytes.Repeat([]byte{0xa5}, fence+spare+fence)
	var d Decoder
	out, n, err := d.Member(arena[:fence:fence+spare], src)
	if err != nil || n != len(src) || !bytes.Equal(out[fence:], data) {
		t.Fatalf("%s: %d bytes of %d, %v", name, len(out)-fence, n, err)
	}
	if spare >= len(data) && &out[0] != &arena[0] {
		t.Fatalf("%s: grown without need", name)
	}
	whole := bytes.Repeat([]byte{0xa5}, fence)
	if !bytes.Equal(arena[:fence], whole) || !bytes.Equal(arena[fence+spare:], whole) || !bytes.Equal(out[:fence], whole) {
		t.Fatalf("%s: written out of bounds", name)
	}
}

func TestLimit(t *testing.T) {
	for _, size := range []int{1, 2, 258, 259, 5000, 65535, 65536, 200_000} {
		for _, level := range []int{-2, 0, 1, 9} {
			for name, data := range map[string][]byte{"text": text(size), "run": make([]byte, size)} {
				src := member(t, data, level)
				for _, limit := range []int{1, 257, 258, size - 293, size - 1, size, size + 1, 2 * size} {
					if limit < 1 {
						continue
					}
					for _, room := range []int{0, 10, size, 300_000} {
						d := Decoder{Limit: limit}
						out, n, err := d.Member(make([]byte, 5, 5+room), src)
						got := out[5:]
						where := fmt.Sprintf("%s of %d at level %d, limit %d, room %d", name, size, level, limit, room)
						switch {
						case size <= limit && (err != nil || n != len(src) || !bytes.Equal(got, data)):
							t.Fatalf("%s: %d bytes, %v", where, len(got), err)
						case size > limit && (err != ErrTooLarge || len(got) > limit || !bytes.HasPrefix(data, got)):
							t.Fatalf("%s: %d bytes, %v", where, len(got), err)
						case size > limit && len(got) < limit-258:
							t.Fatalf("%s: no more than %d bytes", where, len(got))
						case cap(out) > max(5+room, 2*(5+limit)+fastOutput, smallest+5):
							t.Fatalf("%s: capacity %d", where, cap(out))
						}
					}
				}
			}
		}
	}
}

func TestStored(t *testing.T) {
	var d Decoder
	for _, sizes := range [][]int{{0}, {0, 0}, {1}, {0, 1, 0}, {65535}, {65535, 65535}, {65535, 1}, {3, 65535, 0}} {
		var w writer
		var data []byte
		for i, size := range sizes {
			last := 0
			if i == len(sizes)-1 {
				last = 1
			}
			w.stored(noise(size), last)
			data = append(data, noise(size)...)
		}
		src := framed(w.out, data)
		compare(t, &d, src)
		compare(t, &d, append(src, "behind"...))
		if out, _, err := d.Member(nil, src); err != nil || !bytes.Equal(out, data) {
			t.Fatalf("%v: %d bytes, %v", sizes, len(out), err)
		}
		for _, size := range []int{1, 7, 4096, 65535} {
			comparePieces(t, &d, src, size)
		}
		// Neither length may be damaged.
		for i := headerSize + 1; i < headerSize+5; i++ {
			damaged := bytes.Clone(src)
			damaged[i] ^= 4
			compare(t, &d, damaged)
		}
	}
}

// TestCut cuts members off at each byte, and has each byte damaged.
func TestCut(t *testing.T) {
	var d Decoder
	for _, level := range levels {
		src := member(t, append(text(300), make([]byte, 100)...), level)
		whole, _, err := d.Member(nil, src)
		if err != nil {
			t.Fatal(err)
		}
		for i := range src {
			compare(t, &d, src[:i])
			out, n, err := d.Member(nil, src[:i])
			if err != io.ErrUnexpectedEOF {
				t.Fatalf("%d of %d bytes: %v", i, len(src), err)
			}
			out, _, err = d.Resume(out, src[n:])
			if err != nil || !bytes.Equal(out, whole) {
				t.Fatalf("resumed at %d: %v", i, err)
			}
			damaged := bytes.Clone(src)
			damaged[i] ^= 1 << (i % 8)
			compare(t, &d, damaged)
			compare(t, &d, append(damaged, src...))
		}
		for size := 1; size < 40; size++ {
			comparePieces(t, &d, src, size)
		}
	}
}

func TestHeader(t *testing.T) {
	var d Decoder
	body := member(t, []byte("data"), 6)[headerSize:]
	for flags := range 256 {
		for _, size := range []int{0, 1, 510, 511, 512, 513} {
			head := []byte{0x1f, 0x8b, 8, byte(flags), 1, 2, 3, 4, 2, 3}
			if flags&flagExtra != 0 {
				head = binary.LittleEndian.AppendUint16(head, uint16(size*7))
				head = append(head, make([]byte, size*7)...)
			}
			for _, flag := range []int{flagName, flagComment} {
				if flags&flag != 0 {
					head = append(append(head, bytes.Repeat([]byte{0xe9}, size)...), 0)
				}
			}
			sum := bytes.Clone(head)
			if flags&flagHeaderCRC != 0 {
				sum = binary.LittleEndian.AppendUint16(head, uint16(crc32.ChecksumIEEE(head)))
				compare(t, &d, append(append(bytes.Clone(head), 0, 0), body...))
			}
			src := append(sum, body...)
			compare(t, &d, src)
			step := 1 + len(src)/100
			for i := 0; i < len(src); i += step {
				compare(t, &d, src[:i])
			}
		}
	}
	for i := range 3 {
		src := member(t, nil, 6)
		src[i]++
		if out, n, err := d.Member([]byte("dst"), src); err != ErrHeader || n != 0 || string(out) != "dst" {
			t.Errorf("byte %d: %q, %d, %v", i, out, n, err)
		}
	}
}

// TestTrailer damages checksum and size: the member has its end all the same.
func TestTrailer(t *testing.T) {
	var d Decoder
	src := append(member(t, []byte("data"), 6), "behind"...)
	end := len(src) - len("behind")
	for i := end - trailerSize; i < end; i++ {
		damaged := bytes.Clone(src)
		damaged[i] ^= 0x10
		compare(t, &d, damaged)
		if out, n, err := d.Member(nil, damaged); err != ErrChecksum || n != end || string(out) != "data" {
			t.Errorf("byte %d: %q, %d, %v", i-end, out, n, err)
		}
	}
}

// TestMembers takes members that follow one another into one buffer.
func TestMembers(t *testing.T) {
	var src, want, got []byte
	for i := range 200 {
		data := text(i * i % 4000)
		src = append(src, member(t, data, levels[i%len(levels)])...)
		want = append(want, data...)
	}
	var d Decoder
	for at := 0; at < len(src); {
		out, n, err := d.Member(got, src[at:])
		if err != nil {
			t.Fatal(err)
		}
		got, at = out, at+n
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestNoGarbage(t *testing.T) {
	var d Decoder
	buf := make([]byte, 0, 100_000)
	for _, level := range []int{-2, 0, 6} {
		src := member(t, text(90_000), level)
		cut := src[:len(src)/2]
		for name, in := range map[string][]byte{"whole": src, "cut": cut} {
			if n := testing.AllocsPerRun(10, func() { d.Member(buf, in) }); n != 0 {
				t.Errorf("%s at level %d: %v allocations", name, level, n)
			}
		}
	}
}

func TestCorruptError(t *testing.T) {
	src := member(t, text(5000), 6)
	for i := headerSize; i < len(src)-trailerSize; i++ {
		damaged := bytes.Clone(src)
		damaged[i] ^= 0x40
		var d Decoder
		_, n, err := d.Member(nil, damaged)
		var where *CorruptError
		if !errors.As(err, &where) {
			continue
		}
		if !errors.Is(err, ErrCorrupt) || where.Offset != n || n < i-300 {
			t.Fatalf("damage at %d: %v, %d", i, err, n)
		}
		if want := fmt.Sprintf("damaged deflate data at byte %d", n); err.Error() != want {
			t.Fatalf("says %q, want %q", err, want)
		}
		return
	}
	t.Error("no damage was found")
}
