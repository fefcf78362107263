package corpus

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"strconv"
)

// minPayload is the least size that all kinds of payload can have.
const minPayload = 1000

// size gives a payload's length in bytes: small ones are more frequent, as the
// logarithm is evenly distributed.
func (w *web) size(r *resource, version, minSize, maxSize int) int {
	f := fraction(hash(w.seed, forSize, uint64(r.number), uint64(version)))
	return min(int(float64(minSize)*math.Pow(float64(maxSize)/float64(minSize), f)), maxSize)
}

// appendPayload makes a body of that size. That of a redirect is as short as
// servers make it.
func (w *web) appendPayload(b []byte, r *resource, version, size int) []byte {
	g := random(hash(w.seed, forPayload, uint64(r.number), uint64(version)))
	switch {
	case r.status == 301:
		to := w.redirect(r)
		return append(append(append(b, "<html><head><title>301 Moved Permanently</title></head>\n<body><h1>Moved Permanently</h1>\n<p>The document has moved <a href=\""...),
			to...), "\">here</a>.</p></body></html>\n"...)
	case r.status == 404 || r.kind == page:
		return w.appendPage(b, r, &g, size)
	case r.kind == style:
		return w.appendStyle(b, &g, size)
	case r.kind == image:
		return appendImage(b, &g, size)
	}
	return appendDocument(b, &g, size)
}

// redirect is where a redirect leads to: another URL of the corpus.
func (w *web) redirect(r *resource) string {
	to := w.resource(int(hash(w.seed, forPath, uint64(r.number), 1) % uint64(w.urls)))
	return to.url()
}

func (w *web) word(g *random) string { return w.words[g.below(len(w.words))] }

// A topic is a part of the sentences that a page comes back to.
type topic []string

func (w *web) topic(g *random) topic {
	const size = 32
	begin := g.below(len(w.sentences) - size)
	return w.sentences[begin : begin+size]
}

func (w *web) sentence(g *random, t topic) string {
	if g.below(4) < 3 {
		return t[g.below(len(t))]
	}
	return w.sentences[g.below(len(w.sentences))]
}

const pageEnd = "</div>\n<div class=\"footer\"><p>Imprint. All rights reserved.</p></div>\n</body>\n</html>\n"

func (w *web) appendPage(b []byte, r *resource, g *random, size int) []byte {
	end := len(b) + size
	about := w.topic(g)
	title := w.sentence(g, about)
	title = title[:min(len(title)-2, 60)]
	b = append(b, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>"...)
	if r.status == 404 {
		b = append(b, "Not Found: "...)
	}
	b = append(append(b, title...), "</title>\n<link rel=\"stylesheet\" href=\"/css/main.css\">\n</head>\n<body>\n<div class=\"content\">\n<h1>"...)
	b = append(append(b, title...), "</h1>\n"...)
	left := func() int { return end - len(b) - len(pageEnd) }
	if left() > 6000 {
		b = w.appendNavigation(b, r)
	}
	for left() > longParagraph {
		b = w.appendParagraph(b, g, about)
	}
	return append(w.appendText(b, g, about, "<p>", left(), "</p>\n"), pageEnd...)
}

// appendNavigation is the same on all pages of a host.
func (w *web) appendNavigation(b []byte, r *resource) []byte {
	g := random(hash(w.seed, forHosts, uint64(r.host.number)))
	b = append(b, "<ul class=\"navigation\">\n"...)
	for range 24 {
		word := w.word(&g)
		b = append(append(b, "<li class=\"navigation-item\"><a class=\"navigation-link\" href=\"/"...), word...)
		b = append(append(append(b, "/\">"...), word...), "</a></li>\n"...)
	}
	return append(b, "</ul>\n"...)
}

// longParagraph is more bytes than appendParagraph adds.
const longParagraph = 2500

// appendParagraph adds text with links and images.
func (w *web) appendParagraph(b []byte, g *random, about topic) []byte {
	switch g.below(8) {
	case 0:
		b = append(append(append(b, "<h2>"...), w.word(g)...), "</h2>\n"...)
	case 1:
		b = append(append(b, "<div class=\"figure\"><img class=\"figure-image\" src=\"/images/"...), w.word(g)...)
		b = append(append(append(b, ".png\" width=\"640\" height=\"480\" alt=\""...), w.word(g)...), "\"></div>\n"...)
	}
	b = append(b, "<div class=\"content-block\">\n<p class=\"content-text content-text-default\">"...)
	for range 2 + g.below(4) {
		b = append(b, w.sentence(g, about)...)
		if g.below(3) == 0 {
			to := w.resource(g.below(w.urls))
			b = append(append(append(b, "<a class=\"content-link\" target=\"_blank\" rel=\"nofollow noopener\" href=\""...), to.host.origin...), to.path...)
			b = append(append(append(b, "\">"...), w.word(g)...), "</a> "...)
		}
	}
	return append(b, "</p>\n</div>\n"...)
}

// appendText adds sentences between two tags, size bytes in all.
func (w *web) appendText(b []byte, g *random, about topic, open string, size int, shut string) []byte {
	end := len(b) + size - len(shut)
	b = append(b, open...)
	for len(b) < end {
		s := w.sentence(g, about)
		b = append(b, s[:min(len(s), end-len(b))]...)
	}
	return append(b, shut...)
}

func (w *web) appendStyle(b []byte, g *random, size int) []byte {
	end := len(b) + size
	const hex = "0123456789abcdef"
	for end-len(b) > 300 {
		color := g.next()
		b = append(append(append(append(b, '.'), w.word(g)...), '-'), w.word(g)...)
		b = append(b, " {\n\tcolor: #"...)
		for i := range 6 {
			b = append(b, hex[color>>(4*i)&15])
		}
		b = append(strconv.AppendInt(append(b, ";\n\tmargin: "...), int64(g.below(40)), 10), "px;\n\tfont-size: "...)
		b = append(strconv.AppendInt(b, int64(8+g.below(30)), 10), "px;\n}\n"...)
	}
	return w.appendText(b, g, w.topic(g), "/* ", end-len(b), "*/\n")
}

// appendImage has the chunks of a PNG (ISO 15948) with right checksums; what is
// in the data chunk is random, as little to compress as what is in real ones.
func appendImage(b []byte, g *random, size int) []byte {
	const frame = 8 + 25 + 12 + 12 // signature, header, end, and the data chunk's own
	b = append(b, "\x89PNG\r\n\x1a\n"...)
	b = appendChunk(b, "IHDR", []byte{0, 0, 2, 128, 0, 0, 1, 224, 8, 2, 0, 0, 0})
	data := make([]byte, size-frame)
	g.fill(data)
	b = appendChunk(b, "IDAT", data)
	return appendChunk(b, "IEND", nil)
}

func appendChunk(b []byte, name string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	begin := len(b)
	b = append(append(b, name...), data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[begin:]))
}

// appendDocument has the look of a PDF: objects around a compressed stream.
func appendDocument(b []byte, g *random, size int) []byte {
	end := len(b) + size
	const head = "%PDF-1.4\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n" +
		"2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n" +
		"3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R >>\nendobj\n"
	const tail = "\nendstream\nendobj\ntrailer\n<< /Size 5 /Root 1 0 R >>\n%%EOF\n"
	b = append(b, head...)
	b = append(b, "4 0 obj\n<< /Filter /FlateDecode >>\nstream\n"...)
	begin := len(b)
	b = append(b, make([]byte, end-len(b)-len(tail))...)
	g.fill(b[begin:])
	return append(b, tail...)
}
