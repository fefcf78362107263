package enrich

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"archivestream/lib/pdftext"
)

// TestMain lets the tests' own program be the one that reads PDF documents.
func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == readPDFs {
		if err := pdftext.Serve(os.Stdin, os.Stdout); err != nil {
			panic(err)
		}
		return
	}
	os.Exit(m.Run())
}

func soundPDF(t *testing.T) []byte {
	t.Helper()
	data, err := os.ReadFile("../pdftext/testdata/pages.pdf")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// pdfs derives the texts of payloads, a record each, and gives the lines of the output.
func pdfs(t *testing.T, timeout time.Duration, payloads ...[]byte) ([]string, result) {
	t.Helper()
	var a archive
	for i, p := range payloads {
		a.add(t, fmt.Sprintf("http://example.com/%d", i), "application/pdf", "HTTP/1.1 200 OK\r\n\r\n"+string(p))
	}
	r := a.run(t, MapperOptions{Options: Options{Enrich: []string{"pdf,pdf.length"}}, Workers: 2, Timeout: timeout})
	lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
	if r.err != nil || r.rejects != "" || len(lines) != len(payloads) {
		t.Fatalf("%v, %s, %d lines, want %d", r.err, r.rejects, len(lines), len(payloads))
	}
	return lines, r
}

const soundText = `"payload":{"pdf":{"_":"First page\n\nSecond page\n","length":24}}}`

func TestPDF(t *testing.T) {
	lines, _ := pdfs(t, time.Minute, soundPDF(t), []byte("<html>"), []byte("%PDF-1.4\n"), soundPDF(t))
	for i, want := range []string{soundText, `"meta":"-"}}`, `"error":{"payload.pdf":"`, soundText} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %s, want %s", i, lines[i], want)
		}
	}
}

// TestPDFThatDoesHarm has documents that loop and take all memory next to sound ones,
// which are read all the same.
func TestPDFThatDoesHarm(t *testing.T) {
	sound := soundPDF(t)
	// A string in hexadecimal digits that the content does not end.
	loops := bytes.Replace(sound, []byte("(First page) Tj ET"), []byte("<0123456789abcdef0"), 1)
	// A table of cross references for more objects than there is memory.
	greedy := []byte("%PDF-1.5\n1 0 obj\n<< /Type /XRef /Size 900000000 /W [1 1 1] /Root 1 0 R /Length 0 >>\nstream\n\nendstream\nendobj\nstartxref\n9\n%%EOF\n")
	lines, r := pdfs(t, 2*time.Second, sound, loops, sound, greedy, sound)
	for i, want := range []string{soundText, "gave no answer in 2s", soundText, "program ended (", soundText} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("line %d: %s, want %s", i, lines[i], want)
		}
	}
	if !strings.Contains(r.messages, "starts of programs,3") {
		t.Errorf("%s", r.messages)
	}
}

// TestPDFDamage changes bytes of documents: each record has a text or an error.
func TestPDFDamage(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	payloads := [][]byte{soundPDF(t)}
	for range 400 {
		p := soundPDF(t)
		for range 1 + random.IntN(3) {
			p[len("%PDF-")+random.IntN(len(p)-len("%PDF-"))] = " 0<(>[/\xff"[random.IntN(8)]
		}
		payloads = append(payloads, p)
	}
	lines, _ := pdfs(t, time.Second, payloads...)
	texts, failed := 0, 0
	for i, line := range lines {
		text, err := strings.Contains(line, `"pdf":{"_":`), strings.Contains(line, `"error":{"payload.pdf`)
		if !text && !err {
			t.Errorf("line %d: %s", i, line)
		}
		if text {
			texts++
		}
		if err {
			failed++
		}
	}
	if texts < 50 || failed < 20 {
		t.Errorf("%d texts, %d errors", texts, failed)
	}
}
