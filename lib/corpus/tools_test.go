package corpus

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestOtherToolsReadTheCorpus has warcio and FastWARC check all digests and pywb
// make the indexes.
func TestOtherToolsReadTheCorpus(t *testing.T) {
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON does not name a python with warcio, FastWARC and pywb")
	}
	o := small()
	o.Requests = true
	dir, totals := makeCorpus(t, o)
	files, err := filepath.Glob(filepath.Join(dir, "archives", "*"))
	if err != nil {
		t.Fatal(err)
	}
	warcs := slices.DeleteFunc(slices.Clone(files), func(name string) bool { return strings.Contains(name, ".arc") })
	run := func(program string, arguments ...string) string {
		t.Helper()
		c := exec.Command(python, append([]string{"-W", "ignore", "-c", program}, arguments...)...)
		var out, errs bytes.Buffer
		c.Stdout, c.Stderr = &out, &errs
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %s%s", err, out.String(), errs.String())
		}
		return out.String()
	}
	if out := run("from warcio.cli import main; main()", append([]string{"check"}, files...)...); out != "" {
		t.Errorf("warcio check:\n%s", out)
	}
	const count = `import sys
from fastwarc.warc import ArchiveIterator, WarcRecordType as T
for kind in T.response, T.revisit, T.request, T.warcinfo:
    n = 0
    for name in sys.argv[1:]:
        for r in ArchiveIterator(open(name, "rb"), record_types=kind, parse_http=False):
            assert kind == T.warcinfo or r.verify_block_digest(), r.record_id
            n += 1
    print(n)
`
	n := o.Records / 2 // the other half lies in ARC files
	want := fmt.Sprintf("%d\n%d\n%d\n%d\n", n-totals.Revisits, totals.Revisits, n, len(warcs))
	if diff := cmp.Diff(want, run(count, warcs...)); diff != "" {
		t.Errorf("FastWARC's responses, revisits, requests and warcinfos:\n%s", diff)
	}
	const index = "from pywb.indexer.cdxindexer import main; main()"
	for name, form := range map[string][]string{"index.cdx": {"-s"}, "index.cdxj": {"-s", "-j"}} {
		own := content(t, dir)[name]
		if diff := cmp.Diff(run(index, append(form, files...)...), own); diff != "" {
			t.Errorf("pywb's %s:\n%s", name, diff)
		}
	}
}

func BenchmarkRecord(b *testing.B) {
	o := small()
	o.MinSize, o.MaxSize = 2000, 60000
	m, err := newMaker(b.TempDir(), &Options{Records: b.N + 1, Hosts: 100, Format: "warc", Compress: true, FileSize: 1})
	if err != nil {
		b.Fatal(err)
	}
	r, err := newRecorder(m.crawl.web, &o)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for c := range m.crawl.captures() {
		if c.number == b.N {
			break
		}
		if _, err := r.make(c); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(r.record.Len()))
	}
}
