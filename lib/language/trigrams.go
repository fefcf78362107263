package language

import (
	"bytes"
	_ "embed"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed profiles.tsv
var embedded []byte

const (
	profileLength = 300                         // trigrams of a profile
	missing       = 300                         // the distance of one that the text has not
	farthest      = profileLength * missing     // the distance of a text with none of a profile
	tableBits     = 15                          // of the profiles' table
	countBits     = 11                          // of a text's table: twice its trigrams
	maxTrigrams   = 1<<countBits/2 - 1          // that a text may have
	multiplier    = uint64(0x9e3779b97f4a7c15)  // of the hash
	runeBits      = 21                          // of a trigram's characters
	trigramMask   = uint64(1)<<(3*runeBits) - 1 // of three characters
	mark          = uint64(1) << 63             // on each trigram in a table, where 0 is an empty slot
	space         = uint64(' ')                 // what stops become
	middleSpace   = uint64(' ') << runeBits     // as the middle character
	middleMask    = uint64(1<<runeBits-1) << runeBits
)

// A posting says that a language, an index of profiles.codes, has a trigram at a rank
// of its profile: the language in bits 16 to 23, the rank below them.
type posting uint32

func newPosting(language uint8, rank int) posting { return posting(language)<<16 | posting(rank) }

// A slot of the profiles' table has the trigram, 0 where it is empty, and where its
// postings are.
type slot struct {
	trigram     uint64
	first, last uint32
}

// profiles has the languages by trigram: the ranked trigrams of each language
// (Cavnar and Trenkle, N-Gram-Based Text Categorization, 1994) turned around.
type profiles struct {
	codes    []string
	of       [len(scripts)][]uint8 // languages of a script
	slots    [1 << tableBits]slot
	postings []posting
}

var load = sync.OnceValue(func() *profiles { return parse(embedded) })

// parse takes lines SCRIPT TAB CODE TAB TRIGRAMS, these without anything between them,
// the most frequent one first.
func parse(table []byte) *profiles {
	type ranked struct {
		trigram uint64
		posting posting
	}
	p := &profiles{}
	all := make([]ranked, 0, 70*profileLength)
	for line := range bytes.Lines(table) {
		name, rest, _ := bytes.Cut(line, []byte("\t"))
		code, trigrams, _ := bytes.Cut(rest, []byte("\t"))
		s := slices.IndexFunc(scripts[:], func(s script) bool { return s.name == string(name) })
		l := uint8(len(p.codes))
		p.codes = append(p.codes, string(code))
		p.of[s] = append(p.of[s], l)
		for rank := range profileLength {
			var trigram uint64
			for range 3 {
				r, size := utf8.DecodeRune(trigrams)
				trigrams = trigrams[size:]
				trigram = trigram<<runeBits | uint64(r)
			}
			all = append(all, ranked{trigram | mark, newPosting(l, rank)})
		}
	}
	slices.SortFunc(all, func(a, b ranked) int {
		switch {
		case a.trigram < b.trigram:
			return -1
		case a.trigram > b.trigram:
			return 1
		}
		return int(a.posting) - int(b.posting)
	})
	p.postings = make([]posting, len(all))
	var s *slot
	for i := range all {
		p.postings[i] = all[i].posting
		if s == nil || s.trigram != all[i].trigram {
			s = p.slot(all[i].trigram)
			s.trigram, s.first = all[i].trigram, uint32(i)
		}
		s.last = uint32(i + 1)
	}
	return p
}

// slot gives the slot that a trigram has or would have.
func (p *profiles) slot(trigram uint64) *slot {
	for i := trigram * multiplier >> (64 - tableBits); ; i = (i + 1) % (1 << tableBits) {
		if s := &p.slots[i]; s.trigram == trigram || s.trigram == 0 {
			return s
		}
	}
}

// A counter has how often a text has a trigram.
type counter struct {
	trigram uint64
	count   uint32
}

// A teller tells the language of short texts as whatlanggo does. It keeps its buffers.
type teller struct {
	profiles  *profiles
	classes   *[1 << 16]uint8
	tally     tally
	counters  [1 << countBits]counter
	used      []uint16      // of counters
	byCount   []uint64      // trigrams, by how often they are met
	starts    []int         // in byCount, by count
	distances [1 << 8]int32 // by language
}

func newTeller() *teller { return &teller{profiles: load(), classes: classes()} }

// tell gives the language of a text of at most maxTrigrams characters, and with which
// confidence, at most 1. The code is empty where nothing is known.
func (t *teller) tell(text []byte) (code string, confidence float64) {
	t.count(text)
	s, ok := t.tally.most()
	if !ok {
		return "", 0
	}
	if code := scripts[s].code; code != "" {
		return code, 1
	}
	return t.nearest(t.profiles.of[s])
}

// count counts scripts and trigrams. A word has a space before and behind it, and
// no trigram has two spaces beside each other.
func (t *teller) count(text []byte) {
	for _, i := range t.used {
		t.counters[i] = counter{}
	}
	t.used = t.used[:0]
	t.tally.reset()
	half, decided := len(text)/2, false
	trigram := space
	for i := 0; i <= len(text); {
		char, class, size := rune(' '), uint8(stop), 1
		if i < len(text) {
			if char = rune(text[i]); char >= utf8.RuneSelf {
				char, size = utf8.DecodeRune(text[i:])
			}
			if char < 1<<16 {
				class = t.classes[char]
			} else {
				class = rare(char)
			}
		}
		if class == stop {
			char = ' '
		} else {
			char = unicode.ToLower(char)
			if class != other && !decided {
				t.tally.add(class)
				decided = t.tally.counts[class] > half
			}
		}
		trigram = (trigram<<runeBits | uint64(char)) & trigramMask
		first := i == 0
		i += size
		if first || trigram&middleMask == middleSpace && (trigram>>(2*runeBits) == space || char == ' ') {
			continue
		}
		t.add(trigram | mark)
	}
}

func (t *teller) add(trigram uint64) {
	for i := trigram * multiplier >> (64 - countBits); ; i = (i + 1) % (1 << countBits) {
		switch c := &t.counters[i]; c.trigram {
		case trigram:
			c.count++
			return
		case 0:
			c.trigram, c.count = trigram, 1
			t.used = append(t.used, uint16(i))
			return
		}
	}
}

// rank sorts the trigrams into t.byCount: the rarest first, of equal ones the one
// that is first in the order of characters.
func (t *teller) rank() {
	t.starts = t.starts[:0]
	for _, i := range t.used {
		for n := int(t.counters[i].count); len(t.starts) <= n+1; {
			t.starts = append(t.starts, 0)
		}
		t.starts[t.counters[i].count+1]++
	}
	for n := 1; n < len(t.starts); n++ {
		t.starts[n] += t.starts[n-1]
	}
	t.byCount = slices.Grow(t.byCount[:0], len(t.used))[:len(t.used)]
	for _, i := range t.used {
		c := &t.counters[i]
		t.byCount[t.starts[c.count]] = c.trigram
		t.starts[c.count]++ // becomes the end
	}
	begin := 0
	for _, end := range t.starts {
		slices.Sort(t.byCount[begin:end])
		begin = end
	}
}

// nearest gives the language whose profile has the least distance from the text: the
// sum of how far each of its trigrams is from its rank in the text.
func (t *teller) nearest(languages []uint8) (string, float64) {
	t.rank()
	p := t.profiles
	clear(t.distances[:])
	for i, trigram := range t.byCount {
		rank := int32(len(t.byCount) - 1 - i)
		s := p.slot(trigram)
		for _, at := range p.postings[s.first:s.last] {
			apart := rank - int32(at&0xffff)
			t.distances[uint8(at>>16)] += max(apart, -apart) - missing
		}
	}
	// The distances are from farthest on: a score is what they are less than it.
	first, second := -1, -1
	for _, l := range languages {
		switch d := t.distances[l]; {
		case first < 0 || d < t.distances[first]:
			first, second = int(l), first
		case second < 0 || d < t.distances[second]:
			second = int(l)
		}
	}
	return t.confidence(first, -int(t.distances[first]), -int(t.distances[second]))
}

// confidence is by how much the best score is better than the second.
func (t *teller) confidence(language, best, second int) (string, float64) {
	code := t.profiles.codes[language]
	switch {
	case best == 0:
		return "", 0
	case second == 0:
		// Characters that are in one of the profiles only, by chance or not.
		return code, min(float64(best/500), 1)
	}
	rate := float64(best-second) / float64(second)
	enough := 12/float64(len(t.byCount)) + 0.05 // a hyperbola
	return code, min(rate/enough, 1)
}
