package stage

import (
	"fmt"
	"strings"
)

// A Pair is a mapper and a reducer that hadoop-streaming runs together, and all that it
// must be told for it. Options of the two programs that a job chooses are left out.
type Pair struct {
	Mapper   string // "" stands for cat: the lines are those of a mapper already
	Combiner string
	Reducer  string   // "" for a stage without one
	Key      Order    // of the reducer's lines
	DealtBy  int      // so many first fields decide on a line's reducer; 0: all of the key
	ByFile   bool     // the input is a list of files, of which a task gets one
	Options  []string // further properties
}

// Orders of pairs.
var (
	wholeLines = Order{Fields: WholeLines}
	downwards  = Order{Fields: 2, Reversed: true}
)

const keyOnlyOutput = "stream.reduce.output=keyonlytext"

// Pairs are all that the jobs run, of a reducer first the one whose order is the least.
var Pairs = []Pair{
	{Mapper: "parse-captures", Reducer: "cut-splits", Key: Order{Fields: 3}},
	{Mapper: "filter-captures", Reducer: "cut-splits", Key: wholeLines},
	{Mapper: "parse-captures", Reducer: "drop-duplicates", Key: Order{Fields: 3}, Options: []string{keyOnlyOutput}},
	{Mapper: "extract-records", Reducer: "write-tables", Key: Order{Fields: 2}, DealtBy: 1},
	{Mapper: "parse-captures"},

	{Mapper: "index-archives", Reducer: "write-index", Key: wholeLines, ByFile: true},
	{Mapper: "assign-ranges", Reducer: "write-index", Key: wholeLines, DealtBy: 1},
	{Mapper: "filter-captures", Reducer: "write-index", Key: wholeLines},
	{Mapper: "sample-keys", Reducer: "cut-ranges", Key: wholeLines, Options: []string{keyOnlyOutput}},
	{Mapper: "derive-archives", ByFile: true},
	{Mapper: "list-checksums", ByFile: true},

	{Mapper: "summarize-captures", Reducer: "merge-summaries", Key: Order{Fields: 3}, DealtBy: 2},
	{Reducer: "write-summary", Key: Order{Fields: 3}},
	{Mapper: "key-captures", Reducer: "profile-keys", Key: Order{Fields: 3}, DealtBy: 2},
	{Reducer: "write-profile", Key: Order{Fields: 3}},

	{Mapper: "count-captures", Combiner: "add-counts --combine", Reducer: "add-counts", Key: Order{Fields: 3}, DealtBy: 1,
		Options: []string{"stream.num.reduce.output.key.fields=3"}},
	{Mapper: "count-captures --sample 1", Reducer: "cut-ranges", Key: wholeLines, Options: []string{keyOnlyOutput}},
	{Mapper: "measure-mementomap --files", Reducer: "choose-weights", Key: wholeLines, ByFile: true, Options: []string{keyOnlyOutput}},
	{Mapper: "compact-mementomap --files", ByFile: true},
	{Mapper: "key-lookups"},
	{Mapper: "meet-lookups", Reducer: "tell-lookups", Key: Order{Fields: 1}},
	{Mapper: "grid-mementomaps"},
	{Mapper: "evaluate-mementomaps", Reducer: "write-evaluation", Key: Order{Fields: 3}, ByFile: true},

	{Mapper: "span-forest", Reducer: "link-stars", Key: downwards, DealtBy: 1},
	{Mapper: "spread-labels", Reducer: "keep-labels", Key: downwards, DealtBy: 1},
	{Mapper: "meet-labels", Reducer: "pass-labels", Key: wholeLines, DealtBy: 1},
	{Reducer: "check-labels", Key: wholeLines, DealtBy: 1},
	{Mapper: "cut -f2", Reducer: "count-sizes", Key: wholeLines, DealtBy: 1},
	{Mapper: "union-edges --files", ByFile: true},
	{Mapper: "key-vertices"},

	{Mapper: "shingle-documents", Reducer: "group-sets", Key: Order{Fields: 2}, DealtBy: 1},
	{Mapper: "order-sets", ByFile: true},
	{Mapper: "join-sets", Reducer: "list-edges", Key: wholeLines, DealtBy: 1, ByFile: true},
	{Mapper: "list-shingles", Reducer: "pair-documents", Key: Order{Fields: 1}},
	{Reducer: "count-pairs", Key: Order{Fields: 2}},
	{Reducer: "list-edges", Key: wholeLines, DealtBy: 1},
	{Reducer: "list-documents", Key: Order{Fields: 1}, DealtBy: 1},
	{Mapper: "weigh-documents"},
	{Mapper: "cut -f4", Reducer: "count-versions", Key: wholeLines, DealtBy: 1},
	{Mapper: "meet-documents", Reducer: "join-components", Key: wholeLines, DealtBy: 1},
	{Reducer: "solve-components", Key: wholeLines, DealtBy: 1},
	{Reducer: "top-up-cover", Key: Order{Fields: 3, Reversed: true}, DealtBy: 1},
	{Mapper: "meet-kept", Reducer: "list-kept", Key: wholeLines, DealtBy: 1},

	{Mapper: "list-links", ByFile: true},
	{Mapper: "fold-links", Reducer: "sum-links", Key: Order{Fields: 3}, DealtBy: 1, Options: []string{"stream.num.reduce.output.key.fields=3"}},
	{Mapper: "list-vertices", Reducer: "number-vertices", Key: Order{Fields: 2}},
	{Mapper: "key-sources", Reducer: "join-vertices", Key: Order{Fields: 2}, DealtBy: 1},
	{Mapper: "key-edges", Reducer: "write-edges", Key: Order{Fields: 3}, DealtBy: 1},
	{Mapper: "spread-ranks", Reducer: "gather-ranks", Key: Order{Fields: 1}},
	{Mapper: "order-ranks", Reducer: "place-ranks", Key: Order{Fields: 2}},

	{Mapper: "filter-captures", Reducer: "pick-captures", Key: wholeLines, DealtBy: 1},
	{Mapper: "find-originals", Reducer: "resolve-revisits", Key: wholeLines, DealtBy: 1},
	{Mapper: "find-originals"},
	{Mapper: "enrich-captures", Reducer: "count-rows", Key: wholeLines},
	{Mapper: "enrich-captures", Reducer: "cut-splits", Key: wholeLines},
	{Mapper: "enrich-captures"},
}

// program is the name of a command's program.
func program(command string) string {
	name, _, _ := strings.Cut(command, " ")
	return name
}

// PairsOf returns the pairs in which a program takes part.
func PairsOf(name string) []Pair {
	var pairs []Pair
	for _, p := range Pairs {
		if program(p.Mapper) == name || program(p.Reducer) == name {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

// orderOf is the order of the lines of a program that runs as a reducer.
func orderOf(name string) Order {
	for _, p := range Pairs {
		if program(p.Reducer) == name {
			return p.Key
		}
	}
	return Order{}
}

// Properties are what hadoop-streaming is told by -D for the pair, NAME=VALUE.
func (p Pair) Properties() []string {
	var properties []string
	if p.ByFile {
		properties = append(properties, "stream.map.input.ignoreKey=true", "mapreduce.input.lineinputformat.linespermap=1")
	}
	switch {
	case p.Reducer == "":
		properties = append(properties, "stream.map.output=keyonlytext")
	case p.Key.Fields == WholeLines || p.Key.Reversed:
		properties = append(properties, "stream.map.output=keyonlytext", "stream.reduce.input=keyonlytext")
	case p.Key.Fields > 1:
		properties = append(properties, fmt.Sprintf("stream.num.map.output.key.fields=%d", p.Key.Fields))
	}
	if p.DealtBy > 0 {
		properties = append(properties, fmt.Sprintf("mapreduce.partition.keypartitioner.options=-k1,%d", p.DealtBy))
	}
	if p.Key.Reversed {
		var fields []string
		for i := 1; i < p.Key.Fields; i++ {
			fields = append(fields, fmt.Sprintf("-k%d,%d", i, i))
		}
		fields = append(fields, fmt.Sprintf("-k%d,%dr", p.Key.Fields, p.Key.Fields))
		properties = append(properties,
			"mapreduce.job.output.key.comparator.class=org.apache.hadoop.mapred.lib.KeyFieldBasedComparator",
			"mapreduce.partition.keycomparator.options="+strings.Join(fields, " "))
	}
	return append(properties, p.Options...)
}

// Arguments are those of hadoop-streaming for the pair, without input, output and the
// properties of all.
func (p Pair) Arguments() []string {
	var arguments, files []string
	for _, property := range p.Properties() {
		arguments = append(arguments, "-D", property)
	}
	for _, command := range []string{p.Mapper, p.Reducer} {
		if name := program(command); name != "" && name != "cut" {
			files = append(files, "bin/"+name)
		}
	}
	arguments = append(arguments, "-files", strings.Join(files, ","))
	if p.ByFile {
		arguments = append(arguments, "-inputformat", "org.apache.hadoop.mapred.lib.NLineInputFormat")
	}
	mapper := p.Mapper
	if mapper == "" {
		mapper = "cat"
	}
	arguments = append(arguments, "-mapper", mapper)
	if p.Combiner != "" {
		arguments = append(arguments, "-combiner", p.Combiner)
	}
	if p.Reducer == "" {
		return append(arguments, "-numReduceTasks", "0")
	}
	arguments = append(arguments, "-reducer", p.Reducer, "-numReduceTasks", "1")
	if p.DealtBy > 0 {
		arguments = append(arguments, "-partitioner", "org.apache.hadoop.mapred.lib.KeyFieldBasedPartitioner")
	}
	return arguments
}

// Line is the command line of the pair, for help.
func (p Pair) Line() string {
	var b strings.Builder
	b.WriteString(`hadoop jar hadoop-streaming.jar -D textinputformat.record.delimiter=$'\n'`)
	for _, a := range p.Arguments() {
		if strings.ContainsAny(a, " ") {
			a = "'" + a + "'"
		}
		b.WriteString(" " + a)
	}
	return b.String() + " -input INPUT -output OUTPUT"
}

// PipeSort is the sort that stands between mapper and reducer in a pipe.
func (p Pair) PipeSort() string {
	if !p.Key.Reversed {
		return "LC_ALL=C sort"
	}
	sort := "LC_ALL=C sort -t $'\\t' -s"
	for i := 1; i < p.Key.Fields; i++ {
		sort += fmt.Sprintf(" -k%d,%d", i, i)
	}
	return sort + fmt.Sprintf(" -k%d,%dr", p.Key.Fields, p.Key.Fields)
}
