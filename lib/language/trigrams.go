package language

import (
	"bytes"
	"cmp"
	_ "embed"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"
)

//go:embed profiles.tsv
var embedded []byte

const (
	profileLength = 300                         // trigrams of a profile
	tableBits     = 15                          // of the profiles' table
	setBits       = 11                          // of a text's table: twice its trigrams and letters
	multiplier    = uint64(0x9e3779b97f4a7c15)  // of the hash
	runeBits      = 21                          // of a trigram's characters
	runeMask      = uint64(1)<<runeBits - 1     // of the last one
	trigramMask   = uint64(1)<<(3*runeBits) - 1 // of all three
	mark          = uint64(1) << 63             // on each feature in a table, where 0 is an empty slot
	space         = uint64(' ')                 // what stops become
	middleSpace   = uint64(' ') << runeBits     // as the middle character
	middleMask    = runeMask << runeBits
)

// How frequent a trigram is in a language is taken to fall with its rank as Zipf's law
// says, 1/(rank + flat), one of no profile having rareRank. A letter that is not
// ASCII is as frequent as the trigrams with it make it; one that no trigram of a
// profile has is taken to be as frequent as rareLetter. It counts letterWeight times,
// since in three trigrams it tells more than these: a language may have it in many, none
// of which is among the first.
const (
	flat         = 30
	rareRank     = 1000
	rareLetter   = 0.001
	letterWeight = 2
	unit         = 256 // of weights in one of the logarithm
)

const (
	// certain is by how much the features have to speak more for a language than for
	// the next one for a confidence of 1. They do depend on each other: less tells
	// little.
	certain = 10
	// fit is how much a feature must speak for a language on average: less is met in
	// texts in another one, that no profile is of.
	fit = 0.45
)

// A posting says by how much a feature, a trigram or a letter, speaks for a language, an
// index of profiles.codes: the language in bits 16 to 23, the weight below them. That is
// the logarithm of how much more frequent the feature is in the language than one that
// its profile does not have.
type posting uint32

func newPosting(language uint8, frequency float64) posting {
	return posting(language)<<16 | posting(math.Round(unit*math.Log(frequency)))
}

// A slot of the profiles' table has the feature, 0 where it is empty, and where its
// postings are.
type slot struct {
	feature     uint64
	first, last uint32
}

// profiles has the languages by feature: the ranked trigrams of each language
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
	p := &profiles{}
	all := make([]weighted, 0, 75*profileLength)
	for line := range bytes.Lines(table) {
		name, rest, _ := bytes.Cut(line, []byte("\t"))
		code, trigrams, _ := bytes.Cut(rest, []byte("\t"))
		s := slices.IndexFunc(scripts[:], func(s script) bool { return s.name == string(name) })
		l := uint8(len(p.codes))
		p.codes = append(p.codes, string(code))
		p.of[s] = append(p.of[s], l)
		all = appendFeatures(all, l, bytes.Runes(trigrams))
	}
	slices.SortFunc(all, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(a.feature, b.feature), cmp.Compare(a.posting, b.posting))
	})
	p.postings = make([]posting, len(all))
	var s *slot
	for i := range all {
		p.postings[i] = all[i].posting
		if s == nil || s.feature != all[i].feature {
			s = p.slot(all[i].feature)
			s.feature, s.first = all[i].feature, uint32(i)
		}
		s.last = uint32(i + 1)
	}
	return p
}

// A weighted feature is one of a language.
type weighted struct {
	feature uint64
	posting posting
}

// appendFeatures appends what the profile of a language has.
func appendFeatures(all []weighted, language uint8, profile []rune) []weighted {
	letters, sum := map[rune]float64{}, 0.0
	for rank := range profileLength {
		var trigram uint64
		frequency := 1 / float64(rank+flat)
		for _, r := range profile[3*rank : 3*rank+3] {
			trigram = trigram<<runeBits | uint64(r)
			letters[r] += frequency
			sum += frequency
		}
		all = append(all, weighted{trigram | mark, newPosting(language, (rareRank+flat)*frequency)})
	}
	for r, frequency := range letters {
		if r >= utf8.RuneSelf {
			all = append(all, weighted{uint64(r) | mark, newPosting(language, math.Pow(1+frequency/sum/rareLetter, letterWeight))})
		}
	}
	return all
}

// slot gives the slot that a feature has or would have.
func (p *profiles) slot(feature uint64) *slot {
	for i := feature * multiplier >> (64 - tableBits); ; i = (i + 1) % (1 << tableBits) {
		if s := &p.slots[i]; s.feature == feature || s.feature == 0 {
			return s
		}
	}
}

// A teller tells the language of short texts. It keeps its buffers.
type teller struct {
	profiles *profiles
	classes  *[1 << 16]uint8
	tally    tally
	set      [1 << setBits]uint64 // features of the text
	used     []uint16             // of set
	scores   [1 << 8]int32        // by language
}

func newTeller() *teller { return &teller{profiles: load(), classes: classes()} }

// tell gives the language of a text of at most chunkBytes, and with which confidence, at
// most 1. The code is empty where nothing is known.
func (t *teller) tell(text []byte) (code string, confidence float64) {
	t.count(text)
	s, ok := t.tally.most()
	if !ok {
		return "", 0
	}
	if code := scripts[s].code; code != "" {
		return code, 1
	}
	return t.likeliest(t.profiles.of[s])
}

// count counts scripts and trigrams. A word has a space before and behind it, and
// no trigram has two spaces beside each other.
func (t *teller) count(text []byte) {
	for _, i := range t.used {
		t.set[i] = 0
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

// add takes a feature into the set.
func (t *teller) add(feature uint64) {
	for i := feature * multiplier >> (64 - setBits); ; i = (i + 1) % (1 << setBits) {
		switch t.set[i] {
		case feature:
			return
		case 0:
			t.set[i] = feature
			t.used = append(t.used, uint16(i))
			return
		}
	}
}

// likeliest gives the language for which the features of the text speak most, each of
// them once (naive Bayes, as if they did not depend on each other).
func (t *teller) likeliest(languages []uint8) (string, float64) {
	p := t.profiles
	clear(t.scores[:])
	for i := 0; i < len(t.used); i++ { // letters are added on the way
		feature := t.set[t.used[i]]
		s := p.slot(feature)
		for _, at := range p.postings[s.first:s.last] {
			t.scores[uint8(at>>16)] += int32(at & 0xffff)
		}
		if letter := feature >> runeBits & runeMask; letter >= utf8.RuneSelf {
			t.add(letter | mark)
		}
	}
	first, second := -1, -1
	for _, l := range languages {
		switch s := t.scores[l]; {
		case first < 0 || s > t.scores[first]:
			first, second = int(l), first
		case second < 0 || s > t.scores[second]:
			second = int(l)
		}
	}
	best := float64(t.scores[first]) / unit
	switch {
	case best == 0:
		return "", 0
	case best < fit*float64(len(t.used)):
		return p.codes[first], 0
	}
	return p.codes[first], min((best-float64(t.scores[second])/unit)/certain, 1)
}
