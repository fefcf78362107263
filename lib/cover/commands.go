package cover

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// CountVersionsCommand is the stage count-versions.
func CountVersionsCommand() stage.Command {
	return stage.Command{
		Name:    "count-versions",
		Summary: "count the documents of each URL",
		Input:   "URLs of documents, sorted.",
		Output:  "Counters: urls, versions, and squares of the versions of each URL.",
		Example: "cut -f4 documents.tsv | LC_ALL=C sort | count-versions",
		Run:     CountVersions,
	}
}

// JoinComponentsCommand is the stage join-components.
func JoinComponentsCommand() stage.Command {
	return stage.Command{
		Name:    "join-components",
		Summary: "give documents and edges to their components",
		Input:   "Lines of meet-documents, sorted.",
		Output:  "LABEL TAB KIND TAB ..., the lines of components.",
		Example: "cat documents.tsv components.tsv edges.tsv | meet-documents | LC_ALL=C sort | join-components | LC_ALL=C sort | solve-components",
		Run:     JoinComponents,
	}
}

// ListKeptCommand is the stage list-kept.
func ListKeptCommand() stage.Command {
	return stage.Command{
		Name:    "list-kept",
		Summary: "list where the captures of a cover lie",
		Input:   "Lines of meet-kept, sorted.",
		Output:  "URL TAB FILENAME TAB OFFSET TAB LENGTH, a list of captures for parse-captures.",
		Example: "cat documents.tsv cover/* | meet-kept | LC_ALL=C sort | list-kept > captures.tsv",
		Run:     ListKept,
	}
}

// MeetDocumentsCommand is the stage meet-documents.
func MeetDocumentsCommand() stage.Command {
	return stage.Command{
		Name:    "meet-documents",
		Summary: "bring documents, labels and edges together",
		Input:   "A documents table, ID TAB LABEL, and edges (covered TAB covering TAB similarity).",
		Output:  "KEY TAB KIND TAB ...",
		Example: "cat documents.tsv components.tsv edges.tsv | meet-documents | LC_ALL=C sort | join-components | LC_ALL=C sort | solve-components",
		Run:     MeetDocuments,
	}
}

// MeetKeptCommand is the stage meet-kept.
func MeetKeptCommand() stage.Command {
	return stage.Command{
		Name:    "meet-kept",
		Summary: "bring documents and the ids of a cover together",
		Input:   "A documents table and ids, one a line.",
		Output:  "ID TAB 0 and ID TAB 1 TAB URL TAB FILENAME TAB OFFSET TAB LENGTH.",
		Example: "cat documents.tsv cover/* | meet-kept | LC_ALL=C sort | list-kept > captures.tsv",
		Run:     MeetKept,
	}
}

// ReportCoverCommand is the stage report-cover.
func ReportCoverCommand() stage.Command {
	return stage.Command{
		Name:    "report-cover",
		Summary: "write stats.json and report.html of a cover",
		Input:   "Summaries of solve-components.",
		Output:  "Side files stats.json and report.html.",
		Example: "cat _summary/part-* | report-cover --output result",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "cover", Usage: "`EXPRESSION` of the relation"},
			&cli.Int64Flag{Name: "shingle-size", Usage: "`K` terms of a shingle"},
			&cli.StringFlag{Name: "weight", Usage: "`EXPRESSION` of a document's weight"},
			&cli.StringFlag{Name: "keep-per", Usage: "minima `ATTRIBUTE=N,...`"},
			&cli.IntFlag{Name: "exact-limit", Value: DefaultExact, Usage: "`N` candidates of parts that were searched"},
			&cli.Int64Flag{Name: "shingles", Usage: "`N` shingles of all documents"},
			&cli.Int64Flag{Name: "urls", Usage: "`N` URLs"},
			&cli.Int64Flag{Name: "versions", Usage: "`N` documents that have a URL"},
			&cli.Int64Flag{Name: "squares", Usage: "`N`, the squares of each URL's documents added up"},
			&cli.Int64Flag{Name: "added", Usage: "`N` documents were added for the minima"},
			&cli.Int64Flag{Name: "without-weight", Usage: "`N` documents weigh 1 as the expression gives nothing"},
		},
		Run: func(t *stage.Task) error {
			return WriteReport(t, Collection{
				Cover: t.String("cover"), ShingleSize: t.Int64("shingle-size"), Weighing: t.String("weight"), KeepPer: t.String("keep-per"),
				ExactLimit: t.Int("exact-limit"), Shingles: t.Int64("shingles"), URLs: t.Int64("urls"), Versions: t.Int64("versions"),
				Squares: t.Int64("squares"), Added: t.Int64("added"), NoWeight: t.Int64("without-weight"),
			})
		},
	}
}

// SolveComponentsCommand is the stage solve-components.
func SolveComponentsCommand() stage.Command {
	return stage.Command{
		Name:        "solve-components",
		Summary:     "find a smallest cover of each component",
		Description: "Reduces each component and searches for the optimum of what is left, or covers it greedily where that is too much. lib/cover/doc.go says how.",
		Input:       "Lines of components, sorted.",
		Output:      "Side files in cover, covered, components, _state and _summary. With --groups lines for top-up-cover.",
		Example:     "cat documents.tsv components.tsv edges.tsv | meet-documents | LC_ALL=C sort | join-components | LC_ALL=C sort | solve-components --output result",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "exact-limit", Value: DefaultExact, Usage: "search for the optimum of parts with up to `N` candidates after reductions"},
			&cli.Int64Flag{Name: "edges", Value: 20_000_000, Usage: "hold up to `N` edges of a component in memory, 45 bytes each, and cover larger ones from files"},
			&cli.BoolFlag{Name: "groups", Usage: "tell which groups the documents are in"},
		},
		Run: func(t *stage.Task) error {
			return SolveComponents(t, Options{
				Limits: Limits{Exact: t.Int("exact-limit")},
				Edges:  t.Int64("edges"),
				Groups: t.Bool("groups"),
			})
		},
	}
}

// TopUpCoverCommand is the stage top-up-cover.
func TopUpCoverCommand() stage.Command {
	return stage.Command{
		Name:    "top-up-cover",
		Summary: "add documents to a cover until each group has its minimum",
		Input:   "Lines of solve-components --groups, sorted by two fields and then with the greatest key first.",
		Output:  "LABEL TAB 3 TAB KEY: the documents that are added, as lines of their components.",
		Example: "solve-components --groups < lines.tsv | LC_ALL=C sort -t $'\\t' -k1,1 -k2,2 -k3,3r | top-up-cover --keep-per hostname=1",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "keep-per", Usage: "minima `ATTRIBUTE=N,...`"},
		},
		Run: func(t *stage.Task) error {
			minima, err := ParseMinima(t.String("keep-per"))
			if err != nil {
				return stage.Usage("--keep-per: %v", err)
			}
			return TopUp(t, minima)
		},
	}
}

// WeighDocumentsCommand is the stage weigh-documents.
func WeighDocumentsCommand() stage.Command {
	return stage.Command{
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
			minima, err := ParseMinima(t.String("keep-per"))
			if err != nil {
				return stage.Usage("--keep-per: %v", err)
			}
			return WeighDocuments(t, t.String("weight"), minima)
		},
	}
}
