// Command pick-captures takes one capture of each group.
package main

import (
	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "pick-captures",
	Summary:     "take one capture of each group",
	Description: "The first line of each group is the one that is wanted, whatever the size of the group.",
	Input:       "Lines of filter-captures --pick, sorted by all their fields.",
	Output:      "Lines of an extraction plan.",
	Example:     "filter-captures --pick latest < index.cdxj | LC_ALL=C sort | pick-captures | LC_ALL=C sort > plan.tsv",
	Run:         selection.PickCaptures,
}
