package jobs

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"archivestream/lib/realdata"
	"archivestream/lib/warc"
)

// A heldRecord is what warcio says of a record.
type heldRecord struct {
	File, Type, URL, Date, ID, Digest, Profile, SHA1 string
	Offset, Length                                   int64
	Digests                                          []string
	URI, When, What                                  string // that a revisit refers to
}

func (r *heldRecord) place() string { return r.File + ":" + strconv.FormatInt(r.Offset, 10) }

// payloads returns the hashes that the payload of a revisit can have: those of the
// records with its digest, or else of those that it refers to.
func (r *heldRecord) payloads(all []heldRecord) map[string]bool {
	found := map[string]bool{}
	if d, err := warc.ParseDigest(r.Digest); err == nil && !warc.IsDigestOfNothing([]byte(r.Digest)) {
		for _, o := range all {
			if o.Type != "revisit" && slices.Contains(o.Digests, fmt.Sprintf("%x", d.Sum)) {
				found[o.SHA1] = true
			}
		}
	}
	for _, o := range all {
		if len(found) == 0 && o.Type != "revisit" && (r.URI == o.URL && r.When != "" && warc.ParseDate(r.When).Equal(warc.ParseDate(o.Date)) || r.What != "" && r.What == o.ID) {
			return map[string]bool{o.SHA1: true}
		}
	}
	return found
}

// TestRealRevisits resolves the revisits of all real archives, those of a folder
// together, and holds each payload against what warcio reads where the original must
// be. A revisit whose original is not in the data has no value.
func TestRealRevisits(t *testing.T) {
	t.Parallel()
	python, dir := pythonTools(t), realdata.Folder(t)
	folders := map[string][]string{}
	for _, f := range realFiles(t, dir, ".arc", ".warc") {
		folder := filepath.Dir(f)
		folders[folder] = append(folders[folder], filepath.Join(dir, f))
	}
	revisits, resolved := 0, 0
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		var all []heldRecord
		places := map[string]*heldRecord{}
		for line := range strings.Lines(readHeld(t, python, folders[folder])) {
			var r heldRecord
			if err := json.Unmarshal([]byte(line), &r); err != nil {
				t.Fatal(err)
			}
			all = append(all, r)
		}
		for i := range all {
			if all[i].Type == "revisit" {
				places[all[i].place()] = &all[i]
			}
		}
		if len(places) == 0 {
			continue
		}
		for _, small := range []string{"64MB", "0"} {
			args := append([]string{"--archives"}, folders[folder]...)
			s := selectTo(t, append(args, "--where", `mime == "warc/revisit"`, "--small", small,
				"--columns", "filename, offset, sha1 = payload.sha1, length = payload.length", "--save", "csv")...)
			n, r := wantResolved(t, s, all, places, small == "0")
			if small == "0" {
				revisits, resolved = revisits+n, resolved+r
			}
		}
	}
	t.Logf("%d of %d revisits are resolved; the originals of the others are not in the data", resolved, revisits)
	realdata.Enough(t, revisits > 0, "no revisits")
}

// wantResolved holds the rows of a folder's revisits against its records.
func wantResolved(t *testing.T, s *selected, all []heldRecord, places map[string]*heldRecord, tell bool) (revisits, resolved int) {
	t.Helper()
	for line := range strings.Lines(s.parts("_rejects.tsv")) {
		if !strings.HasPrefix(line, "index-archives\t") {
			t.Errorf("rejected: %s", line)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(s.parts("part-*.csv.gz"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, row := range rows {
		if row[0] == "filename" {
			continue
		}
		place := row[0] + ":" + row[1]
		r := places[place]
		if seen[place] = true; r == nil {
			t.Logf("%s: a revisit that warcio does not read", place)
			continue
		}
		revisits++
		want := r.payloads(all)
		if r.Length > 0 && len(want) == 0 {
			want = map[string]bool{r.SHA1: true} // it has a payload itself
		}
		switch {
		case len(want) == 0 && (row[2] != "" || row[3] != ""):
			t.Errorf("%s has no original: %q", place, row)
		case len(want) == 0:
			if tell {
				t.Logf("not resolved: %s of %s, digest %s, refers to %s %s %s: no such record is there", place, r.URL, r.Digest, r.URI, r.When, r.What)
			}
		case !want[row[2]]:
			t.Errorf("%s: %q, want one of %v", place, row, slices.Sorted(maps.Keys(want)))
		default:
			resolved++
			if tell {
				t.Logf("resolved: %s of %s", place, r.URL)
			}
		}
	}
	for place := range places {
		if !seen[place] {
			t.Errorf("%s has no row", place)
		}
	}
	return revisits, resolved
}

// readHeld runs testdata/read_revisits.py.
func readHeld(t *testing.T, python string, files []string) string {
	t.Helper()
	cmd := exec.Command(python, append([]string{"-W", "ignore", filepath.Join(root, "jobs", "testdata", "read_revisits.py")}, files...)...)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("testdata/read_revisits.py: %v", err)
	}
	return string(out)
}

// TestRevisitsAreResolved has revisits whose digests are written in each form, and some
// that only say what they refer to; and others whose original cannot be known.
func TestRevisitsAreResolved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	const (
		nothing      = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"
		identical    = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
		notModified  = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"
		originalDate = "2020-01-01T00:00:00Z"
	)
	var file strings.Builder
	record := func(kind, url, date, id, block string, fields ...string) {
		fmt.Fprintf(&file, "WARC/1.1\r\nWARC-Type: %s\r\nWARC-Target-URI: %s\r\nWARC-Date: %s\r\nWARC-Record-ID: <urn:x:%s>\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: %d\r\n", kind, url, date, id, len(block))
		for _, f := range fields {
			file.WriteString(f + "\r\n")
		}
		file.WriteString("\r\n" + block + "\r\n\r\n")
	}
	const head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n"
	const body = "the payload"
	sum1 := warcDigest(t, "sha1", body)
	record("response", "http://one.example/", originalDate, "one", head+body, "WARC-Payload-Digest: "+sum1.String())
	record("response", "http://two.example/", originalDate, "two", head+"another", "WARC-Payload-Digest: sha-256:"+fmt.Sprintf("%x", warcDigest(t, "sha256", "another").Sum))
	record("response", "http://three.example/", originalDate, "three", head+"third", "WARC-Payload-Digest: blake3:abc")
	record("response", "http://empty.example/", originalDate, "four", "HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n", "WARC-Payload-Digest: "+nothing)
	want := map[string]string{}
	revisit := func(name, url, payload string, fields ...string) {
		at := fmt.Sprintf("%s?%s", url, name)
		if strings.HasPrefix(name, "same") {
			at = url
		}
		n := len(want)
		want[fmt.Sprintf("%s 202101010000%02d", at, n)] = payload
		record("revisit", at, fmt.Sprintf("2021-01-01T00:00:%02dZ", n), "r"+name, head, fields...)
	}
	profile := "WARC-Profile: " + identical
	for name, digest := range map[string]string{
		"hex": fmt.Sprintf("sha1:%x", sum1.Sum), "upper": fmt.Sprintf("SHA-1:%X", sum1.Sum), "bare": strings.TrimPrefix(sum1.String(), "sha1:"), "lower": strings.ToLower(sum1.String()),
	} {
		revisit(name, "http://one.example/", body, profile, "WARC-Payload-Digest: "+digest)
	}
	revisit("sha256", "http://two.example/", "another", profile, "WARC-Payload-Digest: "+warcDigest(t, "sha256", "another").String())
	revisit("other-url", "http://four.example/", "another", profile, "WARC-Payload-Digest: sha256:"+fmt.Sprintf("%X", warcDigest(t, "sha256", "another").Sum))
	// Only what it refers to tells.
	revisit("date", "http://x.example/", "third", profile, "WARC-Payload-Digest: "+warcDigest(t, "sha256", "third").String(), "WARC-Refers-To-Target-URI: http://three.example/", "WARC-Refers-To-Date: "+originalDate)
	revisit("not-modified", "http://x.example/", "third", "WARC-Profile: "+notModified, "WARC-Payload-Digest: "+nothing, "WARC-Refers-To-Target-URI: <http://three.example>", "WARC-Refers-To-Date: 2020-01-01T01:00:00+01:00")
	revisit("undigested", "http://x.example/", "third", "WARC-Profile: "+notModified, "WARC-Refers-To-Target-URI: http://three.example/", "WARC-Refers-To-Date: "+originalDate)
	revisit("id", "http://x.example/", "third", profile, "WARC-Refers-To-Target-URI: http://three.example/", "WARC-Refers-To: <urn:x:three>")
	revisit("same-url-and-id", "http://three.example/", "third", profile, "WARC-Refers-To: <urn:x:three>")
	revisit("nothing", "http://empty.example/", "", profile, "WARC-Payload-Digest: "+nothing)
	// These cannot be known.
	const unknown = "?"
	revisit("no-such-date", "http://x.example/", unknown, profile, "WARC-Refers-To-Target-URI: http://three.example/", "WARC-Refers-To-Date: 2020-01-01T00:00:01Z")
	revisit("no-such-id", "http://x.example/", unknown, profile, "WARC-Refers-To-Target-URI: http://three.example/", "WARC-Refers-To: <urn:x:five>")
	revisit("no-such-digest", "http://three.example/", unknown, profile, "WARC-Payload-Digest: "+warcDigest(t, "sha1", "else").String())
	revisit("other-digest", "http://x.example/", unknown, profile, "WARC-Payload-Digest: "+warcDigest(t, "sha1", "else").String(), "WARC-Refers-To-Target-URI: http://one.example/", "WARC-Refers-To-Date: "+originalDate)
	revisit("not-modified-alone", "http://three.example/", unknown, "WARC-Profile: "+notModified, "WARC-Payload-Digest: "+nothing)
	archive := filepath.Join(dir, "a.warc")
	if err := os.WriteFile(archive, []byte(file.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, small := range []string{"64MB", "0"} {
		s := selectTo(t, "--archives", archive, "--where", `mime == "warc/revisit"`, "--columns", "key = url + ' ' + timestamp, string = payload.string, length = payload.length, sha1 = payload.sha1", "--save", "csv", "--small", small)
		if reasons := s.rejects(); len(reasons) > 0 {
			t.Errorf("%q", reasons)
		}
		rows, err := csv.NewReader(strings.NewReader(s.parts("part-*.csv.gz"))).ReadAll()
		if err != nil || len(rows) != len(want)+1 {
			t.Fatalf("%d rows of %d, %v", len(rows)-1, len(want), err)
		}
		none := 0
		for _, row := range rows[1:] {
			payload := want[row[0]]
			if payload == unknown {
				if none++; row[1]+row[2]+row[3] != "" {
					t.Errorf("%q: nothing is known of it", row)
				}
			} else if row[1] != payload || row[2] != strconv.Itoa(len(payload)) || row[3] != fmt.Sprintf("%x", warcDigest(t, "sha1", payload).Sum) {
				t.Errorf("%q, want %q", row, payload)
			}
		}
		if !strings.Contains(s.messages, fmt.Sprintf("%d revisits have no payload: no record with it was found", none)) {
			t.Errorf("unresolved ones are not told: %s", s.messages)
		}
		j := selectTo(t, "--archives", archive, "--where", `mime == "warc/revisit"`, "--enrich", "payload.length", "--small", small)
		if n := strings.Count(j.parts("part-*.json.gz"), `"error":{"payload":"revisit without the record that has its payload"}`); n != none {
			t.Errorf("%d rows are marked, want %d", n, none)
		}
	}
}

// warcDigest returns the digest of a text.
func warcDigest(t *testing.T, algorithm, text string) warc.Digest {
	t.Helper()
	switch algorithm {
	case "sha1":
		sum := sha1.Sum([]byte(text))
		return warc.Digest{Algorithm: algorithm, Sum: sum[:]}
	case "sha256":
		sum := sha256.Sum256([]byte(text))
		return warc.Digest{Algorithm: algorithm, Sum: sum[:]}
	}
	t.Fatal(algorithm)
	return warc.Digest{}
}
