package index

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"archivestream/lib/cdx"
)

// record makes a WARC record of a header's lines and a block.
func record(block string, lines ...string) string {
	return "WARC/1.0\r\n" + strings.Join(lines, "\r\n") + fmt.Sprintf("\r\nContent-Length: %d\r\n\r\n", len(block)) + block + "\r\n\r\n"
}

// response makes a response record with a record id and fields.
func response(url, block string, lines ...string) string {
	return record(block, append([]string{
		"WARC-Type: response", "WARC-Target-URI: " + url, "WARC-Date: 2020-01-02T03:04:05Z",
		"WARC-Record-ID: <urn:uuid:1>", "Content-Type: application/http; msgtype=response"}, lines...)...)
}

// arcRecord makes an ARC record.
func arcRecord(line, block string) string { return fmt.Sprintf("%s %d\n%s\n", line, len(block), block) }

// member compresses texts into a gzip member.
func member(texts ...string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for _, text := range texts {
		io.WriteString(w, text)
	}
	w.Close()
	return b.String()
}

// indexOf indexes a file: its lines and its faults.
func indexOf(t testing.TB, o Options, layout cdx.Layout, file string) (lines, faults []string) {
	t.Helper()
	x := New(o, Sink{
		Capture: func(c *cdx.Capture) error { lines = append(lines, string(layout.Append(nil, c))); return nil },
		Fault: func(offset int64, reason string) error {
			faults = append(faults, fmt.Sprintf("%d: %s", offset, reason))
			return nil
		},
		Count: func(string, int64) {},
	})
	if err := x.Archive(strings.NewReader(file), int64(len(file)), "f", "f"); err != nil {
		t.Fatal(err)
	}
	return lines, faults
}

const page = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<meta name=robots content=noindex>"

func TestCapturesOfRecords(t *testing.T) {
	const place = `, "length": "N", "offset": "0", "filename": "f"}`
	for name, step := range map[string]struct {
		file string
		want string // the line, its length as N
	}{
		"response":               {response("http://a.org/", page), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "text/html", "status": "200", "digest": "sha1:HIHMRXD4U72KJP5I74QE6NSNMBKWT2JR"` + place},
		"declared digest":        {response("http://a.org/", page, "WARC-Payload-Digest: blake3:x"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "text/html", "status": "200", "digest": "blake3:x"` + place},
		"no head":                {response("http://a.org/", "text"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "unk", "digest": "sha1:G4XKBDFLGPTRYAWGKHN4QOSHJUZMM5XK"` + place},
		"brackets and a space":   {response("<http://a.org/ b>", "HTTP/1.1 204 x\r\n\r\n"), `org,a)/%20b 20200102030405 {"url": "http://a.org/%20b", "mime": "unk", "status": "204", "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"` + place},
		"truncated":              {response("http://a.org/", page, "WARC-Truncated: length", "WARC-Identified-Payload-Type: text/x; a", "WARC-Payload-Digest: sha1:HIHMRXD4U72KJP5I74QE6NSNMBKWT2JR"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "text/html", "mime-detected": "text/x", "status": "200", "digest": "sha1:HIHMRXD4U72KJP5I74QE6NSNMBKWT2JR"` + strings.TrimSuffix(place, "}") + `, "truncated": "length", "robotflags": "I"}`},
		"redirect":               {response("http://a.org/", "HTTP/1.1 301 Moved\r\nLocation: /b c\r\nX-Robots-Tag: none\r\n\r\n"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "unk", "status": "301", "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"` + strings.TrimSuffix(place, "}") + `, "redirect": "/b c", "robotflags": "FI"}`},
		"revisit":                {record("HTTP/1.1 304 Not\r\n\r\n", "WARC-Type: revisit", "WARC-Target-URI: http://a.org/", "WARC-Date: 2020-01-02T03:04:05.678Z", "WARC-Payload-Digest: sha1:D2UUWXSOKUGR2JDC6XR2MJHHVQZXC2XG"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "warc/revisit", "status": "304", "digest": "sha1:D2UUWXSOKUGR2JDC6XR2MJHHVQZXC2XG"` + place},
		"revisit of nothing":     {record("", "WARC-Type: revisit", "WARC-Target-URI: http://a.org/", "WARC-Date: 2020-01-02T03:04:05Z"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "warc/revisit"` + place},
		"resource":               {record("abc", "WARC-Type: resource", "WARC-Target-URI: ftp://a.org/x", "WARC-Date: 2020-01-02", "Content-Type: image/png"), `org,a)/x 20200102000000 {"url": "ftp://a.org/x", "mime": "image/png", "digest": "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"` + place},
		"dns":                    {record("abc", "WARC-Type: response", "WARC-Target-URI: dns:a.org", "WARC-Date: 2020-01-02T03:04:05+01:00", "Content-Type: text/dns"), `dns:a.org 20200102020405 {"url": "dns:a.org", "mime": "text/dns", "digest": "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"` + place},
		"ARC":                    {arcRecord("http://a.org/ 1.2.3.4 20200102030405 text/plain", page), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "text/html", "status": "200", "digest": "sha1:HIHMRXD4U72KJP5I74QE6NSNMBKWT2JR"` + strings.TrimSuffix(place, "}") + `, "robotflags": "I"}`},
		"ARC without a type":     {arcRecord("http://a.org/ 1.2.3.4 20200102030405 no-type", "abc"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "unk", "digest": "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5"` + place},
		"bytes that are Latin-1": {response("http://a.org/", "HTTP/1.1 200 OK\r\nContent-Type: a/\xe9\r\n\r\n"), `org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "a/\u00e9", "status": "200", "digest": "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"` + place},
	} {
		for way, file := range map[string]string{"plain": step.file, "member": member(step.file)} {
			lines, faults := indexOf(t, Options{RobotFlags: strings.Contains(step.want, "robotflags")}, cdx.LayoutAll, file)
			length := len(file)
			if way == "plain" {
				length = len(file) - map[bool]int{true: 4, false: 1}[strings.HasPrefix(file, "WARC")]
			}
			want := strings.Replace(step.want, `"N"`, fmt.Sprintf(`"%d"`, length), 1)
			if diff := cmp.Diff([]string{want}, lines); diff != "" {
				t.Errorf("%s, %s:\n%s", name, way, diff)
			}
			if len(faults) > 0 {
				t.Errorf("%s, %s: %q", name, way, faults)
			}
		}
	}
}

func TestRecordsAreSelected(t *testing.T) {
	kind := func(kind, contentType string, lines ...string) string {
		return record("x", append([]string{"WARC-Type: " + kind, "WARC-Target-URI: http://a.org/" + kind + "/" + contentType, "WARC-Date: 2020-01-02T03:04:05Z", "Content-Type: " + contentType}, lines...)...)
	}
	file := record("software: x", "WARC-Type: warcinfo", "WARC-Date: 2020-01-02T03:04:05Z", "Content-Type: application/warc-fields") +
		kind("metadata", "application/warc-fields") + kind("metadata", "text/anvl") + kind("metadata", "application/json") +
		kind("resource", "application/warc-fields; charset=utf-8") + kind("conversion", "text/plain") + kind("resource", "text/css") +
		record("x", "WARC-Type: resource", "WARC-Date: 2020-01-02T03:04:05Z")
	for _, step := range []struct {
		options Options
		want    []string
	}{
		{Options{}, []string{"metadata/application/json", "resource/text/css"}},
		{Options{CrawlMetadata: true}, []string{"metadata/application/warc-fields", "metadata/text/anvl", "metadata/application/json", "resource/application/warc-fields;%20charset=utf-8", "resource/text/css"}},
		{Options{Types: []string{"conversion"}}, []string{"conversion/text/plain"}},
	} {
		lines, faults := indexOf(t, step.options, cdx.LayoutCDX9, file)
		var got []string
		for _, line := range lines {
			got = append(got, strings.TrimPrefix(strings.Split(line, " ")[2], "http://a.org/"))
		}
		if diff := cmp.Diff(step.want, got); diff != "" || len(faults) > 0 {
			t.Errorf("%+v: faults %q\n%s", step.options, faults, diff)
		}
	}
}

func TestTypesOfRecords(t *testing.T) {
	if got, err := ParseTypes("response,conversion"); err != nil || !cmp.Equal(got, []string{"response", "conversion"}) {
		t.Errorf("%q, %v", got, err)
	}
	for _, list := range []string{"", "warcinfo", "response,", "Response"} {
		if got, err := ParseTypes(list); err == nil {
			t.Errorf("%q was taken for %q", list, got)
		}
	}
}

// TestFaultsAreToldAndCostNothingElse puts what is wrong between two good records.
func TestFaultsAreToldAndCostNothingElse(t *testing.T) {
	good := response("http://a.org/", page)
	lie := "sha1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	broken := []byte(member(response("http://b.org/", page)))
	broken[len(broken)-6] ^= 1
	for name, step := range map[string]struct {
		file    string
		options Options
		want    []string // of the faults, without the place
		lines   int
	}{
		"no date":      {record(page, "WARC-Type: response", "WARC-Target-URI: http://b.org/", "WARC-Date: yesterday"), Options{}, []string{`no date that can be read: "yesterday"`}, 2},
		"checksum":     {string(broken), Options{}, []string{"bad-checksum: checksum or size of the gzip member do not fit"}, 2},
		"lie":          {response("http://b.org/", page, "WARC-Payload-Digest: "+lie), Options{VerifyDigests: true}, []string{"WARC-Payload-Digest " + lie + ", but the data have sha1:HIHMRXD4U72KJP5I74QE6NSNMBKWT2JR"}, 3},
		"block alone":  {response("http://b.org/", page, "WARC-Block-Digest: "+lie), Options{VerifyDigests: true}, []string{"WARC-Block-Digest " + lie + ", but the data have sha1:DHOLTB3LDEZB4ANI6SHOTCQA3L4PAXJN"}, 3},
		"no digests":   {response("http://b.org/", page, "WARC-Block-Digest: sha1:", "WARC-Payload-Digest: x"), Options{VerifyDigests: true}, []string{`WARC-Block-Digest "sha1:" is malformed`, `WARC-Payload-Digest "x" is malformed`}, 3},
		"lie believed": {response("http://b.org/", page, "WARC-Payload-Digest: "+lie), Options{}, nil, 3},
		"shared":       {member(good, good, good), Options{}, []string{"in one gzip member with the record before, so that no offset leads to them: 2"}, 3},
	} {
		file := member(good) + step.file + member(good)
		if strings.HasPrefix(step.file, "WARC") {
			file = member(good) + member(step.file) + member(good)
		}
		lines, faults := indexOf(t, step.options, cdx.LayoutCDXJ, file)
		for i, f := range faults {
			place, reason, _ := strings.Cut(f, ": ")
			if want := fmt.Sprint(len(member(good))); place != want {
				t.Errorf("%s: fault at %s, want %s", name, place, want)
			}
			faults[i] = reason
		}
		if diff := cmp.Diff(step.want, faults); diff != "" {
			t.Errorf("%s:\n%s", name, diff)
		}
		if len(lines) != step.lines {
			t.Errorf("%s: %d lines, want %d: %q", name, len(lines), step.lines, lines)
		}
		if without, _ := indexOf(t, Options{}, cdx.LayoutCDXJ, file); !slices.Equal(lines, without) {
			t.Errorf("%s: %q, without options %q", name, lines, without)
		}
	}
}

func TestErrorsOfTheSinkEndTheReading(t *testing.T) {
	full := fmt.Errorf("disk full")
	x := New(Options{}, Sink{Capture: func(*cdx.Capture) error { return full }, Fault: func(int64, string) error { return nil }, Count: func(string, int64) {}})
	file := response("http://a.org/", page)
	if err := x.Archive(strings.NewReader(file), int64(len(file)), "f", "f"); err != full {
		t.Errorf("%v, want %v", err, full)
	}
}

// TestLargeRecordsAreStreamed indexes a record of 256 MiB and looks at what was
// allocated for it.
func TestLargeRecordsAreStreamed(t *testing.T) {
	const size = 256 << 20
	head := fmt.Sprintf("WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://a.org/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nContent-Length: %d\r\n\r\n", size)
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(w, io.MultiReader(strings.NewReader(head), io.LimitReader(zeros{}, size), strings.NewReader("\r\n\r\n")))
	w.Close()
	file := b.String() + member(response("http://b.org/", page))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lines, faults := indexOf(t, Options{}, cdx.LayoutCDXJ, file)
	runtime.ReadMemStats(&after)
	if used := after.TotalAlloc - before.TotalAlloc; used > 48<<20 {
		t.Errorf("%d bytes were allocated for a record of %d", used, size)
	}
	want := fmt.Sprintf(`org,a)/ 20200102030405 {"url": "http://a.org/", "mime": "unk", "digest": "sha1:POI5XXCWYV4B5X3MRBD3JKTJMVLGYXDV", "length": "%d", "offset": "0", "filename": "f"}`, b.Len())
	if len(lines) != 2 || lines[0] != want || len(faults) > 0 {
		t.Errorf("%q, want %q; faults %q", lines, want, faults)
	}
}

// FuzzArchive indexes files of any bytes: no panic, lines that are one line and can
// be read again, offsets within the file.
func FuzzArchive(f *testing.F) {
	f.Add([]byte(response("http://a.org/", page)+response("http://b.org/", page)), false)
	f.Add([]byte(arcRecord("http://a.org/ 1.2.3.4 20200102030405 text/plain", page)), true)
	f.Add([]byte(record("POST /a HTTP/1.1\r\nContent-Type: application/json\r\n\r\n{\"a\": 1}", "WARC-Type: request", "WARC-Target-URI: http://a.org/", "WARC-Date: 2020-01-02T03:04:05Z", "WARC-Record-ID: <urn:uuid:2>", "WARC-Concurrent-To: <urn:uuid:1>")), true)
	f.Fuzz(func(t *testing.T, data []byte, compressed bool) {
		file := string(data)
		if compressed {
			file = member(file)
		}
		o := Options{Types: allTypes, CrawlMetadata: true, PostAppend: true, RobotFlags: true, VerifyDigests: true}
		lines, _ := indexOf(t, o, cdx.LayoutAll, file)
		var p cdx.Parser
		var c cdx.Capture
		for _, line := range lines {
			if err := p.Parse([]byte(line), &c); err != nil || strings.ContainsAny(line, "\n\r\t") {
				t.Fatalf("%q: %v", line, err)
			}
			if c.Offset < 0 || c.Offset+max(c.Length, 0) > int64(len(file)) || c.Length > math.MaxInt32 || len(c.Timestamp) != 14 {
				t.Fatalf("%q of a file of %d bytes", line, len(file))
			}
		}
	})
}
