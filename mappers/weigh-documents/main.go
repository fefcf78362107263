// Command weigh-documents makes the documents table that covers are found with.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/cover"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "weigh-documents",
	Summary:     "make the documents table that covers are found with",
	Description: "A document weighs 1, or what --weight gives: a number above 0 that says what it costs to keep the document.",
	Input:       "Documents: JSON Lines, or ID TAB a JSON object.",
	Output:      "ID, weight, bytes, URL, filename, offset, length, attributes of --keep-per, separated by tabs.",
	Example:     "weigh-documents --weight '1 + 1 / bytes' < documents.jsonl > documents.tsv",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "weight", Usage: "`EXPRESSION` of attributes: what it costs to keep a document"},
		&cli.StringFlag{Name: "keep-per", Usage: "minima `ATTRIBUTE=N,...` of documents for each value of an attribute"},
	},
	Run: func(t *stage.Task) error {
		minima, err := cover.ParseMinima(t.String("keep-per"))
		if err != nil {
			return stage.Usage("--keep-per: %v", err)
		}
		return cover.WeighDocuments(t, t.String("weight"), minima)
	},
}
