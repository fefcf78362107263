// Command count-pairs counts how many shingles two documents have in common.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "count-pairs",
	Summary:     "count how many shingles two documents have in common",
	Description: "Each line of a pair is one shingle.",
	Input:       "Sorted lines of pair-documents.",
	Output:      "covered TAB covering TAB similarity.",
	Example:     "LC_ALL=C sort pairs | count-pairs --cover 'jaccard(a, b) >= 0.8'",
	Flags:       simjoin.Flags(),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		return simjoin.CountPairs(t, r)
	},
}
