package mementomap

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// flat gives cut-offs that are the same at every depth.
func flat(cutoff float64) Cutoffs {
	same := slices.Repeat([]float64{cutoff}, 9)
	return Cutoffs{1, 1, same, same}
}

func TestCompact(t *testing.T) {
	for name, test := range map[string]struct {
		cutoffs  Cutoffs
		in, want string
	}{
		"more than the cut-off is needed":  {flat(2), "com,a)/1 1;com,a)/2 1;com,b)/1 1;com,b)/2 1;com,b)/3 1", "com,a)/1 1;com,a)/2 1;com,b)/* 3"},
		"the cut-off need not be whole":    {flat(1.9), "com,a)/1 1;com,a)/2 1;com,b)/1 1", "com,a)/* 2;com,b)/1 1"},
		"a node's own line is folded in":   {flat(1), "com,a)/n 5;com,a)/n/1 1;com,a)/n/2 2", "com,a)/n/* 8"},
		"as is one that stands apart":      {flat(3), "com,a)/n 5;com,a)/n!/x 1;com,a)/n-m 2;com,a)/n/1 1;com,a)/n/2 1;com,a)/n/3 1;com,a)/n/4 1", "com,a)/n!/x 1;com,a)/n-m 2;com,a)/n/* 9"},
		"which is one child":               {flat(2), "com,a)/n 5;com,a)/n-m 2;com,a)/n/1 1", "com,a)/n 5;com,a)/n-m 2;com,a)/n/1 1"},
		"the topmost node":                 {flat(1), "com,a)/1/a 1;com,a)/1/b 1;com,a)/2 1;net,b) 1", "com,a)/* 3;net,b) 1"},
		"a host takes in its own paths":    {flat(1), "com,a) 2;com,a)/x 3;com,a,b) 1;com,a,c)/y 4;com,b) 9", "com,a,* 10;com,b) 9"},
		"TLDs stay":                        {flat(0), "com,a) 1;com,b) 1;com,c) 1", "com,a) 1;com,b) 1;com,c) 1"},
		"a host that is a TLD":             {flat(1), "localhost)/a 1;localhost)/b 1;localhost,a) 1", "localhost)/* 2;localhost,a) 1"},
		"an exclusion stays":               {flat(1), "com,a)/1 1;com,a)/2 0;com,a)/3 1;com,a)/4 0/0", "com,a)/* 2;com,a)/2 0;com,a)/4 0/0"},
		"and is no child":                  {flat(1), "com,a)/1 1;com,a)/2 0", "com,a)/1 1;com,a)/2 0"},
		"it can sort before the wildcard":  {flat(1), "com,a)/!1 0;com,a)/!2 1;com,a)/!3 0;com,a)/3 1", "com,a)/!1 0;com,a)/!3 0;com,a)/* 2"},
		"a wildcard is no child":           {flat(1), "com,a)/* 7;com,a)/1 1;com,b,* 7;com,b,c) 2", "com,a)/* 7;com,a)/1 1;com,b,* 7;com,b,c) 2"},
		"its node is one":                  {flat(1), "com,a)/1/* 7;com,a)/2 1", "com,a)/* 8"},
		"and it is folded in":              {flat(1), "com,a)/* 7;com,a)/1 1;com,a)/2 1", "com,a)/* 9"},
		"wildcards above hosts stay":       {flat(1), "* 9;com,* 8;com,a)/1 1;com,a)/2 1", "* 9;com,* 8;com,a)/* 2"},
		"marks":                            {flat(1), "com,a)/1 1~/1;com,a)/2 1/1+;com,b)/1 1+;com,b)/2 2/5-;com,c)/1 1+;com,c)/2 1-", "com,a)/* 2~/2+;com,b)/* 3+/5~;com,c)/* 2~"},
		"numbers that are not there":       {flat(1), "com,a)/1 /1;com,a)/2 1/1;com,b)/1 /;com,b)/2 /4", "com,a)/* 1+/2;com,b)/* /4+"},
		"JSON stays where the line does":   {flat(1), `com,a)/1 1 {"a": 1};com,b)/1 1 {"a": 1};com,b)/2 1 {"b": 2}`, `com,a)/1 1 {"a": 1};com,b)/* 2`},
		"equal keys are added up":          {flat(1), "com,a) 1/1;com,a) 2/2;com,a)/ 3;com,b)/1 1;com,b)/1 2", "com,a) 6/3~;com,b)/1 3"},
		"also under a wildcard":            {flat(1), "com,a)/1 1;com,a)/2 1;com,a)/2 3;com,b) 1", "com,a)/* 5;com,b) 1"},
		"an exclusion of another map":      {flat(1), "com,a)/1 0;com,a)/1 3;com,a)/2 0;com,a)/2 0;com,a)/3 1;com,b)/1 5/2;com,b)/1 0", "com,a)/* 4;com,a)/2 0;com,b)/1 5/2"},
		"keys without a host":              {flat(0), "dns:a.example 1;urn:a,b 2;urn:a,c 3", "dns:a.example 1;urn:a,b 2;urn:a,c 3"},
		"a large number":                   {flat(1), "com,a)/1 999999999999999999/1;com,a)/2 999999999999999999", "com,a)/* 1999999999999999998/1+"},
		"what an exclusion leaves stays":   {flat(0), "com,a)/b/* 0;com,a)/b/c 1;com,a)/b/d 2;com,a)/e 3;com,b) 1", "com,a)/* 3;com,a)/b/* 0;com,a)/b/c 1;com,a)/b/d 2;com,b) 1"},
		"an exclusion of what is found":    {flat(0), "com,a)/b/!c 1;com,a)/b/* 0;com,a)/b/d 2;com,b) 1", "com,a)/* 1;com,a)/b/* 0;com,a)/b/d 2;com,b) 1"},
		"nodes that are too deep":          {Cutoffs{1, 1, []float64{1, 1}, []float64{9, 0}}, "com,a)/1/2/3 1;com,a)/1/2/4 1;com,a,b,c,d) 1;com,a,b,c,e) 1", "com,a)/1/* 2;com,a,b,c,d) 1;com,a,b,c,e) 1"},
		"nothing":                          {flat(1), "", ""},
		"a root of which the slash stays":  {flat(1), "com,a)!b)/x 1;com,a)/ 2", "com,a)!b)/x 1;com,a)/ 2"},
		"a closing bracket in a path":      {flat(1), "com,a)/b_(c) 1;com,a)/b_(c)/d 1;com,a)/b_(c)/e 1", "com,a)/b_(c)/* 3"},
		"a lone exclusion behind wildcard": {flat(0), "com,a)/x 1;com,b)/y 0;net,a)/x 1", "com,a)/* 1;com,b)/y 0;net,a)/* 1"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, tune := range []func(*Compactor){nil, small} {
				var in []string
				if test.in != "" {
					in = strings.Split(test.in, ";")
				}
				got := strings.Join(compacted(t, in, CompactOptions{Cutoffs: test.cutoffs}, tune), ";")
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestCompactOptions(t *testing.T) {
	for name, test := range map[string]struct {
		options  CompactOptions
		in, want string
	}{
		"an older map absorbs":             {CompactOptions{Cutoffs: flat(3), Absorb: true}, "com,a)/!x 1/1;com,a)/* 7/3;com,a)/1 1;com,a)/2 0;com,b) 1;com,c,* 7/3;com,c,d) 1/1", "com,a)/* 9/4~;com,a)/2 0;com,b) 1;com,c,* 8/4-"},
		"hosts can be kept":                {CompactOptions{Cutoffs: flat(1), Keep: IsPublicSuffix}, "uk,co,a) 1;uk,co,b) 1;uk,co,c)/1 1;uk,co,c)/2 1;uk,x,a) 1;uk,x,b) 1", "uk,co,a) 1;uk,co,b) 1;uk,co,c)/* 2;uk,x,* 2"},
		"or rolled up, also TLDs, by name": {CompactOptions{Cutoffs: flat(9), Roll: map[string]bool{"pt": true, "com,b": true}}, "com,a) 1;com,b)/1 1;com,c) 1;pt) 1;pt,a) 1;pt,b)/x 0", "com,a) 1;com,b,* 1;com,c) 1;pt,* 2;pt,b)/x 0"},
	} {
		t.Run(name, func(t *testing.T) {
			got := strings.Join(compacted(t, strings.Split(test.in, ";"), test.options, nil), ";")
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestCompactRefuses(t *testing.T) {
	for _, test := range []struct {
		lines []string
		want  error
	}{
		{[]string{"com,a"}, ErrMalformed},
		{[]string{" 1"}, ErrMalformed},
		{[]string{"com,a) one"}, ErrMalformed},
		{[]string{"com,a) 1/2/3"}, ErrMalformed},
		{[]string{"com,a) 1000000000000000000"}, ErrMalformed},
		{[]string{"com,a) 1 text"}, ErrMalformed},
		{[]string{"com,a\t) 1"}, ErrMalformed},
		{[]string{"com,b) 1", "com,a) 1"}, ErrOrder},
		{[]string{"com,a)/b 1", "com,a) 1"}, ErrOrder},
		{[]string{"com,a)/b 0", "com,a)/a 1"}, ErrOrder},
		{[]string{"com,a)/b 1", "com,a)/a 0"}, ErrOrder},
	} {
		c := NewCompactor(CompactOptions{Cutoffs: flat(1)}, func([]byte) error { return nil })
		var err error
		for _, line := range test.lines {
			err = c.Add([]byte(line))
		}
		if !errors.Is(err, test.want) {
			t.Errorf("%q: %v, want %v", test.lines, err, test.want)
		}
	}
}

// A map that is compacted in steps is the one that is compacted at once; what is
// compacted stays; parts make the whole.
func TestCompactionPromises(t *testing.T) {
	t.Parallel()
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 9))
		lines := randomMap(r, 1+r.IntN(300), seed%2 == 1)
		steps := []Cutoffs{randomCutoffs(r)}
		for range 3 {
			next := steps[len(steps)-1]
			next.HostWeight *= r.Float64()
			next.PathWeight *= r.Float64()
			steps = append(steps, next)
		}
		chained := lines
		for _, cutoffs := range steps {
			o := CompactOptions{Cutoffs: cutoffs}
			chained = compacted(t, chained, o, nil)
			if diff := cmp.Diff(compacted(t, lines, o, nil), chained); diff != "" {
				t.Fatalf("seed %d: at once and in steps:\n%s", seed, diff)
			}
			if diff := cmp.Diff(chained, compacted(t, chained, o, small)); diff != "" {
				t.Fatalf("seed %d: not idempotent:\n%s", seed, diff)
			}
		}
	}
}

// The sum of frequencies is kept.
func TestSumsAreKept(t *testing.T) {
	t.Parallel()
	for seed := range uint64(100) {
		r := rand.New(rand.NewPCG(seed, 10))
		lines := randomMap(r, 200, false)
		sum := func(lines []string) string {
			var f Frequency
			for _, line := range lines {
				f.Add(frequencyOf([]byte(line)))
			}
			return f.String()
		}
		if want, got := sum(lines), sum(compacted(t, lines, CompactOptions{Cutoffs: randomCutoffs(r)}, nil)); got != want {
			t.Fatalf("seed %d: %v, want %v", seed, got, want)
		}
	}
}
