package lines

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestBound reads lines around the bound and around the size of the buffer.
func TestBound(t *testing.T) {
	const buffer = 16 // the least that bufio has
	for _, max := range []int{1, 15, 16, 17, 40} {
		for n := 0; n <= 100; n++ {
			for _, end := range []string{"", "\n", "\nlast", "\n\nlast\n"} {
				text := "first\n" + strings.Repeat("x", n) + end
				var want, got []string
				for i, line := range strings.SplitAfter(text, "\n") {
					if line == "" {
						continue
					}
					line = strings.TrimSuffix(line, "\n")
					if len(line) > max {
						line = fmt.Sprintf("line %d is too long: %d", i+1, len(line))
					}
					want = append(want, line)
				}
				r := NewReader(strings.NewReader(text), buffer, max)
				for {
					line, err := r.Next()
					if err == io.EOF {
						break
					}
					if long, ok := err.(*TooLong); ok {
						if text[long.Offset:][:min(len(long.Head), int(long.Length))] != string(long.Head) {
							t.Fatalf("%+v does not start so in %q", long, text)
						}
						got = append(got, fmt.Sprintf("line %d is too long: %d", long.Number, long.Length))
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, string(line))
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("max %d, text %q:\n%s", max, text, diff)
				}
			}
		}
	}
}

// TestFailure lets the stream fail within a line that is too long.
func TestFailure(t *testing.T) {
	failure := errors.New("no disk")
	text := io.MultiReader(strings.NewReader("first\n"+strings.Repeat("x", 100)), failing{failure})
	var got []string
	for line, err := range All(text, 50) {
		got = append(got, fmt.Sprintf("%s, %v", line, err))
	}
	if diff := cmp.Diff([]string{"first, <nil>", ", no disk"}, got); diff != "" {
		t.Error(diff)
	}
}

type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }
