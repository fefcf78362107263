// Command join-sets finds the pairs of documents of which one covers the other.
package main

import (
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "join-sets",
	Summary:     "find the pairs of documents of which one covers the other",
	Description: "Indexes one block in memory and looks up the sets of others in it, one at a time.",
	Input:       "Tasks of plan-join.",
	Output:      "covered TAB covering TAB similarity.",
	Example:     "plan-join --cover 'jaccard(a, b) >= 0.8' --blocks sets/sets < /dev/null | join-sets --cover 'jaccard(a, b) >= 0.8' | LC_ALL=C sort | list-edges",
	Flags:       simjoin.Flags(),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		return simjoin.Join(t, r)
	},
}
