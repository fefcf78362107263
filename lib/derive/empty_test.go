package derive

import (
	"fmt"
	"strings"
	"testing"
)

// A page without a byte has no META record, and nothing of META in the index.
func TestEmptyPage(t *testing.T) {
	block := "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 0\r\n\r\n"
	path := write(t, "empty.warc", fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-000000000001>\r\n"+
		"WARC-Target-URI: http://a.example/\r\nWARC-Date: 2020-01-02T03:04:05Z\r\nContent-Type: application/http\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(block), block))
	records, index, rejects := derive(t, path)
	if len(records[META]) != 0 || len(records[WAT]) != 1 {
		t.Errorf("META %v, WAT %v: %s", records[META], records[WAT], rejects)
	}
	for _, member := range []string{"soft-404-detected", "mime-detected", "puid", "charset", "languages"} {
		if strings.Contains(index, `"`+member+`"`) || !strings.Contains(index, `"url"`) {
			t.Errorf("%s in the index: %s", member, index)
		}
	}
}
