package truth

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A madeMap is a map with what stats.json says of it, as mementomap.py writes both.
type madeMap struct {
	Headers []string
	Map     [][2]string // keys and values
	Stats   map[string]string
}

// holdings are files of what the archives hold, for the options of jobs/mementomap.sh.
type holdings struct{ folder string }

func (h holdings) path(name string) string { return filepath.Join(h.folder, name) }

func (h holdings) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(h.path(name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// plainURL matches the URLs of which Python's surt has a key.
var plainURL = regexp.MustCompile(`^https?://[A-Za-z0-9.-]+(:[0-9]+)?(/[!-~]*)?$`)

// newHoldings parts the index of all archives in two, and makes logs, maps and lists of
// what is in it.
func newHoldings(t *testing.T) holdings {
	t.Helper()
	h := holdings{t.TempDir()}
	var parts [2]strings.Builder
	var log, hosts strings.Builder
	lines := strings.SplitAfter(read(t, indexed(t)), "\n")
	h.write(t, "all.cdxj", strings.Join(lines, ""))
	for i, c := range captures(t, strings.Join(lines, "")) {
		parts[i%3/2].WriteString(lines[i])
		if len(c["status"]) == 3 && plainURL.MatchString(c["url"]) {
			if i%2 == 0 {
				fmt.Fprintf(&log, "%s %s\n", c["url"], c["status"])
			} else {
				fmt.Fprintf(&log, "192.0.2.1 - - [01/Jan/2021:00:00:00 +0000] \"GET /web/%s/%s HTTP/1.1\" %s 12\n", c["timestamp"], c["url"], c["status"])
			}
		}
		if labels := strings.Split(strings.SplitN(c["key"], ")", 2)[0], ","); i%40 == 0 && len(labels) > 1 && strings.Contains(c["key"], ")/") {
			fmt.Fprintf(&hosts, "%s\n", strings.Join(labels[:2], ","))
		}
	}
	h.write(t, "first.cdxj", parts[0].String())
	h.write(t, "second.cdxj", parts[1].String())
	h.write(t, "access.log", log.String())
	h.write(t, "hosts.txt", hosts.String())
	h.write(t, "blocked.txt", "org,archive)/about/*\ncom,* 0\nhttp://www.iana.org/domains/?x\n! no key\norg,gnu)/\n\nexample,garden)/plants\n")
	h.write(t, "popularity.tsv", "com\t150\norg\t10\n.NET\t20\n")
	h.write(t, "meta.ukvs", "!id {uri: \"https://archive.example/\"}\n!meta {name: \"Ärchive\"}\n")
	for name, args := range map[string][]string{
		"first.ukvs": {"first.cdxj", "inf", "inf"}, "second.ukvs": {"second.cdxj", "inf", "inf"}, "small.ukvs": {"first.cdxj", "0.5", "0.25"},
	} {
		output := run(t, "mementomap.sh", "--input", h.path(args[0]), "--host-weight", args[1], "--path-weight", args[2], "--meta", h.path("meta.ukvs"))
		h.write(t, name, read(t, output, "mementomap.ukvs"))
	}
	h.write(t, "marked.ukvs", marked(read(t, h.path("second.ukvs"))))
	return h
}

// marked gives the frequencies of a map all marks that there are, and objects.
func marked(text string) string {
	var b strings.Builder
	for i, line := range strings.SplitAfter(text, "\n") {
		key, value, found := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !found || strings.HasPrefix(key, "!") {
			b.WriteString(line)
			continue
		}
		m, r, _ := strings.Cut(value, "/")
		value = []string{m, m + "+", m + "-", m + "~", "/" + r, m + "/" + r + "-", m + "~/" + r + "+", "0", "0+/1", m + "-/" + r + "~"}[i%10]
		if value != "0" {
			value += []string{"", "", " {\"n\": 1}", " {\"n\": 2}"}[i%4]
		}
		fmt.Fprintf(&b, "%s %s\n", key, value)
	}
	return b.String()
}

// mapCases are arguments of jobs/mementomap.sh, by what is compared; names with an ending
// are those of holdings.
var mapCases = map[string]string{
	"default":                "--input all.cdxj",
	"--input several":        "--input first.cdxj second.cdxj --maps 3 --reducers 3",
	"--input log":            "--input access.log",
	"--input log and index":  "--input access.log first.cdxj",
	"--input a map":          "--input first.ukvs",
	"--input a small map":    "--input small.ukvs --path-weight 0.1",
	"--input a marked map":   "--input marked.ukvs --path-weight 0.5",
	"--input maps":           "--input first.ukvs second.ukvs --path-weight 0.5 --maps 2 --reducers 2",
	"--where":                "--input all.cdxj --where status==200&&mime==\"text/html\"",
	"--where timestamp":      "--input all.cdxj --where timestamp>=\"20100101000000\"||status==404 --path-weight 1",
	"--skip-robots":          "--input all.cdxj --skip-robots",
	"--absent":               "--input access.log --absent --path-weight 0.5",
	"--absent with an index": "--input second.cdxj access.log --absent --skip-robots",
	"--blocked":              "--input all.cdxj --blocked blocked.txt --path-weight 0.5",
	"--blocked of maps":      "--input second.ukvs small.ukvs --blocked blocked.txt",
	"--merge":                "--input first.ukvs --merge second.ukvs --path-weight 1",
	"--merge marked":         "--input second.cdxj --merge marked.ukvs --merge small.ukvs --path-weight inf --host-weight inf",
	"--merge twice":          "--input first.cdxj --merge first.ukvs --merge marked.ukvs --path-weight 0.5 --host-weight 0.5",
	"--update":               "--input second.cdxj --update small.ukvs",
	"--update rolled":        "--input second.cdxj --update small.ukvs --path-weight 0.1 --host-weight 0.1 --maps 3",
	"--update blocked":       "--input all.cdxj --update small.ukvs --blocked blocked.txt",
	"--meta":                 "--input first.cdxj --meta meta.ukvs",
	"--meta of maps":         "--input first.ukvs second.ukvs --meta meta.ukvs",
	"--gzip":                 "--input all.cdxj --gzip --path-weight inf",
	"weights inf":            "--input all.cdxj --host-weight inf --path-weight inf",
	"--path-weight 0":        "--input all.cdxj --path-weight 0 --maps 4 --reducers 2",
	"--path-weight 0.5":      "--input all.cdxj --path-weight 0.5",
	"--path-weight 1":        "--input all.cdxj --path-weight 1 --reducers 4",
	"--host-weight 0":        "--input all.cdxj --host-weight 0",
	"--host-weight 0.3":      "--input all.cdxj --host-weight 0.3 --path-weight 1",
	"both weights":           "--input all.cdxj --host-weight 0.5 --path-weight 0.5",
	"both weights 0":         "--input all.cdxj --host-weight 0 --path-weight 0",
	"--target-lines":         "--input all.cdxj --target-lines 1300",
	"--target-lines fixed":   "--input all.cdxj --target-lines 1400 --host-weight 1",
	"--target-cost":          "--input all.cdxj --target-cost 0.7",
	"--target-cost fixed":    "--input first.ukvs --target-cost 0.75 --path-weight 2 --curve measured",
	"--target kept":          "--input all.cdxj --target-lines 1500 --keep-suffixes --roll hosts.txt",
	"--curve measured":       "--input all.cdxj --curve measured --path-weight 1 --host-weight 0.5",
	"--curve measured deep":  "--input all.cdxj --curve measured --host-depth 3 --path-depth 2 --path-weight 0.5",
	"--host-curve":           "--input all.cdxj --host-curve 3,0.2 --host-weight 0.5",
	"--path-curve":           "--input all.cdxj --path-curve 5,-0.1 --path-weight 1",
	"--host-means":           "--input all.cdxj --host-means 2,1,0.5 --host-weight 1",
	"--path-means":           "--input all.cdxj --path-means 8,2,2,0 --path-weight 1.5",
	"--host-depth":           "--input all.cdxj --host-depth 2 --host-weight 0",
	"--path-depth":           "--input all.cdxj --path-depth 2 --path-weight 0",
	"--path-depth 1":         "--input all.cdxj --path-depth 1 --path-weight 0 --host-depth 3 --host-weight 0.2",
	"--keep-suffixes":        "--input all.cdxj --host-weight 0 --keep-suffixes",
	"--roll":                 "--input all.cdxj --roll hosts.txt --reducers 3",
	"--roll-tlds":            "--input all.cdxj --roll-tlds 2",
	"--popularity":           "--input all.cdxj --roll-tlds 1.5 --popularity popularity.tsv",
	"--popularity rolled":    "--input first.ukvs --roll-tlds 0.5 --popularity popularity.tsv --roll hosts.txt --host-weight 0.5",
}

// TestTruthMementoMap holds the maps that the job makes with each of its options, and what
// it says of them, against those of a slow program with all keys in memory.
func TestTruthMementoMap(t *testing.T) {
	h := newHoldings(t)
	var names []string
	var asks bytes.Buffer
	arguments := map[string][]string{}
	if files := foreignIndexes(t); len(files) > 0 {
		names, arguments["foreign indexes"] = append(names, "foreign indexes"), append([]string{"--path-weight", "1", "--maps", "60", "--input"}, files...)
	}
	for name, line := range mapCases {
		args := strings.Fields(line)
		for i, arg := range args {
			if slices.Contains([]string{".cdxj", ".ukvs", ".log", ".txt", ".tsv"}, filepath.Ext(arg)) {
				args[i] = h.path(arg)
			}
		}
		names = append(names, name)
		arguments[name] = args
	}
	slices.Sort(names)
	for _, name := range names {
		text, err := json.Marshal(arguments[name])
		if err != nil {
			t.Fatal(err)
		}
		asks.Write(append(text, '\n'))
	}
	for i, line := range asked(t, asks.String(), "mementomap.py") {
		var theirs madeMap
		if err := json.Unmarshal([]byte(line), &theirs); err != nil {
			t.Fatalf("%v: %.300s", err, line)
		}
		t.Run(names[i], func(t *testing.T) {
			output := run(t, "mementomap.sh", arguments[names[i]]...)
			compareMap(t, "mementomap/"+names[i], theMap(t, output), theirs)
			for name, value := range theirs.Stats {
				compare(t, "mementomap/stats "+name, names[i], ourStats(t, output)[name], value)
			}
		})
	}
}

// compareMap holds a map's headers, each of its lines and their order against another one.
func compareMap(t *testing.T, value, ours string, theirs madeMap) {
	t.Helper()
	var headers, order []string
	lines := map[string]string{}
	for line := range strings.Lines(ours) {
		line = strings.TrimSuffix(line, "\n")
		key, text, _ := strings.Cut(line, " ")
		if strings.HasPrefix(key, "!") {
			headers = append(headers, line)
			continue
		}
		order = append(order, key)
		lines[key] = text
	}
	compare(t, "mementomap/headers", value, strings.Join(headers, "\n"), strings.Join(theirs.Headers, "\n"))
	var want []string
	for _, line := range theirs.Map {
		want = append(want, line[0])
		text, found := lines[line[0]]
		if !found {
			text = "no line"
		}
		compare(t, value, line[0], text, line[1])
		delete(lines, line[0])
	}
	for key, text := range lines {
		compare(t, value, key, text, "no line")
	}
	compare(t, "mementomap/order", value, strings.Join(order, "\n"), strings.Join(want, "\n"))
}

// theMap returns the text of a job's map; each block of a compressed one must be where the
// index beside it says.
func theMap(t *testing.T, output string) string {
	t.Helper()
	if _, err := os.Stat(filepath.Join(output, "mementomap.ukvs.gz")); err != nil {
		return read(t, output, "mementomap.ukvs")
	}
	file := read(t, output, "mementomap.ukvs.gz")
	var text strings.Builder
	end := 0
	for line := range strings.Lines(read(t, output, "mementomap.ukvs.gz.idx")) {
		f := strings.Split(line, "\t")
		offset, err1 := strconv.Atoi(f[2])
		length, err2 := strconv.Atoi(f[3])
		if err1 != nil || err2 != nil || offset != end || offset+length > len(file) {
			t.Fatalf("not a block of a map: %q", line)
		}
		end += length
		block := inflated(t, file[offset:end])
		compare(t, "mementomap/blocks", f[0], block[:min(len(block), len(f[0]))], f[0])
		text.WriteString(block)
	}
	compare(t, "mementomap/gzip", "-", text.String(), inflated(t, file))
	return text.String()
}

func inflated(t *testing.T, file string) string {
	t.Helper()
	z, err := gzip.NewReader(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// ourStats returns what stats.json says, in the form of mementomap.py.
func ourStats(t *testing.T, output string) map[string]string {
	t.Helper()
	var stats map[string]any
	d := json.NewDecoder(strings.NewReader(read(t, output, "stats.json")))
	d.UseNumber()
	if err := d.Decode(&stats); err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for name, value := range stats {
		switch value := value.(type) {
		case nil:
			texts[name] = "null"
		case json.Number:
			texts[name] = value.String()
		case string:
			texts[name] = figures(t, value)
		case map[string]any:
			for kind, counts := range value {
				var all []string
				for depth, n := range counts.(map[string]any) {
					all = append(all, fmt.Sprintf("%s:%s", depth, n))
				}
				slices.Sort(all)
				texts[name+" "+kind] = strings.Join(all, " ")
			}
		}
	}
	return texts
}

// figures writes numbers, separated by commas, with five digits.
func figures(t *testing.T, list string) string {
	t.Helper()
	numbers := strings.Split(list, ",")
	for i, text := range numbers {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		if numbers[i] = strconv.FormatFloat(x, 'g', 5, 64); math.IsInf(x, 1) {
			numbers[i] = "inf"
		}
		if strings.Contains(numbers[i], "e") {
			t.Fatalf("%s: too large or small to be written alike", text)
		}
		if x, rounded, _ := strings.Cut(numbers[i], "."); strings.Trim(rounded, "0") == "" {
			numbers[i] = x
		}
	}
	return strings.Join(numbers, ",")
}
