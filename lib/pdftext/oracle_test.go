package pdftext

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// readByOthers gives a line for each PDF document in archive files, or that a file is:
// its bytes and its text as pypdf has it.
const readByOthers = `
import base64, io, json, sys
import pypdf
from warcio.archiveiterator import ArchiveIterator

def documents(name):
    with open(name, "rb") as file:
        if name.endswith(".pdf"):
            yield file.read()
            return
        for record in ArchiveIterator(file, arc2warc=True):
            if record.rec_type == "response" and record.http_headers:
                if record.http_headers.get_header("Content-Type", "").startswith("application/pdf"):
                    yield record.content_stream().read()

for name in sys.argv[1:]:
    for data in documents(name):
        text = "\n".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(data)).pages)
        print(json.dumps({"data": base64.b64encode(data).decode(), "text": text}))
`

// TestOraclePDF holds the words of documents against pypdf's, those of ARCHIVESTREAM_DATA
// too.
func TestOraclePDF(t *testing.T) {
	python := os.Getenv("ARCHIVESTREAM_PYTHON")
	if python == "" {
		t.Skip("ARCHIVESTREAM_PYTHON does not name a python with pypdf and warcio")
	}
	names, err := filepath.Glob(filepath.Join("testdata", "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	least := len(names)
	if data := os.Getenv("ARCHIVESTREAM_DATA"); data != "" {
		real, err := filepath.Glob(filepath.Join(data, "archives", "*", "*pdf*arc*"))
		if err != nil {
			t.Fatal(err)
		}
		names, least = append(names, real...), least+len(real)
	}
	c := exec.Command(python, append([]string{"-W", "ignore", "-c", readByOthers}, names...)...)
	c.Stderr = os.Stderr
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for line := range strings.Lines(string(out)) {
		var document struct {
			Data []byte
			Text string
		}
		if err := json.Unmarshal([]byte(line), &document); err != nil {
			t.Fatal(err)
		}
		text, err := Text(document.Data)
		if err != nil {
			t.Errorf("document %d: %v", read, err)
		}
		ours, theirs := words(string(text)), words(document.Text)
		common, all := 0, 0
		for w := range union(ours, theirs) {
			common += min(ours[w], theirs[w])
			all += max(ours[w], theirs[w])
		}
		if t.Logf("document %d: %d of %d words", read, common, all); all == 0 || float64(common) < 0.98*float64(all) {
			t.Errorf("document %d: %d of %d words in common", read, common, all)
		}
		read++
	}
	if read < least {
		t.Errorf("%d documents, want at least %d", read, least)
	}
}

// words counts those of a text, ligatures taken apart.
func words(text string) map[string]int {
	counts := map[string]int{}
	for _, w := range strings.FieldsFunc(norm.NFKC.String(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		counts[w]++
	}
	return counts
}

func union(a, b map[string]int) map[string]bool {
	all := map[string]bool{}
	for w := range a {
		all[w] = true
	}
	for w := range b {
		all[w] = true
	}
	return all
}
