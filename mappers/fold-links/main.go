// Command fold-links makes edges and vertices of link lines.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
	"archivestream/lib/webgraph"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "fold-links",
	Summary:     "make edges and vertices of link lines",
	Description: "Equal lines are added up as far as memory for 65,536 of them goes.",
	Input:       "Link lines: FROM TAB TO TAB KIND TAB N, as derive-archives makes them.",
	Output:      "FROM TAB TO TAB TAB N for each edge, VERTEX TAB TAB HOST TAB 0 for each vertex and host of it. Key: three fields.",
	Example:     "fold-links --level domain < links | LC_ALL=C sort | sum-links",
	Flags: []cli.Flag{
		&cli.StringFlag{Name: "level", Value: "host", Usage: "`LEVEL` of the graph: host or domain"},
		&cli.StringFlag{Name: "links", Value: "hyperlinks", Usage: "`WHICH` links: hyperlinks, requisites or all"},
		&cli.StringFlag{Name: "nofollow", Value: "keep", Usage: "keep or drop links that are marked so"},
	},
	Run: run,
}

func run(t *stage.Task) error {
	level, err := webgraph.ParseLevel(t.String("level"))
	if err != nil {
		return err
	}
	o := webgraph.FoldOptions{Level: level}
	switch links := t.String("links"); links {
	case "hyperlinks", "requisites", "all":
		o.Hyperlinks, o.Requisites = links != "requisites", links != "hyperlinks"
	default:
		return stage.Usage("--links %s: hyperlinks, requisites or all is wanted", links)
	}
	switch nofollow := t.String("nofollow"); nofollow {
	case "keep", "drop":
		o.NoFollow = nofollow == "keep"
	default:
		return stage.Usage("--nofollow %s: keep or drop is wanted", nofollow)
	}
	return webgraph.FoldLinks(t, o)
}
