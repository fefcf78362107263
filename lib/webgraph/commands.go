package webgraph

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// FoldLinksCommand is the stage fold-links.
func FoldLinksCommand() stage.Command {
	return stage.Command{
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
		Run: runFoldLinks,
	}
}

func runFoldLinks(t *stage.Task) error {
	level, err := ParseLevel(t.String("level"))
	if err != nil {
		return err
	}
	o := FoldOptions{Level: level}
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
	return FoldLinks(t, o)
}

// iterationFlags are the options of both stages of an iteration.
func iterationFlags() []cli.Flag {
	return []cli.Flag{
		&cli.Int64Flag{Name: "vertices", Usage: "`N` vertices of the graph"},
		&cli.Int64Flag{Name: "step", Value: 1, Usage: "`N`th iteration"},
		&cli.IntFlag{Name: "exact", Value: 64, Usage: "count up to `N` vertices exactly"},
		&cli.IntFlag{Name: "bits", Value: 8, Usage: "2^`N` registers of a counter beyond that"},
	}
}

// iteration reads these options.
func iteration(t *stage.Task) RankOptions {
	return RankOptions{
		Vertices: t.Int64("vertices"), Step: t.Int64("step"),
		Counter: CounterOptions{Exact: t.Int("exact"), Bits: t.Int("bits")},
	}
}

// GatherRanksCommand is the stage gather-ranks.
func GatherRanksCommand() stage.Command {
	return stage.Command{
		Name:    "gather-ranks",
		Summary: "compute PageRank and harmonic centrality after one more iteration",
		Input:   "Lines of spread-ranks, sorted by one field.",
		Output:  "Records of vertices. Counters: changed, moved, dangling, rank.",
		Example: "spread-ranks --vertices 1000 < records | LC_ALL=C sort | gather-ranks --vertices 1000 --dangling 0",
		Flags:   append(iterationFlags(), &cli.Int64Flag{Name: "dangling", Usage: "`RANK` that vertices without edges had before, in units of 2^-60"}),
		Run: func(t *stage.Task) error {
			o := iteration(t)
			o.Dangling = t.Int64("dangling")
			return GatherRanks(t, o)
		},
	}
}

// JoinVerticesCommand is the stage join-vertices.
func JoinVerticesCommand() stage.Command {
	return stage.Command{
		Name:    "join-vertices",
		Summary: "put ids of vertices into the place of their names",
		Input:   "VERTEX TAB 0 TAB ID TAB HOSTS and, behind it, VERTEX TAB 1 TAB X TAB N; sorted by two fields.",
		Output:  "X TAB 1 TAB ID TAB N.",
		Example: "cat sums numbers | key-sources | LC_ALL=C sort | join-vertices | cat - numbers | LC_ALL=C sort | join-vertices",
		Run:     JoinVertices,
	}
}

// KeyEdgesCommand is the stage key-edges.
func KeyEdgesCommand() stage.Command {
	return stage.Command{
		Name:    "key-edges",
		Summary: "send vertices and edges to the part of the graph where they belong",
		Input:   "Lines of number-vertices, and of join-vertices with ids on both sides.",
		Output:  "WORD TAB FROM TAB TO TAB N for each edge, WORD TAB ID TAB TAB VERTEX TAB HOSTS for each vertex. Key: three fields.",
		Example: "cat edges numbers | key-edges --vertices 1000 | LC_ALL=C sort | write-edges --output graph",
		Flags: []cli.Flag{
			&cli.Int64Flag{Name: "vertices", Usage: "`N` vertices of the graph"},
			&cli.IntFlag{Name: "parts", Value: 1, Usage: "`N` parts, each of one reducer"},
		},
		Run: func(t *stage.Task) error { return KeyEdges(t, t.Int64("vertices"), t.Int("parts")) },
	}
}

// KeySourcesCommand is the stage key-sources.
func KeySourcesCommand() stage.Command {
	return stage.Command{
		Name:    "key-sources",
		Summary: "key edges by the vertices that they come from",
		Input:   "Lines of sum-links and of number-vertices.",
		Output:  "FROM TAB 1 TAB TO TAB N for each edge, and the lines of number-vertices. Key: two fields.",
		Example: "cat sums numbers | key-sources | LC_ALL=C sort | join-vertices",
		Run:     KeySources,
	}
}

// ListVerticesCommand is the stage list-vertices.
func ListVerticesCommand() stage.Command {
	return stage.Command{
		Name:    "list-vertices",
		Summary: "list the vertices of a graph with their hosts",
		Input:   "Lines of sum-links.",
		Output:  "VERTEX TAB HOST. Key: two fields.",
		Example: "list-vertices < sums | LC_ALL=C sort | number-vertices --output graph",
		Run:     ListVertices,
	}
}

// NumberVerticesCommand is the stage number-vertices.
func NumberVerticesCommand() stage.Command {
	return stage.Command{
		Name:    "number-vertices",
		Summary: "number vertices in the order of their names",
		Input:   "Lines of list-vertices, sorted; all of them in one task.",
		Output:  "VERTEX TAB 0 TAB ID TAB HOSTS, and the side file vertices/part-00000.txt.gz.",
		Example: "list-vertices < sums | LC_ALL=C sort | number-vertices --output graph > numbers",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "level", Value: "host", Usage: "`LEVEL` of the graph: host or domain"},
		},
		Run: func(t *stage.Task) error {
			level, err := ParseLevel(t.String("level"))
			if err != nil {
				return err
			}
			return NumberVertices(t, level)
		},
	}
}

// OrderRanksCommand is the stage order-ranks.
func OrderRanksCommand() stage.Command {
	return stage.Command{
		Name:    "order-ranks",
		Summary: "key vertices so that they sort by rank, the highest first",
		Input:   "Records of vertices; with --by harmonic lines of place-ranks.",
		Output:  "KEY TAB ID TAB VERTEX TAB HOSTS TAB HARMONIC TAB PAGERANK, with --by harmonic the position by PageRank behind it. Key: two fields.",
		Example: "order-ranks --total 1152921504606846976 < records | LC_ALL=C sort | place-ranks",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "by", Value: "pagerank", Usage: "`MEASURE`: pagerank or harmonic"},
			&cli.Int64Flag{Name: "total", Value: 1 << 60, Usage: "`SUM` of all ranks"},
		},
		Run: func(t *stage.Task) error {
			by, err := ParseMeasure(t.String("by"))
			if err != nil {
				return err
			}
			return OrderRanks(t, by, t.Int64("total"))
		},
	}
}

// PlaceRanksCommand is the stage place-ranks.
func PlaceRanksCommand() stage.Command {
	return stage.Command{
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
			by, err := ParseMeasure(t.String("by"))
			if err != nil {
				return err
			}
			level, err := ParseLevel(t.String("level"))
			if err != nil {
				return err
			}
			return PlaceRanks(t, by, level)
		},
	}
}

// SpreadRanksCommand is the stage spread-ranks.
func SpreadRanksCommand() stage.Command {
	return stage.Command{
		Name:    "spread-ranks",
		Summary: "tell vertices the rank and the counters of those that link to them",
		Input:   "Records of vertices (package webgraph).",
		Output:  "The records, and ID TAB RANK TAB COUNTER. Key: one field.",
		Example: "spread-ranks --vertices 1000 < records | LC_ALL=C sort | gather-ranks --vertices 1000 --dangling 0",
		Flags:   iterationFlags(),
		Run:     func(t *stage.Task) error { return SpreadRanks(t, iteration(t)) },
	}
}

// SumLinksCommand is the stage sum-links.
func SumLinksCommand() stage.Command {
	return stage.Command{
		Name:    "sum-links",
		Summary: "add up equal edges and vertices",
		Input:   "Lines of fold-links, sorted by three fields.",
		Output:  "Each edge and each host of a vertex once, with the sum of their numbers.",
		Example: "fold-links < links | LC_ALL=C sort | sum-links",
		Run:     SumLinks,
	}
}

// WriteEdgesCommand is the stage write-edges.
func WriteEdgesCommand() stage.Command {
	return stage.Command{
		Name:    "write-edges",
		Summary: "write the edges of a graph and make records of its vertices",
		Input:   "Lines of key-edges, sorted by three fields.",
		Output:  "A record of each vertex (package webgraph), and the side file edges/part-NNNNN.txt.gz.",
		Example: "cat edges numbers | key-edges --vertices 1000 | LC_ALL=C sort | write-edges --output graph > records",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "weights", Usage: "write the number of links behind each edge"},
		},
		Run: func(t *stage.Task) error { return WriteEdges(t, t.Bool("weights")) },
	}
}
