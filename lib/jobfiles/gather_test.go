package jobfiles

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"strings"
	"testing"
)

func zipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestNamesOfCompressedFiles wants that the names of files of lines tell whether they
// are gzip, and that those of archives need not.
func TestNamesOfCompressedFiles(t *testing.T) {
	const (
		warc    = "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"
		cdx     = "com,a)/ 20200102030405 http://a.com/ text/html 200 AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA - - 100 0 a.warc.gz\n"
		notGzip = "the name ends in .gz, but the file is not gzip"
		isGzip  = "the file is gzip, but its name does not end in .gz"
	)
	// An archive whose first member is damaged is known by its name.
	damaged := zipped(t, strings.Repeat(warc, 20))
	damaged = damaged[:10] + "\xff\xff\xff\xff" + damaged[14:]
	for _, c := range []struct{ role, name, content, want string }{
		{"archives", "a.warc.gz.open", zipped(t, warc), ""},
		{"archives", "a.warc", zipped(t, warc), ""},
		{"archives", "a.warc.gz", warc, ""},
		{"archives", "empty.warc.gz.open", zipped(t, ""), ""},
		{"archives", "empty.warc.gz", "\r\n", ""},
		{"archives", "damaged.warc.gz.open", damaged, ""},
		{"links", "a.warc.gz.open", zipped(t, warc), ""},
		{"links", "empty.warc.gz.open", zipped(t, ""), ""},
		{"index", "a.cdx", zipped(t, cdx), isGzip},
		{"index", "a.cdx.gz", cdx, notGzip},
		{"index", "empty.cdx", zipped(t, ""), isGzip},
		{"index", "a.cdx.gz", zipped(t, cdx), ""},
	} {
		output := t.TempDir() + "/out"
		in := strings.TrimSuffix(output, "out") + c.name
		write(t, in, c.content)
		status, want := 0, ""
		if c.want != "" {
			status, want = statusUsage, "try.sh: error: --input "+in+": "+c.want+"\n"
		}
		_, said := call(t, status, "begin", output, "job=try.sh", "mode=new", fmt.Sprint("pid=", os.Getpid()), "engine=hadoop",
			"option=--input", "takes="+c.role, "input="+in)
		if !strings.HasPrefix(said, want) || want == "" && said != "" {
			t.Errorf("%s, %s: said %q, want %q", c.role, c.name, said, want)
		}
	}
}
