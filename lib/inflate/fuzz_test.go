package inflate

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	fast "github.com/klauspost/compress/gzip"
)

// member compresses data at a level of the standard library, -3 to 9, or of
// klauspost/compress, 10 above these. -3 is for stateless compression there.
func member(t testing.TB, data []byte, level int) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser
	var err error
	if level <= 9 {
		w, err = gzip.NewWriterLevel(&b, level)
	} else {
		w, err = fast.NewWriterLevel(&b, level-20)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// levels are those of the standard library and, 20 above them, klauspost's.
var levels = []int{-2, -1, 0, 1, 2, 5, 6, 9, 17, 18, 20, 21, 22, 23, 25, 27, 29}

// FuzzMember takes arbitrary bytes, and the same behind a sound header.
func FuzzMember(f *testing.F) {
	text := []byte("GET / HTTP/1.1\r\nHost: a.example\r\n\r\nGET / HTTP/1.1\r\n")
	for _, level := range levels {
		f.Add(member(f, text, level))
		f.Add(member(f, text, level)[headerSize:])
	}
	var d Decoder
	f.Fuzz(func(t *testing.T, src []byte) {
		compare(t, &d, src)
		behind := append([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}, src...)
		compare(t, &d, behind)
		comparePieces(t, &d, behind, 1+len(src)%13)
	})
}

// FuzzDamaged takes data that are compressed, cut off and damaged at a place.
func FuzzDamaged(f *testing.F) {
	f.Add([]byte("warcinfo warcinfo response revisit"), uint8(3), uint16(7), uint32(0), uint16(20), uint8(1))
	f.Add(bytes.Repeat([]byte("abcdefg"), 99), uint8(9), uint16(300), uint32(1<<31), uint16(12), uint8(0x80))
	var d Decoder
	f.Fuzz(func(t *testing.T, data []byte, level uint8, times uint16, cut uint32, at uint16, flip uint8) {
		data = repeatedly(data, int(times))
		src := member(t, data, levels[int(level)%len(levels)])
		compare(t, &d, src)
		compare(t, &d, append(src[:len(src):len(src)], src...))
		comparePieces(t, &d, src, 1+int(at))
		compare(t, &d, src[:cut%uint32(len(src)+1)])
		src[int(at)%len(src)] ^= flip
		compare(t, &d, src)
		comparePieces(t, &d, src, 1+int(cut%5000))
	})
}

// repeatedly gives data again and again, with a change in each, so that lengths
// and distances of all kinds occur.
func repeatedly(data []byte, times int) []byte {
	if len(data) == 0 {
		return nil
	}
	var all []byte
	x := uint32(len(data))
	for i := 0; i < times && len(all) < 200_000; i++ {
		x = x*1664525 + 1013904223
		all = append(all, data[:1+int(x>>8)%len(data)]...)
		all = append(all, byte(x>>24))
	}
	return append(all, data...)
}
