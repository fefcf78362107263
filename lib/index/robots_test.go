package index

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"

	"archivestream/lib/cdx"
)

// TestRobotFlagsOfCodedPages looks for meta tags in pages with codings, the digest of
// which stays that of the bytes as they were transferred.
func TestRobotFlagsOfCodedPages(t *testing.T) {
	page := `<head><meta name="robots" content="noindex,noarchive"></head>` + strings.Repeat("<p>text", 50_000)
	var zipped, small bytes.Buffer
	z, b := gzip.NewWriter(&zipped), brotli.NewWriter(&small)
	z.Write([]byte(page))
	b.Write([]byte(page))
	z.Close()
	b.Close()
	in := strings.Index(page, "index")
	chunked := fmt.Sprintf("%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", in, page[:in], len(page)-in, page[in:])
	for name, body := range map[string][2]string{
		"gzip":          {"Content-Encoding: gzip", zipped.String()},
		"cut off":       {"Content-Encoding: gzip", zipped.String()[:zipped.Len()/2]},
		"br":            {"content-encoding: br", small.String()},
		"chunked":       {"Transfer-Encoding: chunked", chunked},
		"taken off":     {"Content-Encoding: gzip", page},
		"both":          {"Transfer-Encoding: chunked\r\nContent-Encoding: gzip", fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", zipped.Len(), &zipped)},
		"several times": {"Content-Encoding: identity\r\nContent-Encoding: gzip", zipped.String()},
	} {
		block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n" + body[0] + "\r\n\r\n" + body[1]
		with, faults := indexOf(t, Options{RobotFlags: true}, cdx.LayoutAll, response("http://a.org/", block))
		without, _ := indexOf(t, Options{}, cdx.LayoutAll, response("http://a.org/", block))
		if len(with) != 1 || len(faults) > 0 {
			t.Fatalf("%s: %q, %q", name, with, faults)
		}
		if want := strings.TrimSuffix(without[0], "}") + `, "robotflags": "AI"}`; with[0] != want {
			t.Errorf("%s: %s, want %s", name, with[0], want)
		}
	}
}
