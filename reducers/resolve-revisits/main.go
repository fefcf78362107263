// Command resolve-revisits gives revisits the place of the record that has their
// payload.
package main

import (
	"archivestream/lib/selection"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "resolve-revisits",
	Summary:     "give revisits the place of their original",
	Description: "The original is the earliest capture of the same URL that has the revisit's digest, or else of any URL. A revisit keeps its own index line, and its own place where there is no original.",
	Input:       "Lines of find-originals, sorted by all their fields.",
	Output:      "Lines of an extraction plan.",
	Example:     "cat plan.tsv index.cdxj | find-originals | LC_ALL=C sort | resolve-revisits | LC_ALL=C sort > resolved.tsv",
	Run:         selection.ResolveRevisits,
}
