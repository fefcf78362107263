package report

import "math"

// An Axis says what a direction of a plot means.
type Axis struct {
	Label    string
	Names    []string             // of the places 0, 1, …, where the axis has names instead of numbers
	Log      bool                 // logarithmic; what is not above zero has no place on it
	FromZero bool                 // a linear axis begins at zero or below
	Min, Max float64              // of the axis; where equal, those of the data
	Format   func(float64) string // of its numbers (default Short)
}

// A scale maps the values of an axis to its length.
type scale struct {
	axis   *Axis
	lo, hi float64 // of the values, of their logarithms where the axis is logarithmic
	ticks  []float64
}

// newScale fits a scale to the values between lo and hi (of those that have a place)
// with about so many ticks.
func newScale(a *Axis, lo, hi float64, ticks int) scale {
	if a.Min < a.Max {
		lo, hi = a.Min, a.Max
	}
	s := scale{axis: a}
	switch {
	case a.Names != nil:
		s.lo, s.hi = -0.5, math.Max(float64(len(a.Names)), 1)-0.5
	case a.Log:
		s.fitLog(lo, hi, ticks)
	default:
		s.fitLinear(lo, hi, ticks)
	}
	return s
}

func (s *scale) fitLog(lo, hi float64, ticks int) {
	if !(lo > 0) || !(hi >= lo) || math.IsInf(hi, 0) {
		lo, hi = 1, 10
	}
	first, last := math.Floor(math.Log10(lo)+1e-9), math.Ceil(math.Log10(hi)-1e-9)
	if last <= first {
		last = first + 1
	}
	s.lo, s.hi = first, last
	step := math.Max(1, math.Ceil((last-first)/float64(ticks)))
	for e := first; e <= last; e += step {
		s.ticks = append(s.ticks, math.Pow(10, e))
		if last-first <= 2 && e < last {
			s.ticks = append(s.ticks, 2*math.Pow(10, e), 5*math.Pow(10, e))
		}
	}
}

func (s *scale) fitLinear(lo, hi float64, ticks int) {
	if !(hi >= lo) || math.IsInf(lo, 0) || math.IsInf(hi, 0) {
		lo, hi = 0, 1
	}
	if s.axis.FromZero {
		lo, hi = math.Min(lo, 0), math.Max(hi, 0)
	}
	if hi == lo {
		hi = lo + math.Max(math.Abs(lo), 1)
	}
	step := niceStep((hi - lo) / float64(ticks))
	first, last := math.Floor(lo/step+1e-9), math.Ceil(hi/step-1e-9)
	s.lo, s.hi = first*step, last*step
	if s.axis.Min < s.axis.Max {
		s.lo, s.hi = lo, hi
		first, last = math.Ceil(lo/step-1e-9), math.Floor(hi/step+1e-9)
	}
	for i := first; i <= last; i++ {
		s.ticks = append(s.ticks, i*step)
	}
}

// niceStep gives the next 1, 2 or 5 times a power of ten.
func niceStep(x float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(x)))
	for _, f := range []float64{1, 2, 5} {
		if x <= f*power*(1+1e-9) {
			return f * power
		}
	}
	return 10 * power
}

// place gives where a value lies, from 0 to 1, and whether it has a place.
func (s *scale) place(v float64) (float64, bool) {
	if s.axis.Log && s.axis.Names == nil {
		if !(v > 0) {
			return 0, false
		}
		v = math.Log10(v)
	}
	p := (v - s.lo) / (s.hi - s.lo)
	return p, p >= -1e-9 && p <= 1+1e-9
}

// text writes a value of the axis.
func (s *scale) text(v float64) string {
	switch {
	case s.axis.Names != nil:
		if i := int(v); i >= 0 && i < len(s.axis.Names) {
			return s.axis.Names[i]
		}
		return ""
	case s.axis.Format != nil:
		return s.axis.Format(v)
	}
	return Short(v)
}
