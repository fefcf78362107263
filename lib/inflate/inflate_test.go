package inflate

import "testing"

func TestLevels(t *testing.T) {
	var d Decoder
	for _, level := range levels {
		for _, size := range []int{0, 1, 100, 5000, 200_000, 900_000} {
			data := text(size)
			compare(t, &d, member(t, data, level))
		}
	}
}

// text gives words of which some are much more frequent than others.
func text(size int) []byte {
	out := make([]byte, 0, size+20)
	x := uint64(size) + 1
	for len(out) < size {
		x = x*6364136223846793005 + 1442695040888963407
		w := (x >> 33) % 5000
		w = w * w % (1 + (x>>50)%5000)
		for w > 0 {
			out = append(out, "etaoinshrdlucmfw"[w%16])
			w /= 16
		}
		out = append(out, " <>\n"[x>>62])
	}
	return out[:size]
}
