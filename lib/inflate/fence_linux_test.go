package inflate

import (
	"bytes"
	"fmt"
	"os"
	"syscall"
	"testing"
)

// fenced gives size bytes of which the first lies behind a page that must not be
// touched, or the last before one.
func fenced(t *testing.T, size int, behind bool) []byte {
	t.Helper()
	page := os.Getpagesize()
	pages := (size + page - 1) / page
	all, err := syscall.Mmap(-1, 0, (pages+2)*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(all) })
	for _, fence := range [][]byte{all[:page], all[len(all)-page:]} {
		if err := syscall.Mprotect(fence, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	if behind {
		return all[page : page+size : page+size]
	}
	end := len(all) - page
	return all[end-size : end : end]
}

// TestFences inflates between pages of which any use would end the program:
// nothing is read before or behind its slices, nor written beyond the capacity.
func TestFences(t *testing.T) {
	for _, size := range []int{0, 1, 20, 300, 5000, 70_000} {
		for _, level := range levels {
			for _, data := range [][]byte{text(size), make([]byte, size), append(noise(size/2), make([]byte, size/2)...)} {
				src := member(t, data, level)
				for _, behind := range []bool{false, true} {
					in := fenced(t, len(src), behind)
					copy(in, src)
					for _, room := range []int{size, size + 1, size + 17, size + fastOutput + 1} {
						where := fmt.Sprintf("%d bytes at level %d, room %d", size, level, room)
						checkFenced(t, where, in, data, fenced(t, room, behind)[:0])
					}
				}
			}
		}
	}
}

func checkFenced(t *testing.T, where string, in, data, dst []byte) {
	t.Helper()
	d := Decoder{Limit: max(1, cap(dst))}
	out, n, err := d.Member(dst, in)
	if err != nil || n != len(in) || !bytes.Equal(out, data) {
		t.Fatalf("%s: %d bytes of %d, %v", where, len(out), n, err)
	}
	// Damaged, it may become longer than the room: the limit is there for that.
	at := len(in) * 2 / 3
	in[at] ^= 0x55
	if _, _, err := d.Member(dst, in); err == nil {
		t.Fatalf("%s: damage at %d goes unseen", where, at)
	}
	in[at] ^= 0x55
}
