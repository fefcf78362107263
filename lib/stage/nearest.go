package stage

import "strings"

// Nearest returns the name that takes the fewest changes to become another one; none
// where that would be more than a third of it.
func Nearest(name string, names []string) string {
	best, least := "", len(name)/3+1
	for _, n := range names {
		if d := distance(strings.ToLower(name), strings.ToLower(n)); d < least || d == least && best != "" && n < best {
			best, least = n, d
		}
	}
	return best
}

// distance returns how many bytes have to be inserted, deleted, changed or swapped with
// their neighbour.
func distance(a, b string) int {
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		before, above, row = above, row, before
		row[0] = i + 1
		for j := range len(b) {
			change := above[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, above[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
	}
	return row[len(b)]
}
