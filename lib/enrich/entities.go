package enrich

import (
	"regexp"
	"strconv"
	"sync"
)

var _ = register(function{
	name: "entities", from: "payload.string.html.title", takes: 1 << Text, gives: JSON,
	summary: "names, dates, e-mail addresses by simple patterns, with the number of times each is there",
	derive: func(r *Record, from, out *Value) error {
		begin := len(r.arena)
		r.arena = append(r.arena, '{')
		for _, e := range entityPatterns() {
			r.arena = append(appendName(r.arena, e.name), '[')
			list := len(r.arena) - 1
			var found []string
			times := map[string]int{}
			for _, m := range e.pattern.FindAll(from.Bytes, maxEntities) {
				if times[string(m)]++; times[string(m)] == 1 {
					found = append(found, string(m))
				}
			}
			for _, text := range found {
				r.openElement(list)
				r.arena = appendMember(r.arena, "text", []byte(text))
				r.arena = strconv.AppendInt(appendName(r.arena, "count"), int64(times[text]), 10)
				r.arena = append(r.arena, '}')
			}
			r.arena = append(r.arena, ']')
		}
		r.arena = append(r.arena, '}')
		out.setJSON(r.arena[begin:len(r.arena):len(r.arena)])
		return nil
	},
})

// maxEntities bounds how many of a kind are taken from a text.
const maxEntities = 10000

// entityPatterns find what can be told by its form. A model of a language does
// better: --enrich-with has a place for one.
var entityPatterns = sync.OnceValue(func() []entityPattern {
	return []entityPattern{
		// Two to five capitalized words, particles between them.
		{"names", regexp.MustCompile(`\p{Lu}[\p{L}'’-]+(?: (?:(?:van|von|de|der|den|of|al|bin|da|di|la|le) )?\p{Lu}[\p{L}'’-]+){1,4}`)},
		{"dates", regexp.MustCompile(`\b(?:\d{4}-\d{2}-\d{2}|\d{1,2}\.\d{1,2}\.\d{4}|\d{1,2} (?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}|(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{1,2}, \d{4})\b`)},
		{"emails", regexp.MustCompile(`[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}`)},
	}
})

// An entityPattern is what entities of a kind look like.
type entityPattern struct {
	name    string
	pattern *regexp.Regexp
}
