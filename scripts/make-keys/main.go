// Command make-keys writes made-up lines of a profile of an archive, sorted, for
// benchmarks of maps.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/corpus"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "make-keys",
	Summary:     "write made-up lines of an archive's profile",
	Description: "The same numbers make the same bytes.",
	Input:       "Nothing.",
	Output:      "KEY CAPTURES/URIS, sorted: a map that has not been compacted.",
	Example:     "make-keys --keys 5000000 --seed 1 < /dev/null > keys.ukvs",
	Flags: []cli.Flag{
		&cli.Int64Flag{Name: "keys", Value: 1000, Usage: "`N` lines"},
		&cli.Int64Flag{Name: "seed", Value: 1, Usage: "`N` that all is derived from"},
	},
	Run: func(t *stage.Task) error {
		return corpus.Keys(t.Writer(), t.Int64("keys"), uint64(t.Int64("seed")))
	},
}
