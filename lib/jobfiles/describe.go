package jobfiles

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"
	"time"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// A counter is one of a stage's, as the engine has summed it up.
type counter struct {
	stage, group, name string
	value              int64
}

// A timing is how long a stage took, in seconds with their fraction.
type timing struct{ stage, seconds string }

// describe writes _job.json: what the job was, what went in, what it counted.
// The members stand in the order in which things happened.
func (e *ending) describe() error {
	sizes, err := readAll(storage.Join(e.work, sizesName))
	if err != nil {
		return err
	}
	return e.put(descriptionName, func(w io.Writer) error {
		var b bytes.Buffer
		fmt.Fprintf(&b, "{\n  \"job\": %s,\n  \"version\": %s,\n  \"command\": [", quoted(strings.TrimSuffix(e.options.text("job"), ".sh")), quoted(stage.Version))
		for i, word := range e.options["command"] {
			b.WriteString(comma(i) + quoted(word))
		}
		fmt.Fprintf(&b, "],\n  \"engine\": %s,\n  \"status\": %d,\n  \"rejects\": %d,\n  \"warnings\": %d,\n  \"inputs\": [", quoted(e.options.text("engine")), e.status, e.rejects, e.warnings)
		n := 0
		for line := range strings.Lines(string(sizes)) {
			path, rest, _ := strings.Cut(line, "\t")
			size, _, _ := strings.Cut(rest, "\t")
			fmt.Fprintf(&b, "%s\n    {\"path\": %s, \"size\": %s}", strings.TrimSpace(comma(n)), quoted(path), size)
			n++
		}
		b.WriteString("\n  ],\n  \"made\": {")
		for i, name := range e.made.names() {
			fmt.Fprintf(&b, "%s%s: %d", comma(i), quoted(name), e.made[name])
		}
		fmt.Fprintf(&b, "},\n  \"seconds\": {\"job\": %.3f", sinceEpoch(e.options.text("started")))
		for _, t := range e.seconds {
			fmt.Fprintf(&b, ", %s: %s", quoted(t.stage), t.seconds)
		}
		b.WriteString("},\n  \"counters\": {")
		describeCounters(&b, e.counters)
		b.WriteString("\n  }")
		e.describeReasons(&b)
		b.WriteString("\n}\n")
		_, err := b.WriteTo(w)
		return err
	})
}

// describeCounters nests the counters by stage and group, which stand together.
func describeCounters(b *bytes.Buffer, counters []counter) {
	var last counter
	for i, c := range counters {
		newStage := i == 0 || c.stage != last.stage
		switch {
		case newStage && i > 0:
			b.WriteString("}\n    },")
		case !newStage && c.group != last.group:
			b.WriteString("},")
		}
		if newStage {
			fmt.Fprintf(b, "\n    %s: {", quoted(c.stage))
		}
		if newStage || c.group != last.group {
			fmt.Fprintf(b, "\n      %s: {", quoted(c.group))
		} else {
			b.WriteString(", ")
		}
		fmt.Fprintf(b, "%s: %d", quoted(c.name), c.value)
		last = c
	}
	if len(counters) > 0 {
		b.WriteString("}\n    }")
	}
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ", "
}

// quoted is a string of JSON; bytes that are no UTF-8 become U+FFFD.
func quoted(s string) string {
	var b bytes.Buffer
	j := json.NewEncoder(&b)
	j.SetEscapeHTML(false)
	j.Encode(s) // a string can be encoded
	return strings.TrimSuffix(b.String(), "\n")
}

// sinceEpoch is the time that has passed since an $EPOCHREALTIME of bash, in
// seconds.
func sinceEpoch(started string) float64 {
	from, err := strconv.ParseFloat(strings.Replace(started, ",", ".", 1), 64)
	if err != nil {
		return 0
	}
	return max(0, float64(time.Now().UnixMicro())/1e6-from)
}

// A description is what other jobs need of _job.json.
type description struct {
	Job  string
	Made made
}

// readDescription returns the _job.json of an output; that of one without is empty, and
// so is that of a file that is something else.
func readDescription(dir string) (description, error) {
	var d description
	content, err := readAll(storage.Join(dir, descriptionName))
	if errors.Is(err, fs.ErrNotExist) {
		return d, nil
	}
	if err == nil && json.Unmarshal(content, &d) != nil {
		return description{}, nil
	}
	return d, err
}
