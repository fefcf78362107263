package truth

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A capture is a line of an index: the members of CDXJ, and key and timestamp.
type capture map[string]string

func (c capture) place() string { return c["filename"] + " " + c["offset"] }

// captures reads the lines of CDXJ.
func captures(t *testing.T, text string) []capture {
	t.Helper()
	var all []capture
	for line := range strings.Lines(text) {
		f := strings.SplitN(line, " ", 3)
		c := capture{}
		if len(f) != 3 || json.Unmarshal([]byte(f[2]), &c) != nil {
			t.Fatalf("no line of CDXJ: %.300s", line)
		}
		c["key"], c["timestamp"] = f[0], f[1]
		all = append(all, c)
	}
	if len(all) == 0 {
		t.Fatal("no captures")
	}
	return all
}

// TestTruthIndex holds each field of each capture of all archives against the bytes at
// its place, and the captures of each file against a scan of it.
func TestTruthIndex(t *testing.T) {
	folder := theArchives(t)
	all := captures(t, read(t, indexed(t)))
	offsets := map[string][]int{}
	for _, c := range all {
		offsets[c["filename"]] = append(offsets[c["filename"]], number(t, c["offset"]))
	}
	members(t, folder, all, "index/")
	scanned(t, "index/captures", "response,revisit,resource,metadata", "", offsets)
}

// members holds each field of captures against the bytes at their places, and returns how
// many fields these are.
func members(t *testing.T, folder string, all []capture, value string) (n int) {
	t.Helper()
	var places strings.Builder
	for _, c := range all {
		fmt.Fprintf(&places, "%s\t%s\t%s\n", filepath.Join(folder, c["filename"]), c["offset"], c["length"])
	}
	for i, line := range asked(t, places.String(), "captures.py", "at") {
		var theirs capture
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatal(err)
		}
		for member, other := range theirs {
			compare(t, value+member, all[i].place(), all[i][member], other)
		}
		n += len(theirs)
	}
	return n
}

// scanned holds the offsets of the captures of each file against a scan of it, by the types
// of its records.
func scanned(t *testing.T, value, types, crawlers string, offsets map[string][]int) {
	t.Helper()
	folder := theArchives(t)
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	args := []string{"scan", types, crawlers}
	for _, f := range files {
		args = append(args, filepath.Join(folder, f.Name()))
	}
	for _, line := range asked(t, "", "captures.py", args...) {
		head, tail, _ := strings.Cut(line, " | ")
		f := strings.Fields(head)
		end, err := strconv.Atoi(tail)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(f[0])
		ours := slices.DeleteFunc(offsets[name], func(o int) bool { return o >= end })
		slices.Sort(ours)
		compare(t, value, name+" -", strings.Trim(fmt.Sprint(ours), "[]"), strings.Join(f[1:], " "))
	}
}

// TestTruthIndexForms holds the other forms of an index, the cluster and the table
// against the lines of CDXJ with all members.
func TestTruthIndexForms(t *testing.T) {
	all := captures(t, read(t, indexed(t)))
	folder := theArchives(t)
	byPlace := map[string]capture{}
	for _, c := range all {
		byPlace[c.place()] = c
	}
	letters := map[string]string{"N": "key", "b": "timestamp", "a": "url", "m": "mime", "s": "status", "k": "digest", "r": "redirect", "S": "length", "V": "offset", "g": "filename"}
	for _, format := range []string{"cdx11", "cdx9"} {
		output := run(t, "index.sh", "--input", folder, "--format", format)
		lines := strings.Split(strings.TrimSuffix(read(t, output, "index.cdx"), "\n"), "\n")
		names := strings.Fields(lines[0])[1:]
		compare(t, "index/"+format+" lines", "- -", fmt.Sprint(len(lines)-1), fmt.Sprint(len(all)))
		for _, line := range lines[1:] {
			c := capture{}
			for i, value := range strings.Split(line, " ") {
				if name := letters[names[i]]; name != "" && value != "-" {
					c[name] = value
				}
			}
			want := byPlace[c.place()]
			for _, letter := range names {
				if name := letters[letter]; name != "" {
					compare(t, "index/"+format+" "+name, c.place(), c[name], strings.TrimPrefix(want[name], "sha1:"))
				}
			}
		}
	}
	output := run(t, "index.sh", "--input", folder, "--format", "cdxj-all", "--zipnum", "--parquet", "--shards", "3", "--per-file")
	var lines []string
	for _, line := range asked(t, "", "cluster.py", filepath.Join(output, "zipnum")) {
		lines = append(lines, line+"\n")
	}
	compare(t, "index/zipnum", "- -", strings.Join(lines, ""), read(t, output, "index.cdxj"))
	var files []string
	matches, err := filepath.Glob(filepath.Join(output, "cdx", "*.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range matches {
		files = append(files, strings.SplitAfter(read(t, file), "\n")...)
	}
	slices.Sort(files)
	compare(t, "index/per-file", "- -", strings.Join(files, ""), read(t, output, "index.cdxj"))
	tables, err := filepath.Glob(filepath.Join(output, "table", "*", "*", "*.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range asked(t, read(t, output, "index.cdxj"), "table.py", tables...) {
		f := strings.SplitN(line, "\t", 4)
		compare(t, "index/table "+f[1], f[0], f[2], f[3])
	}
}
