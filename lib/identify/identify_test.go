package identify

import (
	"strings"
	"testing"
	"unicode/utf16"
)

// png gives a PNG with the chunks, which are empty.
func png(chunks ...string) string {
	s := "\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR" + strings.Repeat("\x00", 17)
	for _, c := range chunks {
		s += "\x00\x00\x00\x00" + c + "\x00\x00\x00\x00"
	}
	return s
}

// inUTF16 gives a text in UTF-16, little endian, with its mark.
func inUTF16(s string) string {
	b := []byte("\xff\xfe")
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return string(b)
}

var payloads = []struct{ payload, mime, puid string }{
	{"", "", ""},
	{"<!DOCTYPE html><html>", HTML, "fmt/471"},
	{"<!doctype  HTML ><title>x", HTML, "fmt/471"},
	{"\xef\xbb\xbf\r\n<!-- a --><!DOCTYPE html PUBLIC \"-//W3C//DTD HTML 4.01//EN\"><html>", HTML, "fmt/100"},
	{"<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 4.0 Transitional//EN\">\n<HTML>", HTML, "fmt/99"},
	{"<!DOCTYPE HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\"><HTML>", HTML, "fmt/98"},
	{"<!DOCTYPE HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\"><HTML>", HTML, "fmt/97"},
	{"<html><head>", HTML, "fmt/96"},
	{"\n<center>hello", HTML, "fmt/96"},
	{"<?xml version=\"1.0\"?><!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\" \"x\"><html>", XHTML, "fmt/102"},
	{"<!DOCTYPE html PUBLIC \"-//W3C//DTD XHTML 1.1//EN\" \"x\"><html xmlns=\"http://www.w3.org/1999/xhtml\">", XHTML, "fmt/103"},
	{"<!DOCTYPE html SYSTEM \"about:legacy-compat\"><html>", HTML, "fmt/471"},
	{inUTF16("<!DOCTYPE html><html>"), HTML, "fmt/471"},
	{"<?php echo 1 ?><html>", HTML, "fmt/96"},
	{"<?xml version='1.0'?><rss version=\"2.0\">", "application/rss+xml", "fmt/101"},
	{"<rss version=\"0.91\"><channel>", "application/rss+xml", "fmt/101"},
	{"<?xml version='1.0'?><rdf:RDF xmlns=\"http://purl.org/rss/1.0/\">", "application/rss+xml", "fmt/101"},
	{"<?xml version='1.0'?><feed xmlns=\"http://www.w3.org/2005/Atom\">", "application/atom+xml", "fmt/101"},
	{"<?xml version='1.0'?><!DOCTYPE svg [<!ENTITY a \">\">]><svg>", "image/svg+xml", "fmt/92"},
	{"<svg xmlns='http://www.w3.org/2000/svg' version=\"1.0\">", "image/svg+xml", "fmt/91"},
	{"<?xml version='1.0'?><urlset>", XML, "fmt/101"},
	{"<?xml version='1.0'?>", XML, "fmt/101"},
	{"{\"a\": 1}", "application/json", "fmt/817"},
	{" [1, 2]", "application/json", "fmt/817"},
	{"{curly}", Plain, "x-fmt/111"},
	{"/* a */ // b\n(function(){ var x = 1; })()", Script, "x-fmt/423"},
	{"var a = {};", Script, "x-fmt/423"},
	{"let us go then, you and I", Plain, "x-fmt/111"},
	{"body { margin: 0 }", "text/css", "x-fmt/224"},
	{"/* x */\n@import url(a.css);", "text/css", "x-fmt/224"},
	{"a:hover, .b[x=\"1\"] { /* c */ color: red }", "text/css", "x-fmt/224"},
	{"User-agent: *\nDisallow: /\n", Plain, "x-fmt/111"},
	{"caf\xe9 au lait", Plain, "x-fmt/111"},
	{"\x00\x01\x02\x03\xfe", binary, ""},
	{"%PDF-1.4\n", "application/pdf", "fmt/18"},
	{"%PDF-1.7", "application/pdf", "fmt/276"},
	{"%PDF-2.0", "application/pdf", "fmt/1129"},
	{"%PDF-", "application/pdf", ""},
	{"GIF89a", "image/gif", "fmt/4"},
	{"GIF87a", "image/gif", "fmt/3"},
	{"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x01", "image/jpeg", "fmt/43"},
	{"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x02", "image/jpeg", "fmt/44"},
	{"\xff\xd8\xff\xe0\x00\x10JFIF\x00\x01\x00", "image/jpeg", "fmt/42"},
	{"\xff\xd8\xff\xe1\x00\x10Exif\x00\x00MM 0221", "image/jpeg", "fmt/645"},
	{"\xff\xd8\xff\xdb", "image/jpeg", "fmt/41"},
	{png("IDAT"), "image/png", "fmt/11"},
	{png("sRGB", "IDAT"), "image/png", "fmt/12"},
	{png("sRGB", "iTXt"), "image/png", "fmt/13"},
	{"RIFF\x00\x00\x00\x00WEBPVP8L", "image/webp", "fmt/567"},
	{"\x00\x01\x00\x00\x00\x0d", "font/ttf", "x-fmt/453"},
	{"PK\x03\x04\x14\x00\x00\x00", "application/zip", "x-fmt/263"},
	{"\x1f\x8b\x08\x00", "application/gzip", "x-fmt/266"},
	{"RIFF\x24\x00\x00\x00WAVEfmt ", "audio/wav", "fmt/6"},
}

func TestPayloads(t *testing.T) {
	for _, p := range payloads {
		mime := Mime([]byte(p.payload))
		if puid := PUID(mime, []byte(p.payload)); mime != p.mime || puid != p.puid {
			t.Errorf("%.40q: %q %q, not %q %q", p.payload, mime, puid, p.mime, p.puid)
		}
	}
}

// TestOnlyTheBeginCounts holds the promise that Looked bytes are enough.
func TestOnlyTheBeginCounts(t *testing.T) {
	for _, p := range payloads[1:] {
		long := p.payload + strings.Repeat(" ", 2*Looked)
		mime := Mime([]byte(long[:Looked]))
		if all := Mime([]byte(long)); all != mime || PUID(all, []byte(long)) != PUID(mime, []byte(long[:Looked])) {
			t.Errorf("%.40q: %q of all, %q of the begin", p.payload, all, mime)
		}
	}
}

func FuzzMime(f *testing.F) {
	for _, p := range payloads {
		f.Add([]byte(p.payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		mime := Mime(payload)
		if (mime == "") != (len(payload) == 0) || strings.ContainsAny(mime, "; \t") {
			t.Errorf("media type %q", mime)
		}
		for _, other := range []string{mime, HTML, "image/gif", "image/png", "image/jpeg", "image/webp", "application/pdf"} {
			PUID(other, payload)
		}
	})
}

func BenchmarkMime(b *testing.B) {
	page := []byte("<!DOCTYPE html><html><head><title>" + strings.Repeat("words and words ", 500))
	text := []byte(strings.Repeat("words and words ", 500))
	for name, payload := range map[string][]byte{"page": page, "text": text} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				PUID(Mime(payload), payload)
			}
		})
	}
}
