// Command shingle-documents makes sets of shingles of documents.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "shingle-documents",
	Summary:     "make sets of shingles of documents",
	Description: "Cuts texts into terms and these into shingles of consecutive terms, and counts how frequent shingles are.",
	Input:       "JSON Lines: objects with id, text and any attributes.",
	Output: `sKEY TAB id TAB attributes and set, for documents that can be in a pair.
dID TAB TAB JSON, all attributes but the text, with the numbers of bytes, terms and shingles.
c TAB task TAB counters.`,
	Example: "shingle-documents --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | group-sets --cover 'jaccard(a, b) >= 0.8' --output sets",
	Flags:   simjoin.Flags(&cli.IntFlag{Name: "shingle-size", Value: 5, Usage: "terms in a shingle: `K`"}, simjoin.BitsFlag()),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		size, width, err := simjoin.Shingle(t)
		if err != nil {
			return err
		}
		return simjoin.ShingleDocuments(t, r, size, width)
	},
}
