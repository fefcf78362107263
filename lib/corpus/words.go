package corpus

import "strings"

const (
	vocabularySize = 12000
	sentencePool   = 24000 // far more than a page has, so that few repeat in it
)

var (
	onsets = strings.Fields("b c d f g h j k l m n p r s t v w br cl cr dr fl gr pl pr sh sl st th tr")
	vowels = strings.Fields("a e i o u a e i o ai ea ou")
	codas  = []string{"", "", "", "n", "r", "s", "t", "l", "nd", "ng", "st", "ck"}
)

// vocabulary makes distinct words, the frequent ones short.
func vocabulary(seed uint64) []string {
	r := random(hash(seed, forVocabulary))
	words := make([]string, 0, vocabularySize)
	seen := map[string]bool{}
	for len(words) < vocabularySize {
		syllables := 1
		switch n := len(words); {
		case n > 2000:
			syllables = 2 + r.below(2)
		case n > 150:
			syllables = 1 + r.below(2)
		}
		var w strings.Builder
		for range syllables {
			w.WriteString(onsets[r.below(len(onsets))])
			w.WriteString(vowels[r.below(len(vowels))])
			w.WriteString(codas[r.below(len(codas))])
		}
		if word := w.String(); !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	return words
}

// sentences makes a pool of sentences, each with a space behind it.
func sentences(seed uint64, words []string) []string {
	r := random(hash(seed, forSentences))
	ranks := newZipf(len(words), 1)
	pool := make([]string, sentencePool)
	var b []byte
	for i := range pool {
		b = b[:0]
		n := 5 + r.below(16)
		for j := range n {
			word := words[ranks.rank(fraction(r.next()))]
			if j == 0 {
				b = append(append(b, word[0]-'a'+'A'), word[1:]...)
				continue
			}
			if r.below(12) == 0 {
				b = append(b, ',')
			}
			b = append(append(b, ' '), word...)
		}
		pool[i] = string(append(b, ". "...))
	}
	return pool
}
