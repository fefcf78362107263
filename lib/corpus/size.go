package corpus

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

var sizes = regexp.MustCompile(`^([0-9]{1,9})([kKMG]?)B?$`)

// ParseSize reads a number of bytes such as 100MB.
func ParseSize(s string) (int64, error) {
	m := sizes.FindStringSubmatch(s)
	if m == nil {
		return 0, fmt.Errorf("size %q: a number with KB, MB or GB is wanted", s)
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	for range strings.Index(" KMG", strings.ToUpper(m[2] + " ")[:1]) {
		n *= 1000
	}
	return n, err
}
