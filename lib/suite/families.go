package suite

import (
	"os"

	"archivestream/lib/cover"
	"archivestream/lib/derive"
	"archivestream/lib/engine"
	"archivestream/lib/enrich"
	"archivestream/lib/extract"
	"archivestream/lib/graph"
	"archivestream/lib/index"
	"archivestream/lib/jobfiles"
	"archivestream/lib/mapeval"
	"archivestream/lib/mementomap"
	"archivestream/lib/profile"
	"archivestream/lib/selection"
	"archivestream/lib/simjoin"
	"archivestream/lib/stage"
	"archivestream/lib/summary"
	"archivestream/lib/surt"
	"archivestream/lib/webgraph"
	"archivestream/lib/zipnum"
)

// A Program is a stage, or one of the two programs that drive stages.
type Program struct {
	Name    string
	Command func() stage.Command // of a stage
	main    func(args []string) int
	summary string
}

// Summary is what the program does, in a line.
func (p Program) Summary() string {
	if p.Command == nil {
		return p.summary
	}
	return p.Command().Summary
}

// A Family is the programs of some jobs. A program that several families use stands in
// the first of them.
type Family struct {
	Jobs     []string // names of job scripts, without their ending
	Programs []Program
}

// Families are all programs.
var Families = []Family{
	{[]string{"extract"}, []Program{
		{Name: "parse-captures", Command: extract.ParseCapturesCommand},
		{Name: "drop-duplicates", Command: extract.DropDuplicatesCommand},
		{Name: "cut-splits", Command: extract.CutSplitsCommand},
		{Name: "extract-records", Command: extract.ExtractRecordsCommand},
		{Name: "write-tables", Command: extract.WriteTablesCommand},
		{Name: "list-records", Command: extract.ListRecordsCommand},
	}},
	{[]string{"index", "merge"}, []Program{
		{Name: "index-archives", Command: index.IndexArchivesCommand},
		{Name: "sample-keys", Command: index.SampleKeysCommand},
		{Name: "cut-ranges", Command: index.CutRangesCommand},
		{Name: "assign-ranges", Command: index.AssignRangesCommand},
		{Name: "write-index", Command: index.WriteIndexCommand},
		{Name: "number-blocks", Command: index.NumberBlocksCommand},
		{Name: "lookup-cdx", Command: zipnum.LookupCDXCommand},
		{Name: "canonicalize-urls", Command: surt.CanonicalizeURLsCommand},
	}},
	{[]string{"select"}, []Program{
		{Name: "filter-captures", Command: selection.FilterCapturesCommand},
		{Name: "pick-captures", Command: selection.PickCapturesCommand},
		{Name: "find-originals", Command: selection.FindOriginalsCommand},
		{Name: "resolve-revisits", Command: selection.ResolveRevisitsCommand},
		{Name: "enrich-captures", Command: enrich.EnrichCapturesCommand},
		{Name: "count-rows", Command: enrich.CountRowsCommand},
	}},
	{[]string{"derive", "dataset"}, []Program{
		{Name: "derive-archives", Command: derive.DeriveArchivesCommand},
		{Name: "list-checksums", Command: derive.ListChecksumsCommand},
		{Name: "list-links", Command: derive.ListLinksCommand},
	}},
	{[]string{"summary"}, []Program{
		{Name: "summarize-captures", Command: summary.SummarizeCapturesCommand},
		{Name: "merge-summaries", Command: summary.MergeSummariesCommand},
		{Name: "write-summary", Command: summary.WriteSummaryCommand},
	}},
	{[]string{"profile"}, []Program{
		{Name: "key-captures", Command: profile.KeyCapturesCommand},
		{Name: "profile-keys", Command: profile.ProfileKeysCommand},
		{Name: "write-profile", Command: profile.WriteProfileCommand},
	}},
	{[]string{"mementomap"}, []Program{
		{Name: "count-captures", Command: mementomap.CountCapturesCommand},
		{Name: "add-counts", Command: mementomap.AddCountsCommand},
		{Name: "measure-mementomap", Command: mementomap.MeasureMementomapCommand},
		{Name: "choose-weights", Command: mementomap.ChooseWeightsCommand},
		{Name: "compact-mementomap", Command: mementomap.CompactMementomapCommand},
		{Name: "write-mementomap", Command: mementomap.WriteMementomapCommand},
		{Name: "lookup-mementomap", Command: mementomap.LookupMementomapCommand},
	}},
	{[]string{"mementomap-eval"}, []Program{
		{Name: "key-lookups", Command: mapeval.KeyLookupsCommand},
		{Name: "meet-lookups", Command: mapeval.MeetLookupsCommand},
		{Name: "tell-lookups", Command: mapeval.TellLookupsCommand},
		{Name: "grid-mementomaps", Command: mapeval.GridMementomapsCommand},
		{Name: "evaluate-mementomaps", Command: mapeval.EvaluateMementomapsCommand},
		{Name: "write-evaluation", Command: mapeval.WriteEvaluationCommand},
	}},
	{[]string{"redundancy"}, []Program{
		{Name: "explain-coverage", Command: simjoin.ExplainCoverageCommand},
		{Name: "shingle-documents", Command: simjoin.ShingleDocumentsCommand},
		{Name: "group-sets", Command: simjoin.GroupSetsCommand},
		{Name: "order-sets", Command: simjoin.OrderSetsCommand},
		{Name: "estimate-join", Command: simjoin.EstimateJoinCommand},
		{Name: "plan-join", Command: simjoin.PlanJoinCommand},
		{Name: "join-sets", Command: simjoin.JoinSetsCommand},
		{Name: "list-edges", Command: simjoin.ListEdgesCommand},
		{Name: "list-shingles", Command: simjoin.ListShinglesCommand},
		{Name: "pair-documents", Command: simjoin.PairDocumentsCommand},
		{Name: "count-pairs", Command: simjoin.CountPairsCommand},
		{Name: "list-documents", Command: simjoin.ListDocumentsCommand},
		{Name: "weigh-documents", Command: cover.WeighDocumentsCommand},
		{Name: "count-versions", Command: cover.CountVersionsCommand},
		{Name: "meet-documents", Command: cover.MeetDocumentsCommand},
		{Name: "join-components", Command: cover.JoinComponentsCommand},
		{Name: "solve-components", Command: cover.SolveComponentsCommand},
		{Name: "top-up-cover", Command: cover.TopUpCoverCommand},
		{Name: "meet-kept", Command: cover.MeetKeptCommand},
		{Name: "list-kept", Command: cover.ListKeptCommand},
		{Name: "report-cover", Command: cover.ReportCoverCommand},
	}},
	{[]string{"components"}, []Program{
		{Name: "span-forest", Command: graph.SpanForestCommand},
		{Name: "union-edges", Command: graph.UnionEdgesCommand},
		{Name: "link-stars", Command: graph.LinkStarsCommand},
		{Name: "spread-labels", Command: graph.SpreadLabelsCommand},
		{Name: "keep-labels", Command: graph.KeepLabelsCommand},
		{Name: "key-vertices", Command: graph.KeyVerticesCommand},
		{Name: "meet-labels", Command: graph.MeetLabelsCommand},
		{Name: "pass-labels", Command: graph.PassLabelsCommand},
		{Name: "check-labels", Command: graph.CheckLabelsCommand},
		{Name: "count-sizes", Command: graph.CountSizesCommand},
		{Name: "sum-sizes", Command: graph.SumSizesCommand},
	}},
	{[]string{"webgraph"}, []Program{
		{Name: "fold-links", Command: webgraph.FoldLinksCommand},
		{Name: "sum-links", Command: webgraph.SumLinksCommand},
		{Name: "list-vertices", Command: webgraph.ListVerticesCommand},
		{Name: "number-vertices", Command: webgraph.NumberVerticesCommand},
		{Name: "key-sources", Command: webgraph.KeySourcesCommand},
		{Name: "key-edges", Command: webgraph.KeyEdgesCommand},
		{Name: "join-vertices", Command: webgraph.JoinVerticesCommand},
		{Name: "write-edges", Command: webgraph.WriteEdgesCommand},
		{Name: "spread-ranks", Command: webgraph.SpreadRanksCommand},
		{Name: "gather-ranks", Command: webgraph.GatherRanksCommand},
		{Name: "order-ranks", Command: webgraph.OrderRanksCommand},
		{Name: "place-ranks", Command: webgraph.PlaceRanksCommand},
	}},
	{nil, []Program{
		{Name: "run-streaming", summary: "run a hadoop-streaming job on this machine, without Hadoop", main: runStreaming},
		{Name: "manage-files", summary: "read, write and move the files of a job, on any storage", main: manageFiles},
	}},
}

func runStreaming(args []string) int { return engine.Main(args[1:], os.Stdout, os.Stderr) }

func manageFiles(args []string) int {
	return jobfiles.Execute(args, os.Stdin, os.Stdout, os.Stderr)
}

// Find returns the program of a name.
func Find(name string) (Program, bool) {
	for _, f := range Families {
		for _, p := range f.Programs {
			if p.Name == name {
				return p, true
			}
		}
	}
	return Program{}, false
}
