package simjoin

import (
	"os"

	"github.com/urfave/cli/v2"

	"archivestream/lib/coverage"
	"archivestream/lib/stage"
)

// related is the function of a stage that works by the relation of its options.
func related(run func(*stage.Task, *coverage.Relation) error) func(*stage.Task) error {
	return func(t *stage.Task) error {
		r, err := Relation(t)
		if err != nil {
			return err
		}
		return run(t, r)
	}
}

// CountPairsCommand is the stage count-pairs.
func CountPairsCommand() stage.Command {
	return stage.Command{
		Name:        "count-pairs",
		Summary:     "count how many shingles two documents have in common",
		Description: "Each line of a pair is one shingle.",
		Input:       "Sorted lines of pair-documents.",
		Output:      "covered TAB covering TAB similarity.",
		Example:     "LC_ALL=C sort pairs | count-pairs --cover 'jaccard(a, b) >= 0.8'",
		Flags:       Flags(),
		Run:         related(CountPairs),
	}
}

// EstimateJoinCommand is the stage estimate-join.
func EstimateJoinCommand() stage.Command {
	return stage.Command{
		Name:        "estimate-join",
		Summary:     "say about how many edges a join will find, and how long it will take",
		Description: "Joins a sample, which it holds in memory. Of old blocks, all are read for one.",
		Input:       "Nothing.",
		Output:      "One line, for a person.",
		Example:     "estimate-join --cover 'jaccard(a, b) >= 0.8' --blocks sets/sets --sample-folder sets/_sample --sample 20 < /dev/null",
		Flags: Flags(
			&cli.StringFlag{Name: "blocks", Value: ".", Usage: "`FOLDER` of the blocks, with their blocks.tsv"},
			&cli.StringFlag{Name: "old", Usage: "`FOLDER` of blocks that have been compared with each other, if any"},
			&cli.StringFlag{Name: "sample-folder", Usage: "`FOLDER` of the sample of order-sets"},
			&cli.IntFlag{Name: "sample", Value: 1, Usage: "of `N` sets one is in the sample"},
		),
		Run: related(func(t *stage.Task, r *coverage.Relation) error {
			return Estimate(os.Stdout, r, EstimateOptions{Blocks: t.String("blocks"), Old: t.String("old"), Sample: t.String("sample-folder"), One: t.Int("sample")})
		}),
	}
}

// ExplainCoverageCommand is the stage explain-coverage.
func ExplainCoverageCommand() stage.Command {
	return stage.Command{
		Name:        "explain-coverage",
		Summary:     "say how a coverage expression will be evaluated",
		Description: "Ends with status 2, and shows the place, where the expression is none. With --seen it tells whether the attributes are in the documents.",
		Input:       "Nothing.",
		Output:      "The plan, for a person.",
		Example:     "explain-coverage --cover 'containment(a, b) >= 0.7 && a.timestamp <= b.timestamp'",
		Flags: Flags(
			&cli.StringFlag{Name: "seen", Usage: "check the expression by the names of shingle-documents' `COUNTERS`, one a line"},
			&cli.StringSliceFlag{Name: "documents", Usage: "and by the documents in `PATH`, lines ID TAB JSON; can be repeated"},
		),
		Run: related(func(t *stage.Task, r *coverage.Relation) error {
			if t.IsSet("seen") {
				return CheckAttributes(r, t.String("seen"), t.StringSlice("documents"))
			}
			r.Explain(os.Stdout)
			return nil
		}),
	}
}

// GroupSetsCommand is the stage group-sets.
func GroupSetsCommand() stage.Command {
	return stage.Command{
		Name:        "group-sets",
		Summary:     "make blocks of sets, one record for all documents with the same",
		Description: "Documents with the same set of shingles go into one record; records are sorted by size and cut into blocks.",
		Input:       "Sorted lines of shingle-documents, grouped by their first field.",
		Output:      "id TAB JSON, sorted; side files _blocks/NNN-NNNNN-NNNNN.sets and _counts.",
		Example:     "shingle-documents --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | group-sets --cover 'jaccard(a, b) >= 0.8' --output sets",
		Flags: Flags(
			BitsFlag(),
			&cli.Int64Flag{Name: "block-size", Value: 64 << 20, Usage: "`BYTES` of a block, of which a task holds one and its index in memory"},
			&cli.IntFlag{Name: "generation", Usage: "documents have been added `N` times before"},
		),
		Run: related(func(t *stage.Task, r *coverage.Relation) error {
			width, err := Width(t)
			if err != nil {
				return err
			}
			return GroupSets(t, GroupOptions{
				Values:     len(r.Attributes()),
				Width:      width,
				BlockSize:  t.Int64("block-size"),
				Generation: t.Int("generation"),
			})
		}),
	}
}

// JoinSetsCommand is the stage join-sets.
func JoinSetsCommand() stage.Command {
	return stage.Command{
		Name:        "join-sets",
		Summary:     "find the pairs of documents of which one covers the other",
		Description: "Indexes one block in memory and looks up the sets of others in it, one at a time.",
		Input:       "Tasks of plan-join.",
		Output:      "covered TAB covering TAB similarity.",
		Example:     "plan-join --cover 'jaccard(a, b) >= 0.8' --blocks sets/sets < /dev/null | join-sets --cover 'jaccard(a, b) >= 0.8' | LC_ALL=C sort | list-edges",
		Flags:       Flags(),
		Run:         related(Join),
	}
}

// ListDocumentsCommand is the stage list-documents.
func ListDocumentsCommand() stage.Command {
	return stage.Command{
		Name:        "list-documents",
		Summary:     "write each document once",
		Description: "A document whose id is there already is rejected.",
		Input:       "id TAB JSON, sorted by the id.",
		Output:      "The same lines, each id once.",
		Example:     "LC_ALL=C sort documents-1 documents-2 | list-documents > documents",
		Run:         ListDocuments,
	}
}

// ListEdgesCommand is the stage list-edges.
func ListEdgesCommand() stage.Command {
	return stage.Command{
		Name:        "list-edges",
		Summary:     "write each edge once",
		Description: "Where there are several between two documents the most similar one counts.",
		Input:       "covered TAB covering TAB similarity, sorted by the whole line.",
		Output:      "The same lines, each edge once.",
		Example:     "LC_ALL=C sort edges-1 edges-2 | list-edges > edges",
		Run:         ListEdges,
	}
}

// ListShinglesCommand is the stage list-shingles.
func ListShinglesCommand() stage.Command {
	return stage.Command{
		Name:        "list-shingles",
		Summary:     "write a line for each shingle of each document",
		Description: "Begins the join of the paper, which is kept as reference: an inverted index, all pairs of each list, counted.",
		Input:       "JSON Lines: objects with id, text and any attributes.",
		Output:      "shingle TAB id TAB number of shingles TAB attributes.",
		Example:     "list-shingles --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | pair-documents --cover 'jaccard(a, b) >= 0.8'",
		Flags:       Flags(&cli.IntFlag{Name: "shingle-size", Value: 5, Usage: "terms in a shingle: `K`"}, BitsFlag()),
		Run: related(func(t *stage.Task, r *coverage.Relation) error {
			size, width, err := Shingle(t)
			if err != nil {
				return err
			}
			return ListShingles(t, r, size, width)
		}),
	}
}

// OrderSetsCommand is the stage order-sets.
func OrderSetsCommand() stage.Command {
	return stage.Command{
		Name:        "order-sets",
		Summary:     "bring the shingles of sets into the global order",
		Description: "The order is by ascending frequency, as far as 2^18 counters tell it.",
		Input:       "Paths of blocks of group-sets.",
		Output:      "A line about each block (blocks.tsv); side files sets/ and _sample/ of the blocks' names.",
		Example:     "mkdir sets/sets && ls sets/_blocks/* | order-sets --counts sets/_counts --output sets > sets/sets/blocks.tsv",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "counts", Value: "counts", Usage: "`FILE` of the counters"},
			&cli.IntFlag{Name: "sample", Usage: "one of `N` sets goes into the sample, too"},
		},
		Run: func(t *stage.Task) error {
			return OrderSets(t, OrderOptions{Counts: t.String("counts"), Sample: t.Int("sample")})
		},
	}
}

// PairDocumentsCommand is the stage pair-documents.
func PairDocumentsCommand() stage.Command {
	return stage.Command{
		Name:        "pair-documents",
		Summary:     "write all pairs of documents that have a shingle in common",
		Description: "Holds the documents of one shingle in memory.",
		Input:       "Sorted lines of list-shingles.",
		Output:      "id TAB id TAB their numbers of shingles TAB directions that the metadata allow.",
		Example:     "list-shingles --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | pair-documents --cover 'jaccard(a, b) >= 0.8'",
		Flags:       Flags(),
		Run:         related(PairDocuments),
	}
}

// PlanJoinCommand is the stage plan-join.
func PlanJoinCommand() stage.Command {
	return stage.Command{
		Name:        "plan-join",
		Summary:     "say which blocks of sets have to be compared",
		Description: "Leaves out blocks of which sizes or keys rule out that they have a pair, and two blocks that are both old.",
		Input:       "Nothing.",
		Output:      "Tasks of join-sets, the longest first: the block to index and the blocks to look up in it, separated by tabs.",
		Example:     "plan-join --cover 'jaccard(a, b) >= 0.8' --blocks sets/sets < /dev/null | join-sets --cover 'jaccard(a, b) >= 0.8'",
		Flags: Flags(
			&cli.StringFlag{Name: "blocks", Value: ".", Usage: "`FOLDER` of new blocks, with their blocks.tsv"},
			&cli.StringFlag{Name: "old", Usage: "`FOLDER` of blocks that have been compared with each other"},
			&cli.Int64Flag{Name: "limit", Value: 1 << 28, Usage: "look up about `N` shingles in a task"},
		),
		Run: related(func(t *stage.Task, r *coverage.Relation) error {
			return Plan(os.Stdout, r, PlanOptions{Blocks: t.String("blocks"), Old: t.String("old"), Limit: t.Int64("limit")})
		}),
	}
}

// ShingleDocumentsCommand is the stage shingle-documents.
func ShingleDocumentsCommand() stage.Command {
	return stage.Command{
		Name:        "shingle-documents",
		Summary:     "make sets of shingles of documents",
		Description: "Cuts texts into terms and these into shingles of consecutive terms, and counts how frequent shingles are.",
		Input:       "JSON Lines: objects with id, text and any attributes.",
		Output: `sKEY TAB id TAB attributes and set, for documents that can be in a pair.
dID TAB TAB JSON, all attributes but the text, with the numbers of bytes, terms and shingles.
c TAB task TAB counters.`,
		Example: "shingle-documents --cover 'jaccard(a, b) >= 0.8' < documents.jsonl | LC_ALL=C sort | group-sets --cover 'jaccard(a, b) >= 0.8' --output sets",
		Flags:   Flags(&cli.IntFlag{Name: "shingle-size", Value: 5, Usage: "terms in a shingle: `K`"}, BitsFlag()),
		Run: related(func(t *stage.Task, r *coverage.Relation) error {
			size, width, err := Shingle(t)
			if err != nil {
				return err
			}
			return ShingleDocuments(t, r, size, width)
		}),
	}
}
