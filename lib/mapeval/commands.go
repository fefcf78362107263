package mapeval

import (
	"slices"

	"github.com/urfave/cli/v2"

	"archivestream/lib/mementomap"
	"archivestream/lib/stage"
)

// EvaluateMementomapsCommand is the stage evaluate-mementomaps.
func EvaluateMementomapsCommand() stage.Command {
	return stage.Command{
		Name:    "evaluate-mementomaps",
		Summary: "tell how many lookups maps answer rightly",
		Input:   "NUMBER TAB PATH of a map.",
		Output:  "map TAB NUMBER TAB NAME TAB LINES BYTES LOOKUPS PRESENT PREDICTED FOUND. Key: three fields.",
		Example: "printf '1\\tmementomap.ukvs\\n' | evaluate-mementomaps --lookups lookups.tsv | write-evaluation --uris 1000 --output evaluation",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "lookups", Usage: "`PATH` of lines of tell-lookups: a file, a folder, a glob or a URI"},
		},
		Run: func(t *stage.Task) error {
			if t.String("lookups") == "" {
				return stage.Usage("--lookups is missing")
			}
			return Evaluate(t, t.String("lookups"))
		},
	}
}

// GridMementomapsCommand is the stage grid-mementomaps.
func GridMementomapsCommand() stage.Command {
	return stage.Command{
		Name:        "grid-mementomaps",
		Summary:     "compact a map with all pairs of some weights at once",
		Description: "One pass: each map is made of the lines of the one with the next larger weight, as they come.",
		Input:       "A map in UKVS without roll-ups, sorted as by LC_ALL=C sort.",
		Output:      "Side files maps/hW-pW.ukvs, for the weights of hosts and of paths.",
		Example:     "grid-mementomaps --weights 4,2,1 --output grid < baseline.ukvs",
		Flags: slices.Concat([]cli.Flag{
			&cli.StringFlag{Name: "weights", Value: "4,2,1,0.5,0.25,0", Usage: "`LIST` of weights for hosts and for paths"},
		}, mementomap.Flags(false)),
		Run: func(t *stage.Task) error {
			weights, err := ParseWeights(t.String("weights"))
			if err != nil {
				return stage.Usage("--weights: %v", err)
			}
			o, err := mementomap.OptionsOf(t)
			if err != nil {
				return err
			}
			return Grid(t, o, weights)
		},
	}
}

// KeyLookupsCommand is the stage key-lookups.
func KeyLookupsCommand() stage.Command {
	return stage.Command{
		Name:    "key-lookups",
		Summary: "give URIs that are looked up in maps their keys",
		Input:   "URIs, one a line.",
		Output:  "lookup TAB SURT.",
		Example: "key-lookups < uris.txt | cat - index.cdxj | meet-lookups | LC_ALL=C sort | tell-lookups > lookups.tsv",
		Run:     KeyLookups,
	}
}

// MeetLookupsCommand is the stage meet-lookups.
func MeetLookupsCommand() stage.Command {
	return stage.Command{
		Name:        "meet-lookups",
		Summary:     "bring lookups together with the index that tells which are present",
		Description: "A line that is neither a lookup nor of the index is rejected.",
		Input:       "Lines of key-lookups; index lines (CDX, CDXJ), or with --by key a map in UKVS without wildcards.",
		Output:      "SURT TAB l of a lookup, SURT TAB t TAB URIS of the index.",
		Example:     "key-lookups < uris.txt | cat - index.cdxj | meet-lookups | LC_ALL=C sort | tell-lookups > lookups.tsv",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "by", Value: "uri", Usage: "`WHAT` is compared: uri (with its query), or key (without)"},
			&cli.StringFlag{Name: "where", Usage: "`EXPR` that is true for the captures that are held (default: all are)"},
		},
		Run: func(t *stage.Task) error {
			by := t.String("by")
			if by != "uri" && by != "key" {
				return stage.Usage("--by %s: uri or key is wanted", by)
			}
			return Truth(t, TruthOptions{ByKey: by == "key", Where: t.String("where")})
		},
	}
}

// TellLookupsCommand is the stage tell-lookups.
func TellLookupsCommand() stage.Command {
	return stage.Command{
		Name:    "tell-lookups",
		Summary: "tell which lookups are present in an index",
		Input:   "Lines of meet-lookups, sorted.",
		Output:  "SURT TAB NUMBER OF LOOKUPS TAB 1 if it is present, 0 if not.",
		Example: "key-lookups < uris.txt | cat - index.cdxj | meet-lookups | LC_ALL=C sort | tell-lookups > lookups.tsv",
		Run:     Meet,
	}
}

// WriteEvaluationCommand is the stage write-evaluation.
func WriteEvaluationCommand() stage.Command {
	return stage.Command{
		Name:    "write-evaluation",
		Summary: "write the evaluation of maps as JSON and as an HTML page",
		Input:   "Lines of evaluate-mementomaps, sorted by three fields.",
		Output:  "Side files evaluation.json and evaluation.html.",
		Example: "printf '1\\tmementomap.ukvs\\n' | evaluate-mementomaps --lookups lookups.tsv | write-evaluation --uris 1000 --output evaluation",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "title", Value: "Evaluation of maps", Usage: "`TEXT` at the head of the page"},
			&cli.Int64Flag{Name: "uris", Usage: "the archive has `N` different URI-Rs"},
		},
		Run: func(t *stage.Task) error { return Write(t, t.String("title"), t.Int64("uris")) },
	}
}
