package summary

import (
	"bytes"
	"slices"
	"strings"
)

// The rows and columns of the tables, as they stand in a summary.
var (
	Types    = []string{"HTML", "Image", "CSS", "JavaScript", "JSON", "XML", "Text", "PDF", "Font", "Audio", "Video", "Revisit", "Other"}
	Statuses = []string{"2XX", "3XX", "4XX", "5XX", "Other"}
	Paths    = []string{"P0", "P1", "P2", "P3", "P4", "Other"}
	Queries  = []string{"Q0", "Q1", "Q2", "Q3", "Q4", "Other"}
)

// typeNames are the parts of media types that a group of Types has its name of, in
// the order of Types.
var typeNames = []string{"html", "image", "css", "javascript", "json", "xml", "plain", "pdf", "font", "audio", "video", "revisit", "other"}

// typeGroup gives the group of a media type, an index of Types.
func typeGroup(mime string) int {
	kind, subtype, _ := strings.Cut(strings.ToLower(mime), "/")
	for _, part := range []string{subtype, kind} {
		if i := slices.Index(typeNames, part); i >= 0 {
			return i
		}
	}
	switch {
	case strings.HasPrefix(subtype, "xhtml"):
		return slices.Index(typeNames, "html")
	case strings.HasSuffix(subtype, "+xml"), strings.HasPrefix(subtype, "xml-"):
		return slices.Index(typeNames, "xml")
	}
	return len(Types) - 1
}

// statusGroup gives the class of a status, an index of Statuses.
func statusGroup(status []byte) int {
	if len(status) == 3 && status[0] >= '2' && status[0] <= '5' {
		return int(status[0] - '2')
	}
	return len(Statuses) - 1
}

// segments counts the parts of a path or query, without separators at its ends; of
// more than four it gives five.
func segments(text []byte, separator byte) int {
	for len(text) > 0 && text[0] == separator {
		text = text[1:]
	}
	for len(text) > 0 && text[len(text)-1] == separator {
		text = text[:len(text)-1]
	}
	if len(text) == 0 {
		return 0
	}
	return min(bytes.Count(text, []byte{separator})+1, 5)
}
