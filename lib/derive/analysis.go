package derive

import (
	"strconv"
	"strings"

	"archivestream/lib/charset"
	"archivestream/lib/identify"
	"archivestream/lib/language"
	"archivestream/lib/soft404"
)

// An analysis is what tools of ours say of a payload.
type analysis struct {
	done     bool
	puid     string
	language language.Found
	soft404  []byte // with four decimals, empty where it was not asked

	codes   []byte // buffer of languages
	scorer  *soft404.Scorer
	decimal []byte
}

// analyse looks at a payload once.
func (c *record) analyse() *analysis {
	a := &c.analysis
	if a.done {
		return a
	}
	a.done = true
	a.puid, a.soft404 = "", nil
	if !c.hasPayload() || c.isDNS() {
		return a
	}
	p := c.payload()
	a.puid = identify.PUID(c.mime, p)
	if c.parse(); c.page == nil || !c.http || string(c.message.Status()) != "200" {
		return a
	}
	if a.scorer == nil {
		a.scorer = soft404.NewScorer()
	}
	a.decimal = strconv.AppendFloat(a.decimal[:0], a.scorer.Score(c.title, c.text), 'f', 4, 64)
	a.soft404 = a.decimal
	return a
}

// found gives the languages of the text.
func (c *record) found() *language.Found {
	if c.parse(); !c.isTold {
		c.isTold = true
		c.analysis.language = language.Detect(c.text)
	}
	return &c.analysis.language
}

// leastShare is how much of a text, in per cent, a language has to have.
const leastShare = 10

// languages gives the codes of the languages that a text has for certain, separated
// by commas: none where this is not reliable.
func (c *record) languages() []byte {
	found := c.found()
	if !found.Reliable {
		return nil
	}
	codes := c.analysis.codes[:0]
	for i, l := range found.Languages {
		if i > 0 && l.Percent < leastShare {
			break
		}
		if i > 0 {
			codes = append(codes, ',')
		}
		codes = append(codes, l.Code...)
	}
	c.analysis.codes = codes
	return codes
}

// charsetName gives the name that IANA prefers for a charset, as Common Crawl's index
// has it; the WHATWG Encoding standard has names in lower case.
func charsetName(set *charset.Charset) string {
	name := set.Name
	switch {
	case name == "shift_jis":
		return "Shift_JIS"
	case name == "big5":
		return "Big5"
	case strings.HasPrefix(name, "utf"), strings.HasPrefix(name, "iso"), strings.HasPrefix(name, "gb"), strings.HasPrefix(name, "euc"), strings.HasPrefix(name, "koi8"):
		return strings.ToUpper(name)
	}
	return name
}
