// Command group-sets makes blocks of sets, one record for all documents with the same.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "group-sets",
	Summary:     "make blocks of sets, one record for all documents with the same",
	Description: "Documents with the same set of shingles go into one record; records are sorted by size and cut into blocks.",
	Input:       "Sorted lines of shingle-documents, grouped by their first field.",
	Output:      "id TAB JSON, sorted; side files _blocks/NNN-NNNNN-NNNNN.sets and _counts.",
	Example:     "shingle-documents --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | group-sets --cover 'jaccard(a, b) >= 0.8' --output sets",
	Flags: simjoin.Flags(
		simjoin.BitsFlag(),
		&cli.Int64Flag{Name: "block-size", Value: 64 << 20, Usage: "`BYTES` of a block, of which a task holds one and its index in memory"},
		&cli.IntFlag{Name: "generation", Usage: "documents have been added `N` times before"},
	),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		width, err := simjoin.Width(t)
		if err != nil {
			return err
		}
		return simjoin.GroupSets(t, simjoin.GroupOptions{
			Values:     len(r.Attributes()),
			Width:      width,
			BlockSize:  t.Int64("block-size"),
			Generation: t.Int("generation"),
		})
	},
}
