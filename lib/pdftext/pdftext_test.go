package pdftext

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// makeDocument writes a PDF document of objects, numbered from 1, of which the first is
// the catalog.
func makeDocument(objects ...string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var offsets []int
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	begin := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, begin)
	return b.Bytes()
}

func stream(dictionary, data string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dictionary, len(data), data)
}

const (
	catalog = "<< /Type /Catalog /Pages 2 0 R >>"
	pages   = "<< /Type /Pages /Kids [3 0 R] /Count 1 >>"
)

// page makes a document of one page with a content; the font F is object 5, further
// objects are numbered from 6.
func page(content, font string, more ...string) []byte {
	resources := "/Font << /F 5 0 R >>"
	if len(more) > 0 {
		resources += " /XObject << /X 6 0 R >>"
	}
	return makeDocument(append([]string{
		catalog, pages,
		"<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << " + resources + " >> >>",
		stream("", content), font,
	}, more...)...)
}

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"

func TestText(t *testing.T) {
	composite := "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /Subtype /CIDFontType2 /DW 500 /W [3 [250] 36 38 700] >>] >>"
	cmap := stream("", "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n/CMapType 2 def\n1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n"+
		"2 beginbfchar\n<0003> <0020>\n<0030> <D83DDE00>\nendbfchar\n2 beginbfrange\n<0024> <0026> <0041>\n<0040> <0041> [<0066006A> <03B1>]\nendbfrange\nendcmap\nend end")
	type3 := "<< /Type /Font /Subtype /Type3 /FontMatrix [0.01 0 0 0.01 0 0] /FontBBox [0 0 60 100] /FirstChar 97 /LastChar 99 /Widths [50 50 50] /Encoding << /Differences [97 /a /b /c] >> /CharProcs << >> >>"
	differences := "<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /uni20AC /Delta 66 /beta /u1F600.alt] >> >>"
	form := stream("/Type /XObject /Subtype /Form /Matrix [1 0 0 1 0 -50] /Resources << /Font << /F 5 0 R >> >>", "BT /F 10 Tf 0 0 Td (inside) Tj ET")
	for _, c := range []struct{ name, want, content, font string }{
		{"one string", "Hello", "BT /F 12 Tf 50 700 Td (Hello) Tj ET", helvetica},
		{"lines", "one\ntwo\nthree\nfour\nfive", "BT /F 12 Tf 14 TL 50 700 Td (one) Tj T* (two) Tj (three) ' 1 0 (four) \" 0 -14 TD (five) Tj ET", helvetica},
		{"kerning is no space, a gap is", "Way to go", "BT /F 12 Tf 50 700 Td [(W) 80 (ay) -300 (to) -250 (g) 20 (o)] TJ ET", helvetica},
		{"words at places of their own", "two words", "BT /F 12 Tf 1 0 0 1 50 700 Tm (two) Tj 1 0 0 1 72 700 Tm (words) Tj ET", helvetica},
		{"letters at places of their own", "abc", "BT /F 10 Tf 1 0 0 1 50 700 Tm (a) Tj 1 0 0 1 55 700 Tm (b) Tj 1 0 0 1 60 700 Tm (c) Tj ET", helvetica},
		{"a superscript stays in its line", "x2 + y", "BT /F 12 Tf 50 700 Td (x) Tj /F 8 Tf 4 Ts (2) Tj 0 Ts /F 12 Tf ( + y) Tj ET", helvetica},
		{"spacing of words and characters", "a b c", "BT /F 10 Tf 1 Tc 5 Tw 80 Tz 50 700 Td (a b c) Tj ET", helvetica},
		{"turned", "up wards", "BT /F 12 Tf 0 1 -1 0 50 100 Tm (up wards) Tj ET", helvetica},
		{"graphics states", "here\nthere", "q 2 0 0 2 10 10 cm BT /F 6 Tf 10 300 Td (here) Tj ET Q BT /F 12 Tf 0 100 Td (there) Tj ET", helvetica},
		{"Windows-1252", "“café” €", "BT /F 12 Tf (\\223caf\\351\\224 \\200) Tj ET", helvetica},
		{"differences", "fi€∆\nβ😀 A", "BT /F 12 Tf 0 50 Td (\\001\\002\\003) Tj 0 -20 Td (BC A) Tj ET", differences},
		{"composite, by ToUnicode", "A BC fjα😀", "BT /F 12 Tf <0024000300250026000300400041> Tj <0030> Tj ET", composite},
		{"Type 3", "ab c", "BT /F 10 Tf 0 0 Td (ab) Tj 12 0 Td (c) Tj ET", type3},
		{"a form", "outside\ninside", "BT /F 10 Tf 0 0 Td (outside) Tj ET /X Do", helvetica},
		{"operands that lack", "ok", "BT Tj /F Tf cm Td /F 12 Tf (ok) Tj Q Q ET", helvetica},
		{"no font", "", "BT (lost) Tj /G 12 Tf (lost, too) Tj ET", helvetica},
	} {
		more := []string{form}
		if strings.HasPrefix(c.name, "composite") {
			more = []string{cmap}
		}
		text, err := Text(page(c.content, c.font, more...))
		if got := strings.TrimSpace(string(text)); got != c.want || err != nil {
			t.Errorf("%s: %q, %v, want %q", c.name, got, err, c.want)
		}
	}
}

func TestPages(t *testing.T) {
	one := func(text string) string { return stream("", "BT /F 12 Tf ("+text+") Tj ET") }
	doc := func(second string) []byte {
		return makeDocument(catalog, "<< /Type /Pages /Kids [3 0 R 6 0 R] /Count 3 /Resources << /Font << /F 5 0 R >> >> >>",
			"<< /Type /Page /Contents 4 0 R >>", one("first"), helvetica,
			"<< /Type /Pages /Kids [7 0 R 9 0 R] /Count 2 >>", "<< /Type /Page /Contents 8 0 R >>", second,
			"<< /Type /Page /Contents [10 0 R 11 0 R] >>", one("third"), one(" goes on"))
	}
	text, err := Text(append([]byte("junk before it\n"), doc(one("second"))...))
	if want := "first\n\nsecond\n\nthird goes on\n"; string(text) != want || err != nil {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
	text, err = Text(doc(stream("", "BT /F 12 Tf (sec) Tj (o \\9) Tj ET")))
	if want := "first\n\nsec\n\nthird goes on\n"; string(text) != want || err == nil {
		t.Errorf("a damaged page: %q, %v, want %q and an error", text, err, want)
	}
}

func TestNoDocument(t *testing.T) {
	loop := string(page("BT /F 12 Tf (kept) Tj ET /X Do", helvetica, stream("/Subtype /Form /Resources << /XObject << /X 6 0 R >> >>", "/X Do")))
	for _, c := range []struct {
		name, data, text string
		want             error
	}{
		{"empty", "", "", ErrNoDocument},
		{"HTML", "<html>", "", ErrNoDocument},
		{"header alone", "%PDF-1.4\n", "", nil},
		{"cut off", string(page("BT /F 12 Tf (lost) Tj ET", helvetica)[:300]), "", nil},
		{"a form within itself", loop, "kept\n", ErrTooLarge},
		{"pages within themselves", string(makeDocument(catalog, "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 2 >>")), "", ErrTooLarge},
	} {
		text, err := Text([]byte(c.data))
		if err == nil || c.want != nil && !errors.Is(err, c.want) || string(text) != c.text {
			t.Errorf("%s: %q, %v, want %q, %v", c.name, text, err, c.text, c.want)
		}
	}
}

func TestServe(t *testing.T) {
	quoted := func(data []byte) string { return `"` + base64.StdEncoding.EncodeToString(data) + `"` + "\n" }
	var out bytes.Buffer
	in := quoted(page("BT /F 12 Tf (a < b) Tj ET", helvetica)) + "\"?\"\n\n" + quoted([]byte("text"))
	if err := Serve(strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var answers []Answer
	for line := range strings.Lines(out.String()) {
		var a Answer
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
	if len(answers) != 3 || answers[0] != (Answer{Text: "a < b\n"}) || !strings.Contains(answers[1].Error, "Base64") || answers[2].Error != ErrNoDocument.Error() {
		t.Errorf("%+v", answers)
	}
}
