// Command pair-documents writes all pairs of documents that have a shingle in common.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "pair-documents",
	Summary:     "write all pairs of documents that have a shingle in common",
	Description: "Holds the documents of one shingle in memory.",
	Input:       "Sorted lines of list-shingles.",
	Output:      "id TAB id TAB their numbers of shingles TAB directions that the metadata allow.",
	Example:     "list-shingles --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | pair-documents --cover 'jaccard(a, b) >= 0.8'",
	Flags:       simjoin.Flags(),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		return simjoin.PairDocuments(t, r)
	},
}
