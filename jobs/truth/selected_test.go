package truth

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// honest are captures whose records have the digests that they say.
func honest(t *testing.T) []capture {
	t.Helper()
	var all []capture
	for _, c := range captures(t, read(t, indexed(t))) {
		ours := strings.HasPrefix(c["filename"], "archives--") && !strings.HasSuffix(c["filename"], ".arc") && !strings.HasPrefix(c["filename"], "archives--converted")
		if (ours || strings.HasPrefix(c["filename"], "archivesunleashed__aut--example.arc")) && c["mime"] != "warc/revisit" && c["digest"] != "" && c["length"] != "" {
			all = append(all, c)
		}
	}
	if len(all) < 200 {
		t.Fatalf("%d captures", len(all))
	}
	return all
}

// TestTruthSelectVerify has --verify refuse those lines that are at another record's place,
// or that have another digest, and no others.
func TestTruthSelectVerify(t *testing.T) {
	folder := theArchives(t)
	all := honest(t)
	var wrong, moved strings.Builder
	digests, places := map[string]string{}, map[string]string{}
	for i, c := range all {
		other := all[(i*7+3)%len(all)]
		at := capture{"key": c["key"], "timestamp": c["timestamp"], "url": c["url"], "mime": c["mime"], "status": c["status"], "digest": c["digest"], "filename": c["filename"], "offset": c["offset"], "length": c["length"]}
		if i%5 == 0 {
			at["digest"] = other["digest"]
		}
		digests[c.place()] = fmt.Sprint(at["digest"] == c["digest"])
		wrong.WriteString(listed(t, "cdxj", at) + "\n")
		at["digest"] = c["digest"]
		if i%3 == 0 {
			at["filename"], at["offset"], at["length"] = other["filename"], other["offset"], other["length"]
		}
		if i%3 == 1 && i%2 == 0 {
			at["timestamp"] = "19990102030405"
		}
		if _, taken := places[at.place()]; taken {
			continue
		}
		places[at.place()] = fmt.Sprint(i%3 != 0 && at["timestamp"] == c["timestamp"] || at["timestamp"] == other["timestamp"] && at["url"] == other["url"])
		moved.WriteString(listed(t, "cdxj", at) + "\n")
	}
	for what, lines := range map[string]string{"digest": wrong.String(), "url": moved.String()} {
		want := map[string]map[string]string{"digest": digests, "url": places}[what]
		input := []string{"--cdx", written(t, "lines.cdxj", lines), "--archives", folder, "--verify", what}
		taken := map[string]bool{}
		output := run(t, "select.sh", append(input, "--save", "warc")...)
		for _, p := range manifest(t, output) {
			taken[p.source] = true
		}
		rejects := strings.Count(read(t, output, "_rejects.tsv"), "\n")
		compare(t, "select/--verify "+what+" rejects", "- -", strconv.Itoa(rejects), strconv.Itoa(len(want)-len(taken)))
		derived := map[string]bool{}
		for _, r := range rows(t, "csv", run(t, "select.sh", append(input, "--save", "csv", "--columns", "filename, offset, payload.length")...), ".csv.gz") {
			derived[r.place()] = true
		}
		for place, good := range want {
			compare(t, "select/--verify "+what+" warc", place, fmt.Sprint(taken[place]), good)
			compare(t, "select/--verify "+what+" csv", place, fmt.Sprint(derived[place]), good)
		}
	}
}

// TestTruthSelectFiles holds the names, sizes and header records of WARC files against
// --prefix, --max-size and --date.
func TestTruthSelectFiles(t *testing.T) {
	folder := theArchives(t)
	const most = 60000
	of := map[string]capture{}
	where := `filename startsWith "archives--" && mime != "warc/revisit"`
	for _, c := range captures(t, said(t, read(t, indexed(t)), bin("filter-captures"), "--form", "cdxj", "--where", where)) {
		of[c.place()] = c
	}
	input := []string{"--cdx", indexed(t), "--archives", folder, "--save", "warc", "--max-size", strconv.Itoa(most), "--prefix", "P-{digest}"}
	name := regexp.MustCompile(`^(P-[0-9a-f]{12})-([0-9]{6})-([0-9]+)\.(warc|arc)(\.gz)?$`)
	names := map[string]string{}
	for _, o := range []struct{ what, where, date string }{{"dated", where, "20010203040506"}, {"plain", where, ""}, {"again", where, ""}, {"others", where + " && status == 200", ""}} {
		args := slices.Concat(input, []string{"--where", o.where})
		if o.date != "" {
			args = append(args, "--date", o.date)
		}
		output := run(t, "select.sh", args...)
		if o.date != "" {
			headers(t, output)
		}
		sizes, counts, firsts, files := map[string]int{}, map[string]int{}, map[string]string{}, map[string]bool{}
		placed := manifest(t, output)
		for _, p := range placed {
			m := name.FindStringSubmatch(p.file)
			if m == nil {
				t.Fatalf("--prefix P-{digest}: %s", p.file)
			}
			names[o.what] = m[1]
			files[m[1]] = true
			c := of[p.source]
			n, _ := strconv.Atoi(c["length"])
			sizes[m[2]], counts[m[2]] = sizes[m[2]]+n, counts[m[2]]+1
			if firsts[p.file] == "" {
				firsts[p.file] = c["timestamp"]
			}
			compare(t, "select/--prefix format", p.source, m[4], map[bool]string{true: "arc", false: "warc"}[strings.Contains(p.source, ".arc")])
		}
		compare(t, "select/--prefix digests", "- "+o.what, strconv.Itoa(len(files)), "1")
		if o.what != "others" {
			compare(t, "select/--max-size records", "- "+o.what, strconv.Itoa(len(placed)), strconv.Itoa(len(of)))
		}
		for part, size := range sizes {
			compare(t, "select/--max-size", "- "+part, fmt.Sprint(size <= most || counts[part] == 1), "true")
		}
		compare(t, "select/--max-size parts", "- "+o.what, fmt.Sprint(len(sizes) > 1), "true")
		for file, first := range firsts {
			if o.date != "" || strings.Contains(file, ".arc") {
				continue
			}
			head := firstMember(t, filepath.Join(output, file))
			date := regexp.MustCompile(`WARC-Date: (\S+)\r\n`).FindSubmatch(head)
			if date == nil {
				date = [][]byte{nil, nil}
			}
			compare(t, "select/--date of the first record", "- "+file, regexp.MustCompile("[^0-9]").ReplaceAllString(string(date[1]), ""), first)
		}
	}
	compare(t, "select/--prefix digest", "- again", names["again"], names["plain"])
	compare(t, "select/--prefix digest", "- others", fmt.Sprint(names["others"] == names["plain"], names["dated"] == names["plain"]), "false false")
}

// firstMember is what the first gzip member of a file holds, or the begin of a plain one.
func firstMember(t *testing.T, path string) []byte {
	t.Helper()
	file := bytesAt(t, path, "0", "4000")
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return file
	}
	z.Multistream(false)
	all, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestTruthSelectCDX holds each field of the lines of CDX against the index.
func TestTruthSelectCDX(t *testing.T) {
	of := map[string]capture{}
	for _, c := range captures(t, read(t, indexed(t))) {
		of[c.place()] = c
	}
	lines := strings.Split(strings.TrimSuffix(read(t, run(t, "select.sh", "--cdx", indexed(t), "--save", "cdx"), "index.cdx"), "\n"), "\n")
	compare(t, "select/cdx header", "- -", lines[0], " CDX N b a m s k r M S V g")
	compare(t, "select/cdx captures", "- -", strconv.Itoa(len(lines)-1), strconv.Itoa(len(of)))
	members := []string{"key", "timestamp", "url", "mime", "status", "digest", "redirect", "robotflags", "length", "offset", "filename"}
	for _, line := range lines[1:] {
		f := strings.Split(line, " ")
		if len(f) != len(members) {
			t.Fatalf("%d fields: %.300s", len(f), line)
		}
		place := f[10] + " " + f[9]
		for i, member := range members {
			want := strings.TrimPrefix(of[place][member], "sha1:")
			if want == "" {
				want = "-"
			}
			compare(t, "select/cdx "+member, place, f[i], want)
		}
	}
}

// TestTruthPages holds the languages of real pages against each other, and their main texts
// against segments that people have marked, by the score of those who did.
func TestTruthPages(t *testing.T) {
	folder := theArchives(t)
	data := filepath.Join(folder, "maintext--pages.warc.gz")
	if matches, _ := filepath.Glob(data); matches == nil {
		t.Skip("no pages with marked segments")
	}
	lines := slices.Collect(strings.Lines(said(t, read(t, indexed(t)), bin("filter-captures"), "--where", `filename == "maintext--pages.warc.gz"`)))
	slices.Sort(lines)
	var texts strings.Builder
	told := 0
	for line := range strings.Lines(said(t, strings.Join(lines, ""), bin("enrich-captures"), "--archives", folder, "--save", "tsv", "--columns",
		"offset, url, language = payload.string.html.text.language, languages = payload.string.html.text.languages, text = payload.string.html.maintext")) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		for i := range f {
			f[i] = fieldText.Replace(f[i])
		}
		place := "maintext--pages.warc.gz " + f[0]
		texts.WriteString(asJSON(t, map[string]string{"key": f[1], "text": f[4]}) + "\n")
		var languages []struct {
			Code    string
			Percent int
		}
		if f[3] != "" {
			if err := json.Unmarshal([]byte(f[3]), &languages); err != nil {
				t.Fatal(err)
			}
		}
		sum, least, sorted, codes := 0, 100, true, map[string]bool{}
		for _, l := range languages {
			sorted = sorted && l.Percent <= least && l.Percent > 0 && len(l.Code) == 3
			sum, least, codes[l.Code] = sum+l.Percent, l.Percent, true
		}
		compare(t, "select/languages", place, fmt.Sprint(sum <= 100, sorted, len(codes) == len(languages) && len(codes) <= 3), "true true true")
		if f[2] != "" {
			told++
			first := ""
			if len(languages) > 0 {
				first = languages[0].Code
			}
			compare(t, "select/languages first", place, first, f[2])
		}
	}
	if told < 800 {
		t.Errorf("a language of %d pages of %d", told, len(lines))
	}
	truth, err := filepath.EvalSymlinks(data)
	if err != nil {
		t.Fatal(err)
	}
	score := said(t, "", python(t), filepath.Join(filepath.Dir(truth), "score.py"), filepath.Join(filepath.Dir(truth), "truth.jsonl"), written(t, "texts.jsonl", texts.String()))
	var found struct {
		Pages             int
		Precision, Recall float64
	}
	if err := json.Unmarshal([]byte(score), &found); err != nil {
		t.Fatalf("%v: %s", err, score)
	}
	t.Logf("main text: %s", score)
	compare(t, "select/html.maintext score", "maintext--pages.warc.gz -", fmt.Sprintf("%d pages, %t %t", found.Pages, found.Precision >= 0.80, found.Recall >= 0.91), fmt.Sprintf("%d pages, true true", len(lines)))
}
