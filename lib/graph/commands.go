package graph

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// CheckLabelsCommand is the stage check-labels.
func CheckLabelsCommand() stage.Command {
	return stage.Command{
		Name:    "check-labels",
		Summary: "check that both ends of each edge have the same label",
		Input:   "Lines of pass-labels, sorted by two fields.",
		Output:  "ID TAB LABEL in the order of ids. A label that differs is a failure.",
		Example: "cat edges.tsv labels.tsv | meet-labels | LC_ALL=C sort | pass-labels | LC_ALL=C sort | check-labels",
		Run:     CheckLabels,
	}
}

// CountSizesCommand is the stage count-sizes.
func CountSizesCommand() stage.Command {
	return stage.Command{
		Name:    "count-sizes",
		Summary: "count the vertices of each component",
		Input:   "Labels of vertices, sorted.",
		Output:  "Side file _sizes/part-NNNNN.tsv: SIZE TAB NUMBER of components.",
		Example: "cut -f2 components.tsv | LC_ALL=C sort | count-sizes --output sizes",
		Run:     CountSizes,
	}
}

// KeepLabelsCommand is the stage keep-labels.
func KeepLabelsCommand() stage.Command {
	return stage.Command{
		Name:    "keep-labels",
		Summary: "keep the greatest label of each vertex",
		Input:   "Lines of spread-labels, sorted by the key and then with the greatest label first.",
		Output:  "KEY TAB TAB LABEL.",
		Example: "spread-labels < round.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | keep-labels",
		Run:     KeepLabels,
	}
}

// KeyVerticesCommand is the stage key-vertices.
func KeyVerticesCommand() stage.Command {
	return stage.Command{
		Name:    "key-vertices",
		Summary: "make edges to themselves of vertices",
		Input:   "Lines whose first field is a vertex's id.",
		Output:  "KEY TAB KEY.",
		Example: "key-vertices < vertices.tsv > loops.tsv",
		Run:     KeyVertices,
	}
}

// LinkStarsCommand is the stage link-stars.
func LinkStarsCommand() stage.Command {
	return stage.Command{
		Name:        "link-stars",
		Summary:     "link vertices to the greatest of their neighbours",
		Description: "The counter unfinished of a large star is 0 when every edge leads to the greatest vertex of its component.",
		Input:       "Lines of span-forest, sorted by the key and then with the greatest neighbour first.",
		Output:      "KEY TAB KEY: the edges that are left, the greater vertex last.",
		Example:     "span-forest < edges.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | link-stars --star large",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "star", Value: string(Large), Usage: "`STAR` to make: large or small"},
		},
		Run: func(t *stage.Task) error {
			star, err := ParseStar(t.String("star"))
			if err != nil {
				return err
			}
			return LinkStars(t, star)
		},
	}
}

// MeetLabelsCommand is the stage meet-labels.
func MeetLabelsCommand() stage.Command {
	return stage.Command{
		Name:    "meet-labels",
		Summary: "bring edges and labels together",
		Input:   "Edges, ID TAB ID, and lines of keep-labels.",
		Output:  "KEY TAB 0 TAB LABEL and KEY TAB 1 TAB NEIGHBOUR.",
		Example: "cat edges.tsv labels.tsv | meet-labels | LC_ALL=C sort | pass-labels | LC_ALL=C sort | check-labels",
		Run:     MeetLabels,
	}
}

// PassLabelsCommand is the stage pass-labels.
func PassLabelsCommand() stage.Command {
	return stage.Command{
		Name:    "pass-labels",
		Summary: "pass the label of each vertex on over its edges",
		Input:   "Lines of meet-labels, sorted by two fields.",
		Output:  "KEY TAB 0 TAB LABEL and NEIGHBOUR TAB 1 TAB LABEL.",
		Example: "cat edges.tsv labels.tsv | meet-labels | LC_ALL=C sort | pass-labels | LC_ALL=C sort | check-labels",
		Run:     PassLabels,
	}
}

// SpanForestCommand is the stage span-forest.
func SpanForestCommand() stage.Command {
	return stage.Command{
		Name:        "span-forest",
		Summary:     "replace edges by stars for a round of finding components",
		Description: "Links each vertex to the greatest that the edges read so far connect it to, and begins anew when --vertices are held.",
		Input:       "Edges, ID TAB ID; with --keys as link-stars makes them.",
		Output:      "KEY TAB NEIGHBOUR, to be sorted by the key and then with the greatest neighbour first.",
		Example:     "span-forest < edges.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | link-stars --star large",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "star", Value: string(Large), Usage: "`STAR` that link-stars is to make: large or small"},
			&cli.BoolFlag{Name: "keys", Usage: "the edges are those of a round"},
			&cli.IntFlag{Name: "vertices", Value: 1 << 20, Usage: "hold up to `N` vertices at once"},
		},
		Run: func(t *stage.Task) error {
			star, err := ParseStar(t.String("star"))
			if err != nil {
				return err
			}
			return SpanForest(t, SpanOptions{Star: star, Keys: t.Bool("keys"), Vertices: t.Int("vertices")})
		},
	}
}

// SpreadLabelsCommand is the stage spread-labels.
func SpreadLabelsCommand() stage.Command {
	return stage.Command{
		Name:    "spread-labels",
		Summary: "make labels of the edges of the last round",
		Input:   "KEY TAB KEY, as link-stars and key-vertices make them.",
		Output:  "KEY TAB LABEL, to be sorted by the key and then with the greatest label first.",
		Example: "spread-labels < round.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2r | keep-labels",
		Run:     SpreadLabels,
	}
}

// SumSizesCommand is the stage sum-sizes.
func SumSizesCommand() stage.Command {
	return stage.Command{
		Name:    "sum-sizes",
		Summary: "add the sizes of components up",
		Input:   "SIZE TAB NUMBER, in any order, as count-sizes and union-edges make them.",
		Output:  "Side file stats.json: vertices, edges, components, largest, rounds, and sizes as pairs of a size and how many components have it.",
		Example: "cat _sizes/part-*.tsv | sum-sizes --edges 12 --output components",
		Flags: []cli.Flag{
			&cli.Int64Flag{Name: "edges", Usage: "the graph has `N` edges"},
			&cli.IntFlag{Name: "rounds", Usage: "the components were found in `N` rounds"},
		},
		Run: func(t *stage.Task) error { return WriteStats(t, t.Int64("edges"), t.Int("rounds")) },
	}
}

// UnionEdgesCommand is the stage union-edges.
func UnionEdgesCommand() stage.Command {
	return stage.Command{
		Name:        "union-edges",
		Summary:     "find the connected components of a graph in one task",
		Description: "Holds the vertices in memory, some 80 bytes for each, and the ids that are no numbers of up to 18 digits; edges take none.",
		Input:       "Edges, ID TAB ID; with --files names of files of them.",
		Output:      "ID TAB LABEL in the order of ids, the label being the greatest id of the component. Side file _sizes/part-NNNNN.tsv: SIZE TAB NUMBER of components.",
		Example:     "union-edges < edges.tsv > components.tsv",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "files", Usage: "the lines name files"},
			&cli.StringFlag{Name: "vertex-files", Usage: "`FILE` that names files of vertices, of which some may have no edge"},
			&cli.IntFlag{Name: "limit", Usage: "fail where there are more than `N` vertices (default: 4,294,967,294)"},
		},
		Run: func(t *stage.Task) error {
			return UnionEdges(t, UnionOptions{Files: t.Bool("files"), Vertices: t.String("vertex-files"), Limit: t.Int("limit")})
		},
	}
}
