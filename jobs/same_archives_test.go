package jobs

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"strings"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"
)

// A madeFile is an archive file in the making, with what is odd about archives: each
// kind of record, encoding, character set, size around those of buffers.
type madeFile struct {
	*random
	arc     bool
	packing string // member, one or plain
	out     bytes.Buffer
	whole   bytes.Buffer // of one member
	level   int
	earlier []response // that revisits can refer to
	number  int
}

type response struct {
	url, date, digest string
	block             []byte
}

// madeArchive makes the archive file of a seed.
func madeArchive(seed uint64) (name string, content []byte) {
	m := &madeFile{random: newRandom(seed, 4)}
	m.arc, m.packing = m.chance(30), pick(m.random, "member", "member", "member", "one", "plain")
	m.level = pick(m.random, gzip.BestSpeed, gzip.DefaultCompression, gzip.BestCompression, gzip.NoCompression, gzip.HuffmanOnly, gzip.StatelessCompression)
	name = fmt.Sprintf("made-%d.warc", seed)
	if m.arc {
		name = fmt.Sprintf("made-%d.arc", seed)
		head := "1 0 made\nURL IP-address Archive-date Content-type Archive-length\n"
		m.member(fmt.Appendf(nil, "filedesc://%s 0.0.0.0 20200101000000 text/plain %d\n%s", name, len(head), head), "\n")
	} else if m.chance(80) {
		m.warc("warcinfo", "", "application/warc-fields", []byte("software: made\r\n"), nil)
	}
	for n, most := 0, pick(m.random, 3, 10, 30); n < most && m.out.Len()+m.whole.Len() < 600_000; n++ {
		m.record()
	}
	switch m.packing {
	case "plain":
		return name, m.out.Bytes()
	case "one":
		m.squeeze(m.whole.Bytes())
	}
	return name + ".gz", m.out.Bytes()
}

// member adds a record and what ends it.
func (m *madeFile) member(record []byte, end string) {
	record = append(record, end...)
	switch m.packing {
	case "plain":
		m.out.Write(record)
	case "one":
		m.whole.Write(record)
	default:
		m.squeeze(record)
	}
}

func (m *madeFile) squeeze(data []byte) {
	z, _ := gzip.NewWriterLevel(&m.out, m.level)
	z.Write(data)
	z.Close()
}

func (m *madeFile) warc(kind, url, contentType string, block []byte, fields []string) {
	m.number++
	var b bytes.Buffer
	fmt.Fprintf(&b, "WARC/1.%d\r\nWARC-Type: %s\r\n", m.IntN(2), kind)
	if url != "" {
		fmt.Fprintf(&b, "WARC-Target-URI: %s\r\n", url)
	}
	fmt.Fprintf(&b, "WARC-Date: %s\r\nWARC-Record-ID: <urn:uuid:00000000-0000-0000-0000-%012d>\r\n", m.date().Format(time.RFC3339), m.number)
	for _, f := range fields {
		b.WriteString(f + "\r\n")
	}
	if contentType != "" {
		fmt.Fprintf(&b, "Content-Type: %s\r\n", contentType)
	}
	fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n", len(block))
	b.Write(block)
	m.member(b.Bytes(), "\r\n\r\n")
}

func (m *madeFile) date() time.Time {
	return time.Date(2008, 4, 30, 20, 48, 0, 0, time.UTC).Add(time.Duration(m.number) * 37 * time.Hour)
}

func (m *madeFile) url() string {
	if len(m.earlier) > 0 && m.chance(25) {
		return pick(m.random, m.earlier...).url
	}
	return pick(m.random, "http://www.example.com/", "https://garden.example/a/b?x=1&y=2", "http://example.org:8080/~u/", "http://münchen.example/straße") +
		fmt.Sprint(m.IntN(50))
}

// record adds a record of any kind.
func (m *madeFile) record() {
	if m.arc {
		m.number++
		url, block, _ := m.response()
		m.member(fmt.Appendf(nil, "%s 192.0.2.%d %s %s %d\n%s", url, m.IntN(256), m.date().Format("20060102150405"), pick(m.random, "text/html", "no-type", "image/png"), len(block), block), "\n")
		return
	}
	switch at := m.IntN(100); {
	case at < 60:
		url, block, payload := m.response()
		fields := []string{}
		if m.chance(70) {
			fields = append(fields, "WARC-Payload-Digest: sha1:"+digestOf(payload))
		}
		m.earlier = append(m.earlier, response{url, m.date().Format(time.RFC3339), digestOf(payload), block})
		m.warc("response", url, "application/http; msgtype=response", block, fields)
	case at < 78:
		m.revisit()
	case at < 85:
		m.warc("request", m.url(), "application/http; msgtype=request", []byte("GET / HTTP/1.1\r\nHost: example.com\r\n\r\n"), nil)
	case at < 92:
		m.warc(pick(m.random, "resource", "conversion"), m.url(), pick(m.random, "text/plain", "text/html", "image/png", ""), m.payload(), nil)
	default:
		m.warc("metadata", m.url(), "application/warc-fields", []byte("via: http://example.com/\r\noutlink: http://a.example/ L a/@href\r\n"), nil)
	}
}

func digestOf(payload []byte) string {
	sum := sha1.Sum(payload)
	return base32.StdEncoding.EncodeToString(sum[:])
}

// revisit refers to an earlier response in one of the ways that there are.
func (m *madeFile) revisit() {
	if len(m.earlier) == 0 || m.chance(10) {
		m.earlier = append(m.earlier, response{"http://gone.example/", "2001-01-01T00:00:00Z", digestOf([]byte("gone")), []byte("HTTP/1.1 200 OK\r\n\r\n")})
	}
	from := pick(m.random, m.earlier...)
	fields := []string{"WARC-Profile: http://netpreserve.org/warc/1.0/revisit/identical-payload-digest", "WARC-Payload-Digest: sha1:" + from.digest}
	block, _, _ := bytes.Cut(from.block, []byte("\r\n\r\n"))
	block = append(bytes.Clone(block), "\r\n\r\n"...)
	if m.chance(20) {
		fields[0] = "WARC-Profile: http://netpreserve.org/warc/1.0/revisit/server-not-modified"
		block = []byte("HTTP/1.1 304 Not Modified\r\nETag: \"x\"\r\n\r\n")
	}
	if m.chance(50) {
		fields = append(fields, "WARC-Refers-To-Target-URI: "+from.url, "WARC-Refers-To-Date: "+from.date)
	}
	if m.chance(20) {
		block = nil
	}
	url := from.url
	if m.chance(30) {
		url = m.url()
	}
	m.warc("revisit", url, "application/http; msgtype=response", block, fields)
}

// response makes an HTTP response. payload is its body as it is sent.
func (m *madeFile) response() (url string, block, payload []byte) {
	status := pick(m.random, "200 OK", "200 OK", "200 OK", "302 Found", "304 Not Modified", "404 Not Found", "500 Oops")
	content, kind := m.content()
	if strings.HasPrefix(status, "30") && m.chance(80) {
		content = nil
	}
	head := "HTTP/1.1 " + status + "\r\n"
	if kind != "" {
		head += "Content-Type: " + kind + "\r\n"
	}
	if strings.HasPrefix(status, "302") {
		head += "Location: /elsewhere\r\n"
	}
	payload = content
	if len(content) > 0 || m.chance(10) {
		coding := pick(m.random, "", "", "", "gzip", "deflate", "br", "zstd", "wrong", "gzip, gzip")
		payload = m.encode(content, coding)
		if coding != "" {
			head += "Content-Encoding: " + strings.ReplaceAll(coding, "wrong", "gzip") + "\r\n"
		}
	}
	if m.chance(25) {
		head += "Transfer-Encoding: chunked\r\n"
		payload = m.chunked(payload)
	} else if m.chance(70) {
		head += fmt.Sprintf("Content-Length: %d\r\n", len(payload))
	}
	if m.chance(30) {
		head += "X-Odd: a\r\nX-Odd: b\r\n folded\r\n"
	}
	return m.url(), append([]byte(head+"\r\n"), payload...), payload
}

func (m *madeFile) encode(content []byte, coding string) []byte {
	var b bytes.Buffer
	switch coding {
	case "gzip":
		z, _ := gzip.NewWriterLevel(&b, m.level)
		z.Write(content)
		z.Close()
	case "gzip, gzip":
		return m.encode(m.encode(content, "gzip"), "gzip")
	case "deflate":
		z := zlib.NewWriter(&b)
		z.Write(content)
		z.Close()
	case "br":
		z := brotli.NewWriterLevel(&b, 3)
		z.Write(content)
		z.Close()
	case "zstd":
		z, _ := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1))
		z.Write(content)
		z.Close()
	default:
		return content
	}
	if m.chance(5) { // damaged
		return b.Bytes()[:b.Len()*m.IntN(100)/100]
	}
	return b.Bytes()
}

func (m *madeFile) chunked(payload []byte) []byte {
	var b bytes.Buffer
	for len(payload) > 0 {
		n := min(len(payload), 1+m.IntN(pick(m.random, 10, 5000, 70000)))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, payload[:n])
		payload = payload[n:]
	}
	if !m.chance(10) {
		b.WriteString("0\r\n\r\n")
	}
	return b.Bytes()
}

// size draws one in bytes: nothing, a little, or about as much as a buffer.
func (m *madeFile) size() int {
	switch at := m.IntN(100); {
	case at < 12:
		return 0
	case at < 75:
		return m.IntN(3000)
	case at < 95:
		return pick(m.random, 512, 1024, 4096, 8192, 16384, 32768, 65536, 131072) - 300 + m.IntN(600)
	}
	return 262144 - 300 + m.IntN(600)
}

var madeWords = strings.Fields("the garden of Straße and Ünder grows 日本語 テスト слово письмо on Monday 12 May 2014 in Bad Homburg mail@example.org with many links " +
	"la maison est belle el perro come und der Hund läuft schnell &amp; <b>bold</b> \"quoted\" =formula -dash 100,5 http://a.example/x")

func (m *madeFile) payload() []byte {
	content, _ := m.content()
	return content
}

// content makes the content of a page or another thing, and its media type.
func (m *madeFile) content() (content []byte, kind string) {
	size := m.size()
	if size == 0 {
		return nil, pick(m.random, "text/html", "image/gif", "")
	}
	var b strings.Builder
	for b.Len() < size {
		b.WriteString(pick(m.random, madeWords...))
		b.WriteString(pick(m.random, " ", " ", " ", "\n", "\t"))
	}
	text := b.String()
	switch m.IntN(8) {
	case 0, 1, 2, 3:
		return m.page(text)
	case 4:
		return fmt.Appendf(nil, `{"url": %q, "items": [{"name": %q, "n": %d}], "empty": null}`, m.url(), text, size), "application/json"
	case 5:
		return fmt.Appendf(nil, `<?xml version="1.0"?><rss><channel><item><title>%s</title></item></channel></rss>`, strings.NewReplacer("&amp;", "", "<b>", "", "</b>", "").Replace(text)), "application/rss+xml"
	case 6:
		data := make([]byte, size)
		for i := range data {
			data[i] = byte(m.Uint32())
		}
		return append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x01\x00\x00\x00\x00\x40"), data...), "image/png"
	}
	return []byte(text), pick(m.random, "text/plain", "text/plain; charset=utf-8", "application/octet-stream")
}

// page makes markup in one of several character sets, declared in one of the ways
// that there are, or not.
func (m *madeFile) page(text string) (content []byte, kind string) {
	declared := pick(m.random, "utf-8", "iso-8859-1", "shift_jis", "windows-1251", "utf-16", "unknown-charset", "")
	meta := ""
	if kind = "text/html"; m.chance(50) && declared != "" {
		kind += "; charset=" + declared
	} else if declared != "" {
		meta = "<meta charset=" + declared + ">"
	}
	links := ""
	for range m.IntN(5) {
		links += fmt.Sprintf(`<a href="/p%d" rel=nofollow>%s</a><img src=i%d.png alt=x>`, m.IntN(9), pick(m.random, madeWords...), m.IntN(9))
	}
	text = fmt.Sprintf("<!doctype html><html lang=%s><head><title>%s %s</title>%s<meta name=description content=d><link rel=canonical href=/c></head><body><h1>%s</h1>%s<p>%s</p></body></html>",
		pick(m.random, "en", "de", "ja", ""), pick(m.random, madeWords...), pick(m.random, madeWords...), meta, pick(m.random, madeWords...), links, text)
	switch declared {
	case "iso-8859-1":
		content, _ = charmap.ISO8859_1.NewEncoder().Bytes([]byte(strings.Map(func(r rune) rune {
			if r > 255 {
				return '?'
			}
			return r
		}, text)))
	case "shift_jis":
		content, _ = japanese.ShiftJIS.NewEncoder().Bytes([]byte(strings.Map(func(r rune) rune {
			if r > 127 && r < 0x3000 {
				return '?'
			}
			return r
		}, text)))
	case "windows-1251":
		content, _ = charmap.Windows1251.NewEncoder().Bytes([]byte(strings.Map(func(r rune) rune {
			if r > 127 && (r < 0x410 || r > 0x44f) {
				return '?'
			}
			return r
		}, text)))
	case "utf-16":
		content, _ = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().Bytes([]byte(text))
	default:
		content = []byte(text)
	}
	return content, kind
}
