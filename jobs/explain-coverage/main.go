// Command explain-coverage says how a coverage expression will be evaluated.
package main

import (
	"os"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "explain-coverage",
	Summary:     "say how a coverage expression will be evaluated",
	Description: "Ends with status 2, and shows the place, where the expression is none.",
	Input:       "Nothing.",
	Output:      "The plan, for a person.",
	Example:     "explain-coverage --cover 'containment(a, b) >= 0.7 && a.timestamp <= b.timestamp'",
	Flags:       simjoin.Flags(),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		r.Explain(os.Stdout)
		return nil
	},
}
