package corpus

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"strings"
)

// DocumentOptions say what a collection of documents is made of.
type DocumentOptions struct {
	Documents int
	Seed      uint64
	// Collection is mixed, or A, B or C as in Paudel, Anand, Berberich (LSDS-IR
	// 2013), table 2: versions of the URLs of a crawl (A), of one year (B), of one
	// host (C).
	Collection string
}

// Purposes of the numbers that are derived for documents.
const (
	forDocuments = iota + 1000
	forCluster
	forVersion
	forShuffle
	forBoilerplate
)

// What all documents of a collection share.
const (
	minWords        = 73
	maxWords        = 2000
	boilerplates    = 4
	boilerplateSize = 65 // words; of shingles of 5 words 61, which makes 244 of all
	largestCluster  = 90
	firstSecond     = 1262304000 // 2010-01-01
)

// A documentMaker makes documents by their number, each from the seed alone.
type documentMaker struct {
	options     DocumentOptions
	words       []string
	ranks       []uint16 // words by frequency, to be drawn evenly
	boilerplate [boilerplates][]uint16
	hosts       []string
	hostRanks   zipf
	clusters    []cluster
	order       []version
}

// A cluster is the versions of one text.
type cluster struct {
	seed  uint64
	count int
}

type version struct{ cluster, number int32 }

// MakeDocuments writes documents as JSON Lines. In a mixed collection lengths are
// heavy-tailed, from 73 to 2,000 words, about 58 % of the documents have a near
// duplicate, a tenth an equal one, and 244 shingles of five words, boilerplate, are in
// more than a tenth of all. In the others each text is a URL, with as many versions, in
// mean and deviation, as in the paper's collection of that name.
func MakeDocuments(w io.Writer, o DocumentOptions) error {
	switch {
	case o.Documents < 1 || o.Documents > 100_000_000:
		return fmt.Errorf("%d documents: 1 to 100,000,000 are wanted", o.Documents)
	case o.Collection != "mixed" && o.Collection != "A" && o.Collection != "B" && o.Collection != "C":
		return fmt.Errorf("collection %q: mixed, A, B or C is wanted", o.Collection)
	}
	m := newDocumentMaker(o)
	out := bufio.NewWriterSize(w, 1<<20)
	var text []uint16
	for i, v := range m.order {
		text = m.text(text[:0], v)
		if err := m.write(out, i, v, text); err != nil {
			return err
		}
	}
	return out.Flush()
}

func newDocumentMaker(o DocumentOptions) *documentMaker {
	m := &documentMaker{options: o, words: vocabulary(o.Seed), ranks: make([]uint16, 1<<16)}
	z := newZipf(len(m.words), 1)
	for i := range m.ranks {
		m.ranks[i] = uint16(z.rank(float64(i) / float64(len(m.ranks))))
	}
	r := random(hash(o.Seed, forBoilerplate))
	for i := range m.boilerplate {
		m.boilerplate[i] = m.draw(nil, &r, boilerplateSize)
	}
	hosts := max(1, o.Documents/400)
	if o.Collection == "C" {
		hosts = 1
	}
	for i := range hosts {
		m.hosts = append(m.hosts, fmt.Sprintf("www.%s%d.example", m.words[200+r.below(2000)], i))
	}
	m.hostRanks = newZipf(hosts, 0.7)
	r = random(hash(o.Seed, forDocuments))
	for left := o.Documents; left > 0; {
		c := cluster{seed: hash(o.Seed, forCluster, uint64(len(m.clusters))), count: min(left, m.size(&r))}
		for n := range c.count {
			m.order = append(m.order, version{int32(len(m.clusters)), int32(n)})
		}
		m.clusters = append(m.clusters, c)
		left -= c.count
	}
	r = random(hash(o.Seed, forShuffle))
	for i := len(m.order) - 1; i > 0; i-- {
		j := r.below(i + 1)
		m.order[i], m.order[j] = m.order[j], m.order[i]
	}
	return m
}

// size draws the number of versions of a text.
func (m *documentMaker) size(r *random) int {
	f := fraction(r.next())
	switch m.options.Collection {
	case "A": // mean 2.24, deviation 1.24; no URL has one version only
		if f > 0.063 {
			return 2
		}
		return 3 + int(-3.32*math.Log(1-f/0.063*0.999))
	case "B": // mean 2.07, deviation 1.24; of a URL's versions those of one year
		if f < 0.374 {
			return 1
		} else if f < 0.757 {
			return 2
		}
		// Geometric, 0.83 on average.
		return 3 + int(math.Log(1-(f-0.757)/0.243*0.999)/math.Log(0.453))
	case "C": // mean 2.32, deviation 0.47
		if f < 0.68 {
			return 2
		}
		return 3
	}
	// Of the clusters, of which a tail of n^-2 has more than one document.
	if f < 0.8 {
		return 1
	}
	return min(int(2/(1-(f-0.8)/0.2*0.995)), largestCluster)
}

func (m *documentMaker) draw(dst []uint16, r *random, n int) []uint16 {
	for range n {
		dst = append(dst, m.ranks[r.next()>>48])
	}
	return dst
}

// text appends the words of a version.
func (m *documentMaker) text(dst []uint16, v version) []uint16 {
	c := &m.clusters[v.cluster]
	r := random(c.seed)
	// Log-normal, of 230 words in the median; boilerplate comes on top of it.
	n := int(230 * math.Exp(0.8*m.normal(&r)))
	n = min(max(n, minWords), maxWords-boilerplates*boilerplateSize)
	stub := r.below(150) == 0
	if stub {
		n = 10 // and boilerplate
	}
	for i, b := range m.boilerplate {
		if fraction(r.next()) < 0.11+0.05*float64(i) || stub && i == int(c.seed%boilerplates) {
			dst = append(dst, b...)
		}
	}
	from := len(dst)
	dst = m.draw(dst, &r, n)
	return m.edit(dst, from, v)
}

// edit makes the version of the text, whose own words begin at from.
func (m *documentMaker) edit(text []uint16, from int, v version) []uint16 {
	if v.number == 0 {
		return text
	}
	r := random(hash(m.clusters[v.cluster].seed, forVersion, uint64(v.number)))
	own := text[from:]
	edits := 0
	switch kind := r.below(20); {
	case kind < 3: // the same again
	case kind < 17:
		edits = 1 + r.below(max(1, len(own)/90))
	case kind < 19 && len(own) > minWords: // a part of it
		return text[:max(minWords, from+len(own)/2+r.below(len(own)/2+1))]
	default:
		edits = len(own) / 20
	}
	for range edits {
		own[r.below(len(own))] = m.ranks[r.next()>>48]
	}
	return text
}

// normal draws from the normal distribution, about: a sum of twelve.
func (m *documentMaker) normal(r *random) float64 {
	sum := -6.0
	for range 12 {
		sum += fraction(r.next())
	}
	return sum
}

// A documentLine is a document as it is written.
type documentLine struct {
	ID        string `json:"id"`
	URL       string `json:"url"`
	Hostname  string `json:"hostname"`
	Timestamp int64  `json:"timestamp"`
	Mime      string `json:"mime"`
	Title     string `json:"title"`
	Bytes     int    `json:"bytes"`
	Text      string `json:"text"`
}

func (m *documentMaker) write(out *bufio.Writer, number int, v version, text []uint16) error {
	c := &m.clusters[v.cluster]
	r := random(hash(c.seed, forHostOfURL))
	host := m.hosts[m.hostRanks.rank(fraction(r.next()))]
	years := 5
	if m.options.Collection == "B" {
		years = 1
	}
	second := firstSecond + int64(hash(c.seed, forVisit, uint64(v.number))%uint64(years*365*86400))
	var b strings.Builder
	for i, w := range text {
		word := m.words[w]
		switch {
		case i == 0 || i%13 == 0:
			word = strings.ToUpper(word[:1]) + word[1:]
		case i%7 == 3:
			word += ","
		}
		if i > 0 {
			if i%13 == 0 {
				b.WriteByte('.')
			}
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	line, err := json.Marshal(documentLine{
		ID: fmt.Sprintf("d%08d", number), URL: fmt.Sprintf("http://%s/%d", host, v.cluster), Hostname: host,
		Timestamp: second * 1000, Mime: "text/html", Title: m.words[text[0]], Bytes: b.Len(), Text: b.String(),
	})
	if err != nil {
		return err
	}
	if _, err := out.Write(line); err != nil {
		return err
	}
	return out.WriteByte('\n')
}
