// Command explain-coverage says how a coverage expression will be evaluated.
package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "explain-coverage",
	Summary:     "say how a coverage expression will be evaluated",
	Description: "Ends with status 2, and shows the place, where the expression is none. With --seen it tells whether the attributes are in the documents.",
	Input:       "Nothing.",
	Output:      "The plan, for a person.",
	Example:     "explain-coverage --cover 'containment(a, b) >= 0.7 && a.timestamp <= b.timestamp'",
	Flags: simjoin.Flags(
		&cli.StringFlag{Name: "seen", Usage: "check the expression by the names of shingle-documents' `COUNTERS`, one a line"},
		&cli.StringSliceFlag{Name: "documents", Usage: "and by the documents in `PATH`, lines ID TAB JSON; can be repeated"},
	),
	Run: func(t *stage.Task) error {
		r, err := simjoin.Relation(t)
		if err != nil {
			return err
		}
		if t.IsSet("seen") {
			return simjoin.CheckAttributes(r, t.String("seen"), t.StringSlice("documents"))
		}
		r.Explain(os.Stdout)
		return nil
	},
}
