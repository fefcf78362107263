// Command place-ranks gives vertices their positions by rank.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:    "place-ranks",
	Summary: "give vertices their positions by rank",
	Input:   "Lines of order-ranks, sorted by two fields; all of them in one task.",
	Output:  "By PageRank POSITION TAB ID TAB VERTEX TAB HOSTS TAB HARMONIC TAB PAGERANK; by harmonic centrality the side file ranks/part-00000.txt.gz.",
	Example: "order-ranks < records | LC_ALL=C sort | place-ranks | order-ranks --by harmonic | LC_ALL=C sort | place-ranks --by harmonic --output graph",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "by", Value: "pagerank", Usage: "`MEASURE`: pagerank or harmonic"},
		&cli.StringFlag{Name: "level", Value: "host", Usage: "`LEVEL` of the graph: host or domain"},
	},
	Run: func(t *stage.Task) error {
		by, err := webgraph.ParseMeasure(t.String("by"))
		if err != nil {
			return err
		}
		level, err := webgraph.ParseLevel(t.String("level"))
		if err != nil {
			return err
		}
		return webgraph.PlaceRanks(t, by, level)
	},
}
