// Command list-shingles writes a line for each shingle of each document.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "list-shingles",
	Summary:     "write a line for each shingle of each document",
	Description: "Begins the join of the paper, which is kept as reference: an inverted index, all pairs of each list, counted.",
	Input:       "JSON Lines: objects with id, text and any attributes.",
	Output:      "shingle TAB id TAB number of shingles TAB attributes.",
	Example:     "list-shingles --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | pair-documents --cover 'jaccard(a, b) >= 0.8'",
	Flags:       simjoin.Flags(&cli.IntFlag{Name: "shingle-size", Value: 5, Usage: "terms in a shingle: `K`"}, simjoin.BitsFlag()),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		size, width, err := simjoin.Shingle(t)
		if err != nil {
			return err
		}
		return simjoin.ListShingles(t, r, size, width)
	},
}
