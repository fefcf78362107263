package truth

import (
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// comparisons takes what a program of testdata has compared: VALUE TAB PLACE TAB OURS TAB
// THEIRS in each line, the last two as JSON.
func comparisons(t *testing.T, lines []string) {
	t.Helper()
	for _, line := range lines {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("%d fields: %.300s", len(f), line)
		}
		compare(t, f[0], f[1], text(t, f[2]), text(t, f[3]))
	}
}

// text returns a string of JSON, and other JSON as it is.
func text(t *testing.T, raw string) string {
	t.Helper()
	if !strings.HasPrefix(raw, `"`) {
		return raw
	}
	var s string
	if err := json.Unmarshal([]byte(raw), &s); err != nil {
		t.Fatalf("%v: %.300s", err, raw)
	}
	return s
}

// TestTruthExtract holds every record that is extracted against the bytes at its place,
// and those that have changed their format against what ought to become of them.
func TestTruthExtract(t *testing.T) {
	folder := theArchives(t)
	lines := map[string]*strings.Builder{"same": {}, "warc": {}, "arc": {}}
	for line := range strings.Lines(read(t, indexed(t))) {
		lines["same"].WriteString(line)
		name := strings.TrimSuffix(strings.TrimSuffix(captures(t, line)[0]["filename"], ".open"), ".gz")
		if strings.HasSuffix(name, ".arc") {
			lines["warc"].WriteString(line)
		} else {
			lines["arc"].WriteString(line)
		}
	}
	for format, text := range lines {
		list := written(t, "list.cdxj", text.String())
		output := run(t, "extract.sh", "--input", list, "--archives", folder, "--format", format, "--max-size", "2MB")
		comparisons(t, asked(t, text.String(), "extracted.py", format, "2000000", folder, output))
	}
}

// TestTruthExtractVerify holds what --verify digest refuses against Python's hashlib, with
// a wrong digest in each seventh line, and what --verify url does where lines are given
// other records' places.
func TestTruthExtractVerify(t *testing.T) {
	folder := theArchives(t)
	var wrong, moved strings.Builder
	swapped := map[string]string{} // what stands at a place, by what the line says
	lines := slices.Collect(strings.Lines(read(t, indexed(t))))
	for i, line := range lines {
		if i%7 == 0 {
			line = regexp.MustCompile(`("digest": "sha1:[A-Z2-7]{31})([A-Z2-7])`).ReplaceAllStringFunc(line, func(s string) string {
				if strings.HasSuffix(s, "A") {
					return s[:len(s)-1] + "B"
				}
				return s[:len(s)-1] + "A"
			})
		}
		wrong.WriteString(line)
		if i%25 != 0 {
			continue
		}
		c := captures(t, lines[i])[0]
		other := c
		if i%50 == 0 {
			other = captures(t, lines[len(lines)-1-i])[0]
		}
		if swapped[other.place()] == "" && other["length"] != "" {
			fmt.Fprintf(&moved, "%s\t%s\t%s\t%s\n", c["url"], other["filename"], other["offset"], other["length"])
			swapped[other.place()] = fmt.Sprint(c["url"] == other["url"])
		}
	}
	output := run(t, "extract.sh", "--input", written(t, "wrong.cdxj", wrong.String()), "--archives", folder, "--verify", "digest")
	comparisons(t, asked(t, wrong.String(), "verified.py", folder, output))
	output = run(t, "extract.sh", "--input", written(t, "moved.tsv", moved.String()), "--archives", folder, "--verify", "url")
	taken := map[string]bool{}
	for _, p := range manifest(t, output) {
		taken[p.source] = true
	}
	for place, same := range swapped {
		compare(t, "extract/--verify url", place, fmt.Sprint(taken[place]), same)
	}
}

// written writes a file.
func written(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A placed record is a line of manifest.tsv.
type placed struct {
	file, offset, length string
	source               string // archive file and offset there
}

func manifest(t *testing.T, output string) []placed {
	t.Helper()
	var all []placed
	for line := range strings.Lines(read(t, output, "manifest.tsv")) {
		f := strings.Split(line, "\t")
		all = append(all, placed{f[0], f[1], f[2], f[3] + " " + f[4]})
	}
	return all
}

// TestTruthExtractLists holds what is extracted of the same captures, listed in other
// forms, orders and numbers, against what is of CDXJ.
func TestTruthExtractLists(t *testing.T) {
	folder := theArchives(t)
	var list []capture
	for _, c := range captures(t, read(t, indexed(t))) {
		if c["length"] != "" && !strings.HasPrefix(c["filename"], "maintext--") {
			list = append(list, c)
		}
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	var places []string
	paths := map[string]bool{}
	for _, c := range list {
		places = append(places, c.place())
		paths[c["filename"]+"\t"+filepath.Join(folder, c["filename"])+"\n"] = true
	}
	index := written(t, "paths.tsv", strings.Join(slices.Sorted(maps.Keys(paths)), ""))
	of := map[string]string{} // bytes by place
	for _, form := range []string{"tsv", "cdxj", "cdx11", "cdx9"} {
		var text strings.Builder
		for _, c := range list {
			text.WriteString(listed(t, form, c) + "\n")
		}
		file, archives := written(t, "list", text.String()), []string{"--archives", folder}
		if form == "cdx11" {
			archives = []string{"--path-index", index}
		}
		output := run(t, "extract.sh", append(archives, "--input", file, "--input", file, "--unique", "--order", "input", "--prefix", "P", "--date", "20010203040506")...)
		inOrder(t, form, output, places)
		for _, p := range manifest(t, output) {
			bytes := piece(t, filepath.Join(output, p.file), p.offset, p.length)
			if form == "tsv" {
				of[p.source] = bytes
			}
			compare(t, "extract/of "+form, p.source, bytes, of[p.source])
		}
		headers(t, output)
	}
}

// listed is a capture as a line of a list.
func listed(t *testing.T, form string, c capture) string {
	t.Helper()
	switch form {
	case "tsv":
		return strings.Join([]string{c["url"], c["filename"], c["offset"], c["length"]}, "\t")
	case "cdx11":
		return strings.Join([]string{c["key"], c["timestamp"], c["url"], "-", "-", "-", "-", "-", c["length"], c["offset"], c["filename"]}, " ")
	case "cdx9":
		return strings.Join([]string{c["key"], c["timestamp"], c["url"], "-", "-", "-", "-", c["offset"], c["filename"]}, " ")
	}
	members, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	return c["key"] + " " + c["timestamp"] + " " + string(members)
}

// inOrder holds the places of the records in the output, which are in files for each
// format, against those of a list, in its order and each of them once.
func inOrder(t *testing.T, form, output string, places []string) {
	t.Helper()
	all := manifest(t, output)
	kinds := map[string]string{}
	ours, theirs := map[string][]string{}, map[string][]string{}
	slices.SortStableFunc(all, func(a, b placed) int {
		x, y := strings.SplitN(a.file, "-", 3), strings.SplitN(b.file, "-", 3)
		return cmp.Or(strings.Compare(x[1], y[1]), cmp.Compare(number(t, x[2]), number(t, y[2])), cmp.Compare(number(t, a.offset), number(t, b.offset)))
	})
	for _, p := range all {
		_, kind, _ := strings.Cut(p.file, ".")
		kinds[p.source] = kind
		ours[kind] = append(ours[kind], p.source)
	}
	for _, place := range places {
		theirs[kinds[place]] = append(theirs[kinds[place]], place)
	}
	for kind := range theirs {
		compare(t, "extract/order of "+form, "- -", strings.Join(ours[kind], "\n"), strings.Join(theirs[kind], "\n"))
	}
}

// number is the one that a text begins with.
func number(t *testing.T, text string) int {
	t.Helper()
	digits := text[:len(text)-len(strings.TrimLeft(text, "0123456789"))]
	n, err := strconv.Atoi(digits)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// piece hashes a piece of a file.
func piece(t *testing.T, path, offset, length string) string {
	t.Helper()
	content := make([]byte, number(t, length))
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.ReadAt(content, int64(number(t, offset))); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(string(content), "\x1f\x8b") || !strings.HasSuffix(path, ".gz") {
		return fmt.Sprintf("%x", sha256.Sum256(content))
	}
	return "no gzip member"
}

// headers holds the records that files begin with against --prefix and --date.
func headers(t *testing.T, output string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(output, "P-*"))
	if err != nil || len(files) < 4 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, path := range files {
		file, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		in := io.Reader(file)
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(file); err != nil {
				t.Fatal(err)
			}
		}
		head := make([]byte, 300)
		if _, err := io.ReadFull(in, head); err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(`^(?s:.*WARC-Date: 2001-02-03T04:05:06Z\r\n.*WARC-Filename: |filedesc://)(P-\S+)(\r\n| 0\.0\.0\.0 20010203040506 )`).FindSubmatch(head)
		name := filepath.Base(path)
		if found == nil {
			t.Fatalf("%s: %s", name, head)
		}
		compare(t, "extract/--date, --prefix", name+" 0", string(found[1]), name)
	}
}
