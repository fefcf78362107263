package engine

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// longestVariable is what the kernel takes as one NAME=VALUE, in bytes.
const longestVariable = 128<<10 - 1

// variableName turns a configuration key into the name that
// hadoop-streaming gives it: every character but ASCII letters and digits
// becomes an underscore, one for each UTF-16 unit.
func variableName(key string) string {
	var name strings.Builder
	for _, r := range key {
		switch {
		case r >= '0' && r <= '9', r >= 'A' && r <= 'Z', r >= 'a' && r <= 'z':
			name.WriteRune(r)
		case r > 0xffff:
			name.WriteString("__")
		default:
			name.WriteByte('_')
		}
	}
	return name.String()
}

// environment collects variables; a later one replaces an earlier one.
type environment struct {
	values map[string]string
	names  []string
}

func (e *environment) set(name, value string) {
	if e.values == nil {
		e.values = map[string]string{}
	}
	if _, ok := e.values[name]; !ok {
		e.names = append(e.names, name)
	}
	e.values[name] = value
}

func (e *environment) clone() *environment {
	c := &environment{values: make(map[string]string, len(e.values)), names: e.names[:len(e.names):len(e.names)]}
	for k, v := range e.values {
		c.values[k] = v
	}
	return c
}

func (e *environment) list() []string {
	all := make([]string, len(e.names))
	for i, n := range e.names {
		all[i] = n + "=" + e.values[n]
	}
	return all
}

// shareEnvironment makes what all tasks of the job see: the engine's own
// environment and the whole configuration.
func (j *job) shareEnvironment(warnings io.Writer) error {
	e := &environment{}
	for _, v := range os.Environ() {
		name, value, _ := strings.Cut(v, "=")
		// What an outer task was told is not true for these.
		if !strings.HasPrefix(name, "mapreduce_") && !strings.HasPrefix(name, "stream_") {
			e.set(name, value)
		}
	}
	limit, err := j.conf.number(keyTruncate, -1, -1, 1<<31-1)
	if err != nil {
		return err
	}
	var inputs []string
	for _, p := range j.inputs {
		full, err := absolute(p)
		if err != nil {
			return err
		}
		inputs = append(inputs, full)
	}
	preset := conf{
		"fs.defaultFS":             "file:///",
		"user.name":                os.Getenv("USER"),
		keyJobName:                 "run-streaming",
		keyInputDir:                strings.Join(inputs, ","),
		keyOutputDir:               j.output,
		keyIgnoreKey:               strconv.FormatBool(!j.offsets),
		"mapreduce.job.id":         "job_" + j.id,
		"mapreduce.framework.name": "local",
	}
	for k, v := range j.conf {
		preset[k] = v
	}
	preset[keyMaps] = strconv.Itoa(len(j.splits)) // as many as there are, not as were wanted
	for old, name := range newNames {
		if _, set := preset[old]; !set && preset[name] != "" {
			preset[old] = preset[name]
		}
	}
	for _, k := range preset.keys() {
		name, value := variableName(k), preset[k]
		if limit >= 0 && int64(len(value)) > limit {
			value = value[:limit]
		}
		if len(name)+1+len(value) > longestVariable || strings.ContainsRune(value, 0) {
			fmt.Fprintf(warnings, "%s: warning: -D %s is too long for an environment variable and does not reach the tasks\n", programName, k)
			continue
		}
		e.set(name, value)
	}
	for _, v := range j.environment {
		name, value, _ := strings.Cut(v, "=")
		e.set(name, value)
	}
	j.shared = e
	return nil
}

// oldTaskNames are the deprecated spellings of what a task is told about
// itself.
var oldTaskNames = map[string]string{
	"mapreduce.task.id":          "mapred.tip.id",
	"mapreduce.task.attempt.id":  "mapred.task.id",
	"mapreduce.task.partition":   "mapred.task.partition",
	"mapreduce.task.ismap":       "mapred.task.is.map",
	"mapreduce.task.output.dir":  "mapred.work.output.dir",
	"mapreduce.map.input.file":   "map.input.file",
	"mapreduce.map.input.start":  "map.input.start",
	"mapreduce.map.input.length": "map.input.length",
}

// environmentOf is what one attempt sees.
func (j *job) environmentOf(t *task, a *attempt) []string {
	e := j.shared.clone()
	set := func(key, value string) {
		e.set(variableName(key), value)
		e.set(variableName(oldTaskNames[key]), value)
	}
	set("mapreduce.task.id", "task_"+t.id)
	set("mapreduce.task.attempt.id", a.id)
	set("mapreduce.task.partition", strconv.Itoa(t.index))
	set("mapreduce.task.ismap", strconv.FormatBool(t.isMap()))
	set("mapreduce.task.output.dir", a.output())
	if t.isMap() {
		set("mapreduce.map.input.file", t.split.Path)
		set("mapreduce.map.input.start", strconv.FormatInt(t.split.Start, 10))
		set("mapreduce.map.input.length", strconv.FormatInt(t.split.Length, 10))
	}
	// Go programs that run side by side get in each other's way with threads on
	// all cores.
	slots, tasks := j.reds.slots, j.reduces
	if t.isMap() {
		slots, tasks = j.maps.slots, len(j.splits)
	}
	e.set("GOMAXPROCS", strconv.Itoa(max(1, cores()/min(slots, max(1, tasks)))))
	e.set("TMPDIR", a.temporary())
	e.set("PWD", a.folder())
	return e.list()
}
