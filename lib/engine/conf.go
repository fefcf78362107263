package engine

import (
	"runtime"
	"sort"
	"strconv"
	"strings"
)

// The configuration keys that the engine itself reads; every other key only
// reaches the tasks, as an environment variable.
const (
	keyMaps            = "mapreduce.job.maps"
	keyReduces         = "mapreduce.job.reduces"
	keyJobName         = "mapreduce.job.name"
	keyMinSplit        = "mapreduce.input.fileinputformat.split.minsize"
	keyBlockSize       = "dfs.blocksize"
	keyIgnoreSubdirs   = "mapreduce.input.fileinputformat.input.dir.nonrecursive.ignore.subdirs"
	keyRecursive       = "mapreduce.input.fileinputformat.input.dir.recursive"
	keyLinesPerMap     = "mapreduce.input.lineinputformat.linespermap"
	keyDelimiter       = "textinputformat.record.delimiter"
	keyIgnoreKey       = "stream.map.input.ignoreKey"
	keyMapOutput       = "stream.map.output"
	keyReduceInput     = "stream.reduce.input"
	keyReduceOutput    = "stream.reduce.output"
	keyMapFields       = "stream.num.map.output.key.fields"
	keyReduceFields    = "stream.num.reduce.output.key.fields"
	keyExitIsFailure   = "stream.non.zero.exit.is.failure"
	keyReporterPrefix  = "stream.stderr.reporter.prefix"
	keyTruncate        = "stream.jobconf.truncate.limit"
	keyPartitioner     = "mapreduce.job.partitioner.class"
	keyPartitionOpts   = "mapreduce.partition.keypartitioner.options"
	keyPartitionFields = "num.key.fields.for.partition"
	keyComparator      = "mapreduce.job.output.key.comparator.class"
	keyComparatorOpts  = "mapreduce.partition.keycomparator.options"
	keyMapAttempts     = "mapreduce.map.maxattempts"
	keyReduceAttempts  = "mapreduce.reduce.maxattempts"
	keyMapFailures     = "mapreduce.map.failures.maxpercent"
	keyReduceFailures  = "mapreduce.reduce.failures.maxpercent"
	keyMapSpeculative  = "mapreduce.map.speculative"
	keyRedSpeculative  = "mapreduce.reduce.speculative"
	keyTimeout         = "mapreduce.task.timeout"
	keySortMB          = "mapreduce.task.io.sort.mb"
	keyMapSlots        = "mapreduce.local.map.tasks.maximum"
	keyReduceSlots     = "mapreduce.local.reduce.tasks.maximum"
	keyCompress        = "mapreduce.output.fileoutputformat.compress"
	keyOutputFormat    = "mapred.output.format.class"
	keyInputFormat     = "mapred.input.format.class"
	keyInputDir        = "mapreduce.input.fileinputformat.inputdir"
	keyOutputDir       = "mapreduce.output.fileoutputformat.outputdir"
	keyResume          = "engine.resume"
	keyDriver          = "engine.driver.pid"
)

// newNames maps Hadoop's deprecated spellings to the ones the engine reads.
var newNames = map[string]string{
	"mapred.map.tasks":                               keyMaps,
	"mapred.reduce.tasks":                            keyReduces,
	"mapred.job.id":                                  "mapreduce.job.id",
	"mapred.job.name":                                keyJobName,
	"mapred.min.split.size":                          keyMinSplit,
	"dfs.block.size":                                 keyBlockSize,
	"mapred.line.input.format.linespermap":           keyLinesPerMap,
	"mapred.partitioner.class":                       keyPartitioner,
	"mapred.text.key.partitioner.options":            keyPartitionOpts,
	"mapred.output.key.comparator.class":             keyComparator,
	"mapred.text.key.comparator.options":             keyComparatorOpts,
	"mapred.map.max.attempts":                        keyMapAttempts,
	"mapred.reduce.max.attempts":                     keyReduceAttempts,
	"mapred.max.map.failures.percent":                keyMapFailures,
	"mapred.max.reduce.failures.percent":             keyReduceFailures,
	"mapred.map.tasks.speculative.execution":         keyMapSpeculative,
	"mapred.reduce.tasks.speculative.execution":      keyRedSpeculative,
	"mapred.task.timeout":                            keyTimeout,
	"io.sort.mb":                                     keySortMB,
	"mapred.output.compress":                         keyCompress,
	"mapred.input.dir":                               keyInputDir,
	"mapred.output.dir":                              keyOutputDir,
	"map.output.key.field.separator":                 "mapreduce.map.output.key.field.separator",
	"mapred.textoutputformat.separator":              "mapreduce.output.textoutputformat.separator",
	"mapred.tasktracker.map.tasks.maximum":           keyMapSlots,
	"mapred.tasktracker.reduce.tasks.maximum":        keyReduceSlots,
	"mapred.input.dir.recursive":                     keyRecursive,
	"mapred.skip.on":                                 "mapreduce.map.skip.on",
	"mapreduce.inputformat.class":                    keyInputFormat,
	"mapreduce.job.inputformat.class":                keyInputFormat,
	"mapreduce.job.outputformat.class":               keyOutputFormat,
	"mapreduce.tasktracker.map.tasks.maximum":        keyMapSlots,
	"mapreduce.tasktracker.reduce.tasks.maximum":     keyReduceSlots,
	"mapred.local.map.tasks.maximum":                 keyMapSlots,
	"mapred.local.reduce.tasks.maximum":              keyReduceSlots,
	"mapred.output.compression.codec":                "mapreduce.output.fileoutputformat.compress.codec",
	"mapred.compress.map.output":                     "mapreduce.map.output.compress",
	"mapred.mapoutput.key.class":                     "mapreduce.map.output.key.class",
	"mapred.reduce.slowstart.completed.maps":         "mapreduce.job.reduce.slowstart.completedmaps",
	"mapreduce.text.key.partitioner.options":         keyPartitionOpts,
	"mapreduce.text.key.comparator.options":          keyComparatorOpts,
	"mapreduce.fileoutputcommitter.marksuccessful":   "mapreduce.fileoutputcommitter.marksuccessfuljobs",
	"mapred.fileoutputcommitter.algorithm.version":   "mapreduce.fileoutputcommitter.algorithm.version",
	"mapred.committer.job.setup.cleanup.needed":      "mapreduce.job.committer.setup.cleanup.needed",
	"mapred.job.reuse.jvm.num.tasks":                 "mapreduce.job.jvm.numtasks",
	"mapred.used.genericoptionsparser":               "mapreduce.client.genericoptionsparser.used",
	"mapred.speculative.execution.slowtaskthreshold": "mapreduce.job.speculative.slowtaskthreshold",
}

// conf is a job's configuration: what -D sets and what the options imply.
type conf map[string]string

// set stores a value; a deprecated name sets the new one too, as in Hadoop.
func (c conf) set(key, value string) {
	c[key] = value
	if name, ok := newNames[key]; ok {
		c[name] = value
	}
}

func (c conf) text(key, preset string) string {
	if v, ok := c[key]; ok {
		return strings.TrimSpace(v)
	}
	return preset
}

// number reads an integer within [least, most].
func (c conf) number(key string, preset, least, most int64) (int64, error) {
	v, ok := c[key]
	if !ok {
		return preset, nil
	}
	n, err := strconv.ParseInt(strings.TrimSpace(v), 10, 64)
	if err != nil {
		return 0, usagef("-D %s=%s: not an integer", key, v)
	}
	if n < least || n > most {
		return 0, usagef("-D %s=%s: not within %d and %d", key, v, least, most)
	}
	return n, nil
}

func (c conf) count(key string, preset, least int) (int, error) {
	n, err := c.number(key, int64(preset), int64(least), 1<<31-1)
	return int(n), err
}

// size reads a number of bytes, with Hadoop's binary suffixes (k, m, g, t).
func (c conf) size(key string, preset int64) (int64, error) {
	v := strings.ToLower(c.text(key, ""))
	if v == "" {
		return preset, nil
	}
	shift := 0
	if i := strings.IndexByte("kmgt", v[len(v)-1]); i >= 0 {
		v, shift = v[:len(v)-1], 10*(i+1)
	}
	n, err := strconv.ParseInt(v, 10, 64)
	if err != nil || n < 0 || n > 1<<62>>shift {
		return 0, usagef("-D %s=%s: not a size in bytes", key, c[key])
	}
	return n << shift, nil
}

func (c conf) truth(key string, preset bool) (bool, error) {
	switch strings.ToLower(c.text(key, "")) {
	case "":
		return preset, nil
	case "true":
		return true, nil
	case "false":
		return false, nil
	}
	return false, usagef("-D %s=%s: neither true nor false", key, c[key])
}

// keys lists all keys in order.
func (c conf) keys() []string {
	names := make([]string, 0, len(c))
	for k := range c {
		names = append(names, k)
	}
	sort.Strings(names)
	return names
}

func cores() int { return runtime.GOMAXPROCS(0) }
