package jobs

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// A drawnCase is an input and what is asked of it, drawn by a seed. It says all that
// the case depends on, so that a smaller one can be made of it by leaving something out.
type drawnCase struct {
	Seed     uint64      `json:"seed"`
	Property string      `json:"property"`
	Files    []drawnFile `json:"files"`
	Values   []string    `json:"values,omitempty"`
	Keep     []string    `json:"keep,omitempty"`
	Extra    []string    `json:"extra,omitempty"` // options of enrich-captures
	Where    string      `json:"where,omitempty"`
	Sample   string      `json:"sample,omitempty"`
	Pick     string      `json:"pick,omitempty"`
	Per      string      `json:"per,omitempty"`
	Form     string      `json:"form,omitempty"`    // of --save
	Options  [][]string  `json:"options,omitempty"` // of a job, each with its value
}

// A drawnFile is an archive file: where it comes from, and what is done to it.
type drawnFile struct {
	From   string `json:"from"`             // testdata/…, data/… or made:SEED
	Damage string `json:"damage,omitempty"` // cut:PERMILLE or flip:SEED
}

// A same holds the ways of the suite against each other.
type same struct {
	*testing.T
	dir     string // of all cases
	sources []string
	values  *values
	servers *servers
	jobs    int // cases of a thousand that run job scripts

	mu       sync.Mutex
	failed   int
	cases    map[string]int // by property
	compared map[string]int // rows, lines and files, by way
}

// TestSame draws cases and holds the ways on which each can be computed against each
// other. ARCHIVESTREAM_SAME_TIMES says how many, ARCHIVESTREAM_SAME_FROM the first
// seed, ARCHIVESTREAM_SAME_CASE the seed or the JSON of the only one,
// ARCHIVESTREAM_SAME_JOBS how many of a thousand run job scripts.
func TestSame(t *testing.T) {
	t.Parallel()
	s := newSame(t)
	if text := os.Getenv("ARCHIVESTREAM_SAME_CASE"); text != "" {
		c := s.named(text)
		if err := s.check(c); err != nil {
			t.Errorf("%v", err)
		}
		return
	}
	times, first := s.number("ARCHIVESTREAM_SAME_TIMES", 30), s.number("ARCHIVESTREAM_SAME_FROM", 1)
	seeds := make(chan uint64)
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for seed := range seeds {
				s.one(seed)
			}
		})
	}
	for i := range times {
		seeds <- first + i
	}
	close(seeds)
	group.Wait()
	s.account(int(times))
}

func newSame(t *testing.T) *same {
	t.Helper()
	s := &same{T: t, dir: t.TempDir(), cases: map[string]int{}, compared: map[string]int{}}
	s.jobs = int(s.number("ARCHIVESTREAM_SAME_JOBS", 70))
	s.sources = s.archives()
	s.values = s.knownValues()
	s.servers = &servers{program: s.buildServer(), idle: map[string][]*server{}}
	t.Cleanup(func() {
		if err := s.servers.close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *same) number(variable string, otherwise uint64) uint64 {
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		s.Fatalf("%s: %v", variable, err)
	}
	return n
}

// named is the case of a seed or of JSON.
func (s *same) named(text string) *drawnCase {
	if seed, err := strconv.ParseUint(text, 10, 64); err == nil {
		return s.draw(seed)
	}
	c := &drawnCase{}
	if err := json.Unmarshal([]byte(text), c); err != nil {
		s.Fatalf("ARCHIVESTREAM_SAME_CASE: %v", err)
	}
	return c
}

// one checks a case, and reports the smallest one that fails as it does.
func (s *same) one(seed uint64) {
	c := s.draw(seed)
	err := s.check(c)
	s.mu.Lock()
	s.cases[c.Property]++
	if err != nil {
		s.failed++
	}
	enough := s.failed > 8
	s.mu.Unlock()
	if err == nil {
		return
	}
	if enough { // their seeds say enough
		s.Errorf("seed %d: %.300s", seed, err.Error())
		return
	}
	small, err := s.shrink(c, err)
	s.Errorf("seed %d: %v\nagain: make test-same CASE='%s'\nsmaller: make test-same CASE='%s'", seed, err, c.quoted(), small.quoted())
}

// quoted is the case in JSON, for between the quotes of a shell.
func (c *drawnCase) quoted() string {
	text, _ := json.Marshal(c)
	return strings.ReplaceAll(string(text), "'", `\u0027`)
}

// shrink leaves out what a case does not need for failing.
func (s *same) shrink(c *drawnCase, err error) (*drawnCase, error) {
	deadline := time.Now().Add(time.Minute)
	for again := true; again; {
		again = false
		for _, smaller := range c.smaller() {
			if time.Now().After(deadline) {
				return c, err
			}
			if e := s.check(smaller); e != nil && !errors.Is(e, errUsage) {
				c, err, again = smaller, e, true
				break
			}
		}
	}
	return c, err
}

// smaller are the cases that are a part of this one.
func (c *drawnCase) smaller() []*drawnCase {
	var all []*drawnCase
	add := func(change func(*drawnCase)) {
		less := *c
		change(&less)
		all = append(all, &less)
	}
	for i := range c.Files {
		if len(c.Files) > 1 {
			add(func(l *drawnCase) { l.Files = without(c.Files, i) })
		}
		if c.Files[i].Damage != "" {
			add(func(l *drawnCase) {
				l.Files = slices.Clone(c.Files)
				l.Files[i].Damage = ""
			})
		}
	}
	for i := range c.Values {
		if len(c.Values) > 1 {
			add(func(l *drawnCase) { l.Values = without(c.Values, i) })
		}
	}
	for i := range c.Keep {
		add(func(l *drawnCase) { l.Keep = without(c.Keep, i) })
	}
	for i := range c.Options {
		add(func(l *drawnCase) { l.Options = without(c.Options, i) })
	}
	for _, field := range []func(*drawnCase) *string{
		func(l *drawnCase) *string { return &l.Where }, func(l *drawnCase) *string { return &l.Sample },
		func(l *drawnCase) *string { return &l.Pick },
	} {
		if *field(c) != "" {
			add(func(l *drawnCase) { *field(l) = "" })
		}
	}
	if len(c.Extra) > 0 {
		add(func(l *drawnCase) { l.Extra = nil })
	}
	return all
}

func without[T any](all []T, i int) []T { return slices.Delete(slices.Clone(all), i, i+1) }

// check runs a case in a folder of its own and says what differs.
func (s *same) check(c *drawnCase) error {
	dir, err := os.MkdirTemp(s.dir, "case")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	p := &probe{same: s, c: c, dir: dir, random: newRandom(c.Seed, 2), served: c.Seed%20 != 0}
	if p.files, err = s.materialize(c.Files, filepath.Join(dir, "archives")); err != nil {
		return err
	}
	check, ok := properties[c.Property]
	if !ok {
		return fmt.Errorf("there is no property %q", c.Property)
	}
	return check(p)
}

// properties are what is held to be the same on every way.
var properties = map[string]func(*probe) error{
	"select":     (*probe).selection,
	"select-job": (*probe).selectJob,
	"index":      (*probe).indexJob,
	"derive":     (*probe).deriveJob,
	"extract":    (*probe).extractJob,
	"redundancy": (*probe).redundancyJob,
	"mementomap": (*probe).ofIndex,
	"summary":    (*probe).ofIndex,
	"profile":    (*probe).ofIndex,
	"webgraph":   (*probe).webgraphJob,
	"components": (*probe).componentsJob,
}

// jobWeights says how the cases that run job scripts are shared out.
var jobWeights = []struct {
	property string
	weight   int
}{
	{"select-job", 30}, {"index", 14}, {"derive", 11}, {"extract", 11}, {"mementomap", 9},
	{"summary", 6}, {"profile", 4}, {"redundancy", 7}, {"webgraph", 4}, {"components", 4},
}

// account says what was compared, and fails where that is next to nothing.
func (s *same) account(times int) {
	for _, counts := range []map[string]int{s.cases, s.compared} {
		var names []string
		for name := range counts {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			s.Logf("%8d %s", counts[name], name)
		}
	}
	if times < 30 {
		return
	}
	for _, way := range []string{"rows: one worker", "rows: each value alone", "rows: in other tasks", "lines of a plan: other tasks"} {
		if s.compared[way] < times {
			s.Errorf("%d compared in %d cases: %s", s.compared[way], times, way)
		}
	}
	if s.failed > 0 {
		s.Errorf("%d of %d cases failed", s.failed, times)
	}
}
