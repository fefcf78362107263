package main

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// A page is one answer of the web sites that the test data are captures of.
type page struct {
	host, target string // target: path and query
	status       int
	contentType  string
	location     string // of a redirect
	encoding     string // content coding that the body has
	chunked      bool   // sent with the chunked transfer coding
	body         []byte
}

func (p *page) url() string { return "http://" + p.host + p.target }

// header gives the HTTP header fields but for those of the connection.
func (p *page) header() [][2]string {
	h := [][2]string{{"Content-Type", p.contentType}}
	if p.location != "" {
		h = append(h, [2]string{"Location", p.location})
	}
	if p.encoding != "" {
		h = append(h, [2]string{"Content-Encoding", p.encoding})
	}
	if !p.chunked {
		h = append(h, [2]string{"Content-Length", fmt.Sprint(len(p.body))})
	}
	return h
}

// chunk is how many bytes of a body are sent at once with the chunked coding.
const chunk = 100

// message is the page as a server sends it at that time.
func (p *page) message(date time.Time) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "HTTP/1.1 %d %s\r\nDate: %s\r\nServer: garden/1.0\r\n", p.status, http.StatusText(p.status), date.Format(http.TimeFormat))
	for _, f := range p.header() {
		fmt.Fprintf(&b, "%s: %s\r\n", f[0], f[1])
	}
	if !p.chunked {
		b.WriteString("\r\n")
		b.Write(p.body)
		return b.Bytes()
	}
	b.WriteString("Transfer-Encoding: chunked\r\n\r\n")
	for rest := p.body; len(rest) > 0; {
		n := min(len(rest), chunk)
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, rest[:n])
		rest = rest[n:]
	}
	b.WriteString("0\r\n\r\n")
	return b.Bytes()
}

const (
	gardenHost  = "garden.example"
	mediaHost   = "media.garden.example"
	libraryHost = "www.library.example"
)

// site gives all pages as they are in a year. Each can be reached by links from
// the first one. Only the calendar changes.
func site(year int) []page {
	html := func(host, target, title, text string, links ...string) page {
		return page{host: host, target: target, status: 200, contentType: "text/html; charset=utf-8", body: document(title, text, links)}
	}
	old := html(gardenHost, "/old", "Moved", "This page has moved.", "/plants/tomato")
	old.status, old.location = 302, "/plants/tomato"
	gone := html(gardenHost, "/plants/potato", "Not found", "Nothing grows here.")
	gone.status = 404
	calendar := html(gardenHost, "/calendar", "Calendar", strings.Join([]string{
		fmt.Sprintf("The year %d.", year), "March: sow tomatoes on the window sill.", "April: dig compost in, plant the first potatoes.",
		"May: sow beans when no frost is to be feared.", "June: thin out the carrots.", "July: water in the evening.",
		"August: harvest.", "October: gather leaves.", "January: read seed lists.",
	}, "</p>\n<p>"))
	calendar.chunked = true
	compressed := html(gardenHost, "/archive", "All that was written here", strings.Repeat("Once more: water in the evening, not at noon. ", 40))
	compressed.encoding, compressed.body = "gzip", compress(compressed.body)
	both := html(gardenHost, "/archive/2020", "The year 2020", strings.Repeat("It rained. ", 200))
	both.chunked, both.encoding, both.body = true, "gzip", compress(both.body)
	latin := html(libraryHost, "/katalog", "Katalog", "Gärten in Böhmen. Über die Bäume. Grüße aus der Bücherei.")
	latin.contentType, latin.body = "text/html; charset=iso-8859-1", latin1(latin.body)
	return []page{
		html(gardenHost, "/", "The garden", "What grows in a small garden, and when.",
			"/plants/tomato", "/plants/bean?sort=name&amp;colour=green", "/plants/potato", "/old", "/calendar",
			"/archive", "/archive/2020", "/a%20note.txt", "//"+mediaHost+"/leaf.png?size=16", "//"+libraryHost+"/"),
		{host: gardenHost, target: "/robots.txt", status: 200, contentType: "text/plain", body: []byte("User-agent: *\nDisallow: /compost/\n")},
		{host: gardenHost, target: "/style.css", status: 200, contentType: "text/css",
			body: []byte("body { color: #123; background: url(//" + mediaHost + "/leaf.png) }\n")},
		html(gardenHost, "/plants/tomato", "Tomatoes", "They want sun, a roof against the rain and much water.", "/", "/calendar"),
		html(gardenHost, "/plants/bean?sort=name&colour=green", "Beans", "They climb on whatever they find.", "/"),
		gone, old, calendar, compressed, both,
		{host: gardenHost, target: "/a%20note.txt", status: 200, contentType: "text/plain; charset=utf-8", body: []byte("Buy seeds.\r\n")},
		{host: mediaHost, target: "/leaf.png", status: 200, contentType: "image/png", body: leaf()},
		{host: mediaHost, target: "/leaf.png?size=16", status: 200, contentType: "image/png", body: leaf()},
		html(libraryHost, "/", "Bücherei", "Bücher über Gärten: 园艺, садоводство, κηπουρική.", "/katalog", "/titel/%C3%A4pfel"),
		latin,
		html(libraryHost, "/titel/%C3%A4pfel", "Äpfel", "Ein Buch über Äpfel."),
		{host: libraryHost, target: "/robots.txt", status: 404, contentType: "text/plain", body: []byte("none\n")},
		{host: mediaHost, target: "/robots.txt", status: 404, contentType: "text/plain", body: []byte("none\n")},
	}
}

func document(title, text string, links []string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "<!DOCTYPE html>\n<html>\n<head>\n<title>%s</title>\n", title)
	fmt.Fprintf(&b, "<link rel=\"stylesheet\" href=\"//%s/style.css\">\n</head>\n<body>\n<h1>%s</h1>\n<p>%s</p>\n", gardenHost, title, text)
	for _, l := range links {
		fmt.Fprintf(&b, "<a href=\"%s\">%s</a>\n", l, l)
	}
	b.WriteString("</body>\n</html>\n")
	return b.Bytes()
}

// compress gives a gzip stream without a time in it.
func compress(p []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.ModTime = time.Unix(0, 0)
	z.Write(p) // a buffer takes everything
	z.Close()
	return b.Bytes()
}

func latin1(p []byte) []byte {
	var b []byte
	for _, r := range string(p) {
		b = append(b, byte(r))
	}
	return b
}

// leaf is a picture. It is not compressed, so that its bytes do not depend on the
// version of a compressor.
func leaf() []byte {
	const size = 16
	picture := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{color.White, color.RGBA{30, 120, 40, 255}})
	for y := range size {
		for x := range size {
			if (x-y)*(x-y) < 2*min(x+y, 2*size-x-y)-2 {
				picture.SetColorIndex(x, y, 1)
			}
		}
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.NoCompression}
	if err := encoder.Encode(&b, picture); err != nil {
		panic(err) // a buffer takes everything
	}
	return b.Bytes()
}
