package webpage

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// ours gives a page's tokens in a form that can be compared: tags with attributes
// and, joined, the text between them.
func ours(in []byte) []string {
	var z tokenizer
	var refs references
	var list []string
	var text []byte
	flush := func() {
		if len(text) > 0 {
			list = append(list, "T "+normal(string(text)))
			text = text[:0]
		}
	}
	z.reset(in)
	for z.next() {
		if z.kind == textToken {
			part := in[z.text.from:z.text.to]
			if z.raw {
				text = append(text, part...)
			} else {
				text = refs.appendDecoded(text, part, false)
			}
			continue
		}
		flush()
		var b strings.Builder
		if z.kind == endTag {
			fmt.Fprintf(&b, "/%s", lower(in[z.name.from:z.name.to]))
			list = append(list, b.String())
			continue
		}
		fmt.Fprintf(&b, "<%s", lower(in[z.name.from:z.name.to]))
		seen := map[string]bool{}
		for _, a := range z.attributes {
			name := lower(in[a.name.from:a.name.to])
			if seen[name] {
				continue
			}
			seen[name] = true
			fmt.Fprintf(&b, " %s=%q", name, normal(string(refs.appendDecoded(nil, in[a.value.from:a.value.to], true))))
		}
		list = append(list, b.String())
	}
	flush()
	return list
}

func lower(p []byte) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r | 0x20
		}
		return r
	}, strings.ToValidUTF8(string(p), "\ufffd"))
}

// normal takes out what x/net does to bytes that are not looked at here.
func normal(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", "\ufffd"), "\ufffd")
}

// theirs is ours by golang.org/x/net/html. Elements whose text it takes for raw, as
// browsers with scripts or frames do, are read here.
func theirs(in []byte) []string {
	z := html.NewTokenizer(bytes.NewReader(in))
	var list []string
	var text strings.Builder
	flush := func() {
		if text.Len() > 0 {
			list = append(list, "T "+normal(text.String()))
			text.Reset()
		}
	}
	for {
		kind := z.Next()
		if kind == html.ErrorToken {
			flush()
			if z.Err() != io.EOF {
				list = append(list, z.Err().Error())
			}
			return list
		}
		token := z.Token()
		switch kind {
		case html.TextToken:
			text.WriteString(token.Data)
		case html.EndTagToken:
			flush()
			list = append(list, "/"+lower([]byte(token.Data)))
		case html.StartTagToken, html.SelfClosingTagToken:
			switch token.Data {
			case "noscript", "noframes", "noembed":
				z.NextIsNotRawText()
			}
			flush()
			var b strings.Builder
			fmt.Fprintf(&b, "<%s", lower([]byte(token.Data)))
			seen := map[string]bool{}
			for _, a := range token.Attr {
				name := lower([]byte(a.Key))
				if !seen[name] {
					fmt.Fprintf(&b, " %s=%q", name, normal(a.Val))
				}
				seen[name] = true
			}
			list = append(list, b.String())
		}
	}
}

// compare holds our tokens against those of x/net. A tag that the end of the page
// cuts off is none for us, as for browsers; x/net gives it.
func compare(t *testing.T, in []byte) {
	t.Helper()
	got, want := ours(in), theirs(in)
	for i := range got {
		if i >= len(want) || got[i] != want[i] {
			w := "nothing"
			if i < len(want) {
				w = want[i]
			}
			t.Fatalf("token %d: got %q, want %q", i, got[i], w)
		}
	}
	if len(want) > len(got) && (len(want) > len(got)+1 || bytes.HasSuffix(in, []byte(">")) && !bytes.ContainsAny(in[bytes.LastIndexByte(in[:len(in)-1], '<')+1:], `"'`)) {
		t.Fatalf("%d tokens, want %d: %q", len(got), len(want), want[len(got):])
	}
}

func TestTokensAgreeWithXNet(t *testing.T) {
	for _, in := range []string{
		garden,
		"<a b=c d='e' f=\"g\" h i = j k=/l m/ n>o</a >",
		"<a =b=c '\">x<A B B=2>y",
		"a<1>b<>c</>d</1>e<!doctype html>f<!-- g -- h --->i",
		"<title>a<b>&amp;</title ><textarea></textare></textarea>",
		"<script>a<!--b<script>c</script>d--></script>e",
		"<script>a<!--b</script>c",
		"<script><!--><script></script>b</script>",
		"<style></styles></STYLE/>x<xmp><b></xmp>y<iframe><b></iframe>",
		"&amp&lt;&gt &notit; &not; &nosuch; &copy=1 &#x80; &#128 &#xfffffffff; &#; &fjlig; &semi; &ampamp",
		"<a x='&amp=1&copy=2&copy;&notit;&not&lt' y=&copy2>",
		"<br/><br /><a b=c/>",
		"<noscript><a href=x></noscript>",
	} {
		compare(t, []byte(in))
	}
}

func FuzzTokens(f *testing.F) {
	f.Add([]byte(garden))
	f.Add([]byte("<script>a<!--b<script>c</script>d--></script>e"))
	f.Add([]byte("<a x='&amp=1&copy=2&copy;&notit;&not&lt' y=&copy2>"))
	f.Fuzz(func(t *testing.T, in []byte) {
		if bytes.IndexByte(in, 0) >= 0 || bytes.IndexByte(in, '\r') >= 0 {
			return // x/net changes them where they matter to nobody
		}
		if page := bytes.ToLower(in); bytes.Contains(page, []byte("<svg")) || bytes.Contains(page, []byte("<math")) {
			return // only x/net's parser, not its tokenizer, knows foreign content
		}
		compare(t, in)
	})
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(garden), uint16(everything))
	f.Fuzz(func(t *testing.T, in []byte, want uint16) {
		var p, again Parser
		a := p.Parse(in, Want(want))
		p.Parse([]byte(garden), everything)
		text := string(p.Parse(in, Want(want)).Text)
		b := again.Parse(in, Want(want))
		if text != string(b.Text) || fmt.Sprintf("%q", shown(a.Links)) == "" {
			t.Fatalf("%q after another page, %q alone", text, b.Text)
		}
		if strings.ContainsAny(string(b.Title), "\n\t") {
			t.Fatalf("title %q", b.Title)
		}
	})
}
