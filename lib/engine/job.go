package engine

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// Classes that the engine knows.
const (
	libMapred       = "org.apache.hadoop.mapred.lib."
	classText       = "org.apache.hadoop.mapred.TextInputFormat"
	classLines      = libMapred + "NLineInputFormat"
	classTextOutput = "org.apache.hadoop.mapred.TextOutputFormat"
	classHash       = libMapred + "HashPartitioner"
	classFields     = libMapred + "KeyFieldBasedPartitioner"
	classComparator = libMapred + "KeyFieldBasedComparator"
	classIdentity   = libMapred + "IdentityReducer"

	classNewComparator = "org.apache.hadoop.mapreduce.lib.partition.KeyFieldBasedComparator"
)

// job is a command line made into what has to be done.
type job struct {
	*arguments
	mapper, combiner, reducer []string // commands
	splits                    []split
	reduces                   int
	output                    string // absolute
	id                        string // local…_0001
	work                      *workFolder
	spawner                   *spawner

	offsets     bool // mappers see each line's offset
	mapTabs     int  // tabs that a line of a map-only job has at least
	reduceTabs  int  // same, for lines that reducers print
	feedTabs    int  // same, for lines that reducers read
	order       order
	partitioner func() partitioner
	exitFails   bool
	timeout     time.Duration
	maps, reds  phaseLimits
	prefix      string // of reporter lines
	resume      bool
	driver      int
	shared      *environment // what all tasks see
	fingerprint string
}

// phaseLimits say how the tasks of one phase are run.
type phaseLimits struct {
	slots       int
	attempts    int
	failures    int // per cent of the tasks that may fail
	speculative bool
}

// newJob checks everything that can be checked before anything is made.
func newJob(ctx context.Context, a *arguments) (*job, error) {
	j := &job{arguments: a}
	for _, step := range []func() error{
		j.readCommands, j.readText, j.readOrder, j.readPartitioner, j.readLimits, j.readOutput,
	} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return j, j.readInput(ctx)
}

func (j *job) readCommands() (err error) {
	if j.reduces, err = j.conf.count(keyReduces, 1, 0); err != nil {
		return err
	}
	if j.arguments.reducer == "NONE" {
		j.reduces, j.arguments.reducer = 0, ""
	}
	command := func(option, text string) []string {
		words := splitCommand(text)
		switch {
		case err != nil || text == "":
		case len(words) == 0:
			err = usagef("option %s: an empty command", option)
		case strings.HasPrefix(words[0], "org.apache.hadoop."):
			err = withHint(usagef("option %s: %s is a Java class", option, words[0]), "the embedded engine runs commands; cat is the identity")
		}
		return words
	}
	if j.reduces > 0 && (j.arguments.reducer == "" || j.arguments.reducer == classIdentity) {
		j.arguments.reducer = "cat"
	}
	j.mapper = command("-mapper", j.arguments.mapper)
	j.combiner = command("-combiner", j.arguments.combiner)
	j.reducer = command("-reducer", j.arguments.reducer)
	if j.reduces > 100000 {
		return usagef("%d reducers: at most 100000", j.reduces)
	}
	j.conf.set(keyReduces, fmt.Sprint(j.reduces))
	return err
}

// readText settles what a line is between the programs.
func (j *job) readText() error {
	for _, key := range []string{"stream.map.output.field.separator", "stream.map.input.field.separator",
		"stream.reduce.input.field.separator", "stream.reduce.output.field.separator",
		"mapreduce.output.textoutputformat.separator", "mapreduce.map.output.key.field.separator"} {
		if v, ok := j.conf[key]; ok && v != "\t" {
			return usagef("-D %s=%s: only the tab is supported", key, v)
		}
	}
	if v, ok := j.conf[keyDelimiter]; ok && v != "\n" {
		return usagef("-D %s=%q: only the line feed is supported", keyDelimiter, v)
	}
	keyOnly := map[string]bool{}
	for _, key := range []string{"stream.map.input", keyMapOutput, keyReduceInput, keyReduceOutput} {
		switch v := j.conf.text(key, "text"); {
		case v == "text":
		case v == "keyonlytext" && key != "stream.map.input":
			keyOnly[key] = true
		default:
			return usagef("-D %s=%s: not supported by the embedded engine (known: text, keyonlytext)", key, v)
		}
	}
	mapFields, err := j.conf.count(keyMapFields, 1, 1)
	if err != nil {
		return err
	}
	reduceFields, err := j.conf.count(keyReduceFields, 1, 1)
	if err != nil {
		return err
	}
	if j.reduces > 0 && keyOnly[keyMapOutput] != keyOnly[keyReduceInput] {
		return withHint(usagef("-D %s and -D %s differ", keyMapOutput, keyReduceInput), "with reducers both must be keyonlytext, or both text")
	}
	j.mapTabs, j.feedTabs, j.reduceTabs, j.order.n = mapFields, mapFields, reduceFields, mapFields
	if keyOnly[keyMapOutput] {
		j.mapTabs, j.feedTabs, j.order.n = 0, 0, 0
	}
	if keyOnly[keyReduceOutput] {
		j.reduceTabs = 0
	}
	j.prefix = j.conf.text(keyReporterPrefix, "reporter:")
	j.exitFails, err = j.conf.truth(keyExitIsFailure, true)
	return err
}

func (j *job) readOrder() error {
	megabytes, err := j.conf.number(keySortMB, 32, 1, 1<<20)
	if err != nil {
		return err
	}
	j.order.memory = megabytes
	switch class := j.conf.text(keyComparator, ""); class {
	case "", "org.apache.hadoop.io.Text$Comparator":
		return nil
	case classComparator, classNewComparator:
		fields, whole, err := parseKeyFields(j.conf.text(keyComparatorOpts, ""))
		if whole && len(fields) > 0 && !fields[0].numeric && !fields[0].reverse {
			fields = nil
		}
		j.order.fields = fields
		return err
	default:
		return usagef("-D %s=%s: not supported by the embedded engine (known: %s)", keyComparator, class, classComparator)
	}
}

func (j *job) readPartitioner() error {
	switch class := j.conf.text(keyPartitioner, ""); class {
	case "", classHash:
		j.partitioner = func() partitioner { return hashPartition }
		return nil
	case classFields:
	default:
		return usagef("partitioner %s is not supported by the embedded engine (known: %s, %s)", class, classHash, classFields)
	}
	fields, whole, err := parseKeyFields(j.conf.text(keyPartitionOpts, ""))
	if _, old := j.conf[keyPartitionFields]; old {
		var n int
		if n, err = j.conf.count(keyPartitionFields, 0, 0); n >= 1 {
			fields, whole = []keyField{{beginField: 1, beginChar: 1, endField: n}}, false
		} else {
			fields = nil
		}
	}
	j.partitioner = func() partitioner { return fieldPartition(fields, whole) }
	return err
}

func (j *job) readLimits() (err error) {
	count := func(key string, preset, least int) int {
		n, failed := j.conf.count(key, preset, least)
		if err == nil {
			err = failed
		}
		return n
	}
	truth := func(key string, preset bool) bool {
		v, failed := j.conf.truth(key, preset)
		if err == nil {
			err = failed
		}
		return v
	}
	j.maps = phaseLimits{count(keyMapSlots, cores(), 1), count(keyMapAttempts, 4, 1), count(keyMapFailures, 0, 0), truth(keyMapSpeculative, false)}
	j.reds = phaseLimits{count(keyReduceSlots, cores(), 1), count(keyReduceAttempts, 4, 1), count(keyReduceFailures, 0, 0), truth(keyRedSpeculative, false)}
	milliseconds, failed := j.conf.number(keyTimeout, 600000, 0, 1<<40)
	if err == nil {
		err = failed
	}
	j.timeout = time.Duration(milliseconds) * time.Millisecond
	j.resume = truth(keyResume, false)
	j.driver = count(keyDriver, 0, 0)
	j.order.parallel = max(1, cores()/j.maps.slots)
	return err
}

func (j *job) readOutput() error {
	switch class := j.conf.text(keyOutputFormat, classTextOutput); class {
	case classTextOutput:
	default:
		return usagef("output format %s is not supported by the embedded engine (known: %s)", class, classTextOutput)
	}
	if packed, err := j.conf.truth(keyCompress, false); err != nil || packed {
		if err == nil {
			err = usagef("-D %s=true: compressed text output is not supported by the embedded engine", keyCompress)
		}
		return err
	}
	if strings.Contains(j.arguments.output, "://") && !strings.HasPrefix(j.arguments.output, "file://") {
		return usagef("-output %s: the embedded engine writes to this machine only", j.arguments.output)
	}
	path, err := absolute(j.arguments.output)
	j.output = filepath.Clean(path)
	return err
}

// readInput lists the inputs and cuts them into splits.
func (j *job) readInput(ctx context.Context) error {
	if recursive, err := j.conf.truth(keyRecursive, false); err != nil || recursive {
		if err == nil {
			err = usagef("-D %s=true: not supported by the embedded engine", keyRecursive)
		}
		return err
	}
	ignore, err := j.conf.truth(keyIgnoreSubdirs, false)
	if err != nil {
		return err
	}
	maps, err := j.conf.count(keyMaps, cores(), 0)
	if err != nil {
		return err
	}
	minimum, err := j.conf.size(keyMinSplit, 1)
	if err != nil {
		return err
	}
	block, err := j.conf.size(keyBlockSize, 128<<20)
	if err != nil {
		return err
	}
	lines, err := j.conf.count(keyLinesPerMap, 1, 1)
	if err != nil {
		return err
	}
	files, err := inputFiles(j.inputs, ignore)
	if err != nil {
		return err
	}
	preset := false
	switch class := j.conf.text(keyInputFormat, classText); class {
	case classText, "TextInputFormat":
		preset = true
		j.splits, err = textSplits(files, maps, minimum, block)
	case classLines:
		j.splits, err = lineSplits(ctx, files, lines)
	default:
		return usagef("input format %s is not supported by the embedded engine (known: %s, %s)", class, classText, classLines)
	}
	if err != nil {
		return err
	}
	orderSplits(j.splits)
	keep, err := j.conf.truth(keyIgnoreKey, preset)
	j.offsets = !keep
	if err != nil {
		return err
	}
	j.fingerprintInput(files)
	return nil
}
