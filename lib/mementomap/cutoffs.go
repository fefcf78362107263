package mementomap

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Default depths: so many levels of nodes can be rolled up.
const (
	DefaultHostDepth = 8
	DefaultPathDepth = 9
)

// A Curve gives the mean number of children of a node by its depth: A·x^−K, where
// x is 1 for a TLD or a host's root, 2 for a registered domain or a first segment,
// and so on.
type Curve struct{ A, K float64 }

// The curves that the paper has fitted to Arquivo.pt (Table 8; the constants are
// those of the public Python tool).
var (
	ArquivoHosts = Curve{16.329, 0.714}
	ArquivoPaths = Curve{24.546, 1.429}
)

// Means gives the curve's values for x = 1 to n.
func (c Curve) Means(n int) []float64 {
	means := make([]float64, n)
	for i := range means {
		means[i] = c.A * math.Pow(float64(i+1), -c.K)
	}
	return means
}

// ParseCurve takes "A,K" apart. K is below 0 where deeper nodes have more children, as a
// fitted curve can find.
func ParseCurve(text string) (Curve, error) {
	first, second, _ := strings.Cut(text, ",")
	a, err := ParseMeans(first)
	k, err2 := strconv.ParseFloat(strings.TrimSpace(second), 64)
	if err != nil || err2 != nil || len(a) != 1 || math.IsNaN(k) || math.IsInf(k, 0) {
		return Curve{}, fmt.Errorf("%q: two numbers A,K are wanted", text)
	}
	return Curve{a[0], k}, nil
}

// ParseMeans takes a list of numbers apart, separated by commas.
func ParseMeans(text string) ([]float64, error) {
	var means []float64
	for _, field := range strings.Split(text, ",") {
		v, err := strconv.ParseFloat(strings.TrimSpace(field), 64)
		if err != nil || math.IsNaN(v) || math.IsInf(v, 0) || v < 0 {
			return nil, fmt.Errorf("%q: numbers from 0, separated by commas, are wanted", text)
		}
		means = append(means, v)
	}
	return means, nil
}

// ParseWeight takes a weight apart: a number from 0, or inf for no roll-up.
func ParseWeight(text string) (float64, error) {
	w, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(w) || w < 0 {
		return 0, fmt.Errorf("%q: a number from 0, or inf, is wanted", text)
	}
	return w, nil
}

// never is the limit of a node that cannot be rolled up.
const never = math.MaxInt64

// Cutoffs say when a node is rolled up: when it has more children than the weight
// times the mean number for its depth. Nodes that are deeper than the means reach
// are not.
type Cutoffs struct {
	HostWeight, PathWeight float64   // +Inf: no roll-up
	HostMeans              []float64 // of TLDs (never used), registered domains, …
	PathMeans              []float64 // of the hosts' roots, first segments, …
}

// Arquivo gives the cut-offs with the paper's curves and default depths.
func Arquivo(hostWeight, pathWeight float64) Cutoffs {
	return Cutoffs{hostWeight, pathWeight, ArquivoHosts.Means(DefaultHostDepth), ArquivoPaths.Means(DefaultPathDepth)}
}

// limits gives the largest numbers of children with which nodes stay, by depth:
// of hosts from 0 labels, of paths from 0 segments.
func (c Cutoffs) limits() (hosts, paths []int64) {
	hosts = append(hosts, never) // the root
	for i, mean := range c.HostMeans {
		if i == 0 { // TLDs
			hosts = append(hosts, never)
			continue
		}
		hosts = append(hosts, limit(c.HostWeight, mean))
	}
	for _, mean := range c.PathMeans {
		paths = append(paths, limit(c.PathWeight, mean))
	}
	return hosts, paths
}

// limit is the largest whole number that is not above the cut-off.
func limit(weight, mean float64) int64 {
	if math.IsInf(weight, 1) {
		return never
	}
	if cutoff := math.Floor(weight * mean); cutoff < 1<<53 {
		return int64(cutoff)
	}
	return never
}
