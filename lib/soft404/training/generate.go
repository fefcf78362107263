package training

import (
	"math/rand/v2"
	"strings"
)

// A Page is a page and what it is.
type Page struct {
	Title, Text string // a line of the text is a block of the page
	Missing     bool   // it says that nothing is there
}

// A generator makes pages: error pages among ordinary ones of which some are short,
// have a number 404 or write of what is not found, and many are long, of words that no
// error page has and of the words of error pages in another order.
type generator struct{ *rand.Rand }

// Generate makes n pages, a third of them error pages: the same ones from the same
// seed.
func Generate(seed uint64, n int) []Page {
	g := generator{rand.New(rand.NewPCG(seed, 404))}
	pages := make([]Page, n)
	for i := range pages {
		l := &languages[0]
		if g.IntN(5) >= 2 {
			l = &languages[g.IntN(len(languages))]
		}
		if g.IntN(3) == 0 {
			pages[i] = g.missing(l)
		} else {
			pages[i] = g.ordinary(l)
		}
	}
	return pages
}

func (g generator) one(phrases []string) string { return phrases[g.IntN(len(phrases))] }

// some gives up to n lines of one or more phrases each.
func (g generator) some(phrases []string, n, perLine int) []string {
	var lines []string
	for range g.IntN(n + 1) {
		var line []string
		for range 1 + g.IntN(perLine) {
			line = append(line, g.one(phrases))
		}
		lines = append(lines, strings.Join(line, " "))
	}
	return lines
}

// name makes up the name of a site or of anything else, hardly ever the same.
func (g generator) name() string {
	const vowels, consonants = "aeiou", "bcdfghjklmnprstvwz"
	b := []byte{consonants[g.IntN(len(consonants))] &^ 0x20}
	for range 2 + g.IntN(3) {
		b = append(b, vowels[g.IntN(len(vowels))], consonants[g.IntN(len(consonants))])
	}
	return string(b)
}

// titled puts a site's name behind or in front of a title.
func (g generator) titled(title string) string {
	separator := g.one([]string{" - ", " | ", " « ", ": ", " – "})
	switch g.IntN(4) {
	case 0:
		return title
	case 1:
		return g.name() + separator + title
	}
	return title + separator + g.name() + " " + g.one([]string{"", "Inc.", "City", "Online", ".org"})
}

// filler gives up to n lines of what a phrase of ours is not in: words that are made up
// and the words of all phrases, these one by one, so that it is their order that tells.
func (g generator) filler(l *language, n int) []string {
	lines := make([]string, g.IntN(n+1))
	for i := range lines {
		words := make([]string, 1+g.IntN(30))
		for j := range words {
			switch g.IntN(5) {
			case 0, 1:
				words[j] = strings.ToLower(g.name())
			case 2:
				words[j] = g.one(strings.Fields(g.one(l.ordinary)))
			default:
				of := [][]string{l.titles, l.sentences, l.hints, l.links, l.topics}
				words[j] = g.one(strings.Fields(g.one(of[g.IntN(len(of))])))
			}
		}
		lines[i] = strings.Join(words, " ")
	}
	return lines
}

// frame puts the navigation of a site around the lines of a page.
func (g generator) frame(l *language, lines []string) string {
	if g.IntN(4) > 0 {
		lines = append(g.some(l.links, 25, 2), lines...)
	}
	if g.IntN(3) > 0 {
		lines = append(lines, g.some(l.links, 12, 4)...)
	}
	if g.IntN(4) == 0 { // names of things in the navigation
		for range g.IntN(12) {
			lines = append(lines, g.name()+" "+g.one(l.links))
		}
	}
	if g.IntN(3) == 0 {
		lines = append(lines, "Copyright 20"+g.one([]string{"08", "12", "16", "20"})+" "+g.name()+". "+g.one(languages[0].ordinary))
	}
	return strings.Join(lines, "\n")
}

func (g generator) missing(l *language) Page {
	title := g.titled(g.one(l.titles))
	switch g.IntN(8) {
	case 0: // the site's name only
		title = g.name()
	case 1: // in another language than the text
		title = g.titled(g.one(languages[0].titles))
	case 2:
		title = ""
	}
	var lines []string
	if g.IntN(4) > 0 {
		lines = append(lines, g.one(l.titles))
	}
	lines = append(lines, g.some(l.sentences, 2, 2)...)
	if len(lines) == 0 || g.IntN(3) == 0 {
		lines = append(lines, g.one(l.sentences)+" "+g.one(l.hints))
	}
	lines = append(lines, g.some(l.hints, 3, 1)...)
	if g.IntN(6) == 0 { // news beside it
		lines = append(lines, g.some(l.ordinary, 6, 1)...)
	}
	return Page{title, g.frame(l, lines), true}
}

func (g generator) ordinary(l *language) Page {
	title := g.titled(g.one(l.topics))
	if g.IntN(6) == 0 {
		title = g.name()
	} else if g.IntN(12) == 0 {
		title = ""
	}
	var lines []string
	if g.IntN(3) > 0 {
		lines = append(lines, g.one(l.topics))
	}
	length := []int{0, 1, 4, 15, 60}[g.IntN(5)]
	lines = append(lines, g.some(g.varied(l.ordinary), length, 5)...)
	if g.IntN(3) == 0 {
		lines = append(lines, g.filler(l, []int{10, 30, 60}[g.IntN(3)])...)
	}
	switch g.IntN(14) {
	case 0: // an article that quotes what error pages say
		at := len(lines) / 2
		quoted := g.one(l.ordinary) + " \"" + g.one(l.sentences) + "\" " + g.one(l.ordinary)
		lines = append(lines[:at:at], append([]string{quoted}, lines[at:]...)...)
		lines = append(lines, g.some(l.ordinary, 20, 4)...)
	case 1: // a form
		lines = append(lines, g.some(l.hints, 2, 1)...)
	case 2: // a long page that says it of something on it
		lines = append(append(lines, g.one(l.sentences)), g.filler(l, 60)...)
	}
	return Page{title, g.frame(l, lines), false}
}

// varied gives sentences with other words in them, so that no single word stands
// for an ordinary page.
func (g generator) varied(sentences []string) []string {
	out := make([]string, len(sentences))
	for i, s := range sentences {
		words := strings.Fields(s)
		for j := range words {
			switch g.IntN(8) {
			case 0:
				words[j] = strings.ToLower(g.name())
			case 1:
				words[j] = g.one(strings.Fields(g.one(sentences)))
			}
		}
		out[i] = strings.Join(words, " ")
	}
	return out
}
