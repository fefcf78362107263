package profile

import (
	"math"
	"slices"
)

// A spread is how often each value came up.
type spread map[int64]int64

// class is the values that are equal.
type class struct{ value, n int64 }

// classes gives the values in their order.
func (s spread) classes() []class {
	c := make([]class, 0, len(s))
	for value, n := range s {
		c = append(c, class{value, n})
	}
	slices.SortFunc(c, func(a, b class) int { return int(min(max(a.value-b.value, -1), 1)) })
	return c
}

// A measured is what a spread has been found to be.
type measured struct {
	n, sum, max             int64
	mean, median, deviation float64
}

// measure takes the deviation as that of all values, not of a sample.
func (s spread) measure() measured {
	classes := s.classes()
	var m measured
	for _, c := range classes {
		m.n += c.n
		m.sum += c.value * c.n
		m.max = c.value
	}
	if m.n == 0 {
		return m
	}
	m.mean = float64(m.sum) / float64(m.n)
	squares := 0.0
	for _, c := range classes {
		d := float64(c.value) - m.mean
		squares += d * d * float64(c.n)
	}
	m.deviation = math.Sqrt(squares / float64(m.n))
	m.median = (float64(at(classes, (m.n-1)/2)) + float64(at(classes, m.n/2))) / 2
	return m
}

// at gives the i-th of all values.
func at(classes []class, i int64) int64 {
	for _, c := range classes {
		if i < c.n {
			return c.value
		}
		i -= c.n
	}
	return 0
}

// gini gives the Gini coefficient: 2·Σ i·xᵢ / (n·Σ xᵢ) − (n+1)/n, x sorted, i from 1.
func (s spread) gini() float64 {
	var n, sum, weighted float64
	for _, c := range s.classes() {
		count := float64(c.n)
		weighted += float64(c.value) * (count*n + count*(count+1)/2)
		n += count
		sum += count * float64(c.value)
	}
	if sum == 0 {
		return 0
	}
	return 2*weighted/(n*sum) - (n+1)/n
}

// curvePoints is about how many points a curve has.
const curvePoints = 200

// concentration gives the curve of what share of the sum the largest values hold, and
// the point of it where the shares add up to 1.
func (s spread) concentration() (curve [][2]float64, breakPoint float64) {
	classes := s.classes()
	m := s.measure()
	curve = [][2]float64{{0, 0}}
	if m.sum == 0 {
		return curve, 0
	}
	n, sum, found := 0.0, 0.0, false
	for i := len(classes) - 1; i >= 0; i-- {
		value, count := float64(classes[i].value), float64(classes[i].n)
		if !found {
			// n/N + sum/S + t·(1/N + value/S) = 1
			t := (1 - n/float64(m.n) - sum/float64(m.sum)) / (1/float64(m.n) + value/float64(m.sum))
			if t <= count {
				found = true
				breakPoint = (n + t) / float64(m.n)
			}
		}
		n += count
		sum += count * value
		x, y := n/float64(m.n), sum/float64(m.sum)
		last := curve[len(curve)-1]
		if x-last[0] >= 1.0/curvePoints || y-last[1] >= 1.0/curvePoints || i == 0 {
			curve = append(curve, [2]float64{x, y})
		}
	}
	return curve, breakPoint
}
