package corpus

import (
	"iter"
	"time"

	"archivestream/lib/warc"
)

const (
	capturesPerURL = 4 // on average
	roundEvery     = 30 * 24 * time.Hour
	roundTakes     = 10 * 24 * time.Hour
)

var crawlBegin = time.Date(2019, 1, 7, 4, 0, 0, 0, time.UTC)

// A capture is one visit to a URL.
type capture struct {
	number   int // from 0, in the order of the crawl
	url      int
	round    int
	time     time.Time
	version  int       // of the content
	original time.Time // of a revisit: the visit that it refers to; zero for a response
	format   warc.Format
}

func (c *capture) revisit() bool { return !c.original.IsZero() }

// A crawl tells which URL is visited when.
type crawl struct {
	web     *web
	records int
	formats []warc.Format // that take turns
}

// captures gives all captures in the order of time.
func (c *crawl) captures() iter.Seq[capture] {
	return func(yield func(capture) bool) {
		n := 0
		for round := 0; ; round++ {
			begin := c.firstOf(round)
			for i := range c.web.urls {
				url := (begin + i) % c.web.urls
				if !c.visits(url, round) {
					continue
				}
				if n == c.records || !yield(c.capture(n, url, round)) {
					return
				}
				n++
			}
		}
	}
}

// firstOf gives the URL that a round begins with.
func (c *crawl) firstOf(round int) int {
	r := random(hash(c.web.seed, forVisit, uint64(round)))
	return r.below(c.web.urls)
}

// visits tells whether a round comes to a URL. A quarter of the URLs is visited
// in each round, a quarter in few.
func (c *crawl) visits(url, round int) bool {
	presence := [...]float64{1, 0.5, 0.5, 0.25}[hash(c.web.seed, forPresence, uint64(url))%4]
	return fraction(hash(c.web.seed, forVisit, uint64(url), uint64(round))) < presence
}

func (c *crawl) capture(number, url, round int) capture {
	result := capture{
		number: number, url: url, round: round, time: c.time(url, round),
		version: c.version(url, round), format: c.formats[number%len(c.formats)],
	}
	if result.format == warc.ARC || hash(c.web.seed, forRevisit, uint64(url), uint64(round))%2 == 0 {
		return result
	}
	for before := round - 1; before >= 0; before-- {
		if !c.visits(url, before) {
			continue
		}
		if c.version(url, before) == result.version {
			result.original = c.time(url, before)
		}
		break
	}
	return result
}

// time spreads the visits of a round evenly over its duration.
func (c *crawl) time(url, round int) time.Time {
	position := (url - c.firstOf(round) + c.web.urls) % c.web.urls
	at := int64(roundTakes/time.Second) * int64(position) / int64(c.web.urls)
	return crawlBegin.Add(time.Duration(round)*roundEvery + time.Duration(at)*time.Second)
}

// version counts the changes up to a round.
func (c *crawl) version(url, round int) int {
	changes := 0
	for r := 1; r <= round; r++ {
		if hash(c.web.seed, forChange, uint64(url), uint64(r))%100 < 45 {
			changes++
		}
	}
	return changes
}
