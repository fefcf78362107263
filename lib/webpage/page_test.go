package webpage

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const everything = Title | Text | MainText | Links | Metas | Headings | Language | Canonical | Base

const garden = `<!DOCTYPE html><html lang="en" xml:lang=de><head><title>The
 Garden &amp; Co</title><base href=/b/><meta name=description content="a &quot;b&quot;"><meta charset=utf-8>
<link rel="stylesheet Canonical" href="/c" type=text/css><script src="/s.js" type=x>var a = "<a href=no>"</script>
<style>@import 'i.css'; a { background: url( "u.png" ) }</style></head>
<body background=bg.png><h1>One&nbsp;two</h1><p>Three <a href="/l?a=1&amp;b=2&copy=3" title=t>four<br>five</a> six<img src=i.jpg alt=i>seven
<svg><title>no</title></svg><pre> a
  b </pre><a name=x>eight<a href=y>nine</a><a href=z />ten<h2>eleven
</body>`

func TestParse(t *testing.T) {
	var p Parser
	page := p.Parse([]byte(garden), everything)
	checks := map[string]string{
		string(page.Title):     "The Garden & Co",
		string(page.Lang):      "en",
		string(page.XMLLang):   "de",
		string(page.Canonical): "/c",
		string(page.Base):      "/b/",
		string(page.Text):      "The Garden & Co\nOne two\nThree four\nfive six seven no\n a\n  b\neightnineten\neleven\n",
	}
	for got, want := range checks {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	want := []string{
		"STYLE/#text u.png", "STYLE/#text i.css", "BODY@/background bg.png", "IMG@/src i.jpg alt=i",
		"A@/href /l?a=1&b=2&copy=3 title=t (four five)", "A@/href y (nine)", "A@/href z",
	}
	if diff := cmp.Diff(sorted(want), sorted(shown(page.Links))); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"LINK@/href /c rel=stylesheet Canonical type=text/css"}, shown(page.HeadLinks)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"SCRIPT@/src /s.js type=x"}, shown(page.Scripts)); diff != "" {
		t.Error(diff)
	}
	var headings []string
	for _, h := range page.Headings {
		headings = append(headings, fmt.Sprintf("%d %s", h.Level, h.Text))
	}
	if diff := cmp.Diff([]string{"1 One two", "2 eleven"}, headings); diff != "" {
		t.Error(diff)
	}
	if len(page.Metas) != 2 || string(page.Metas[0].Get("content")) != `a "b"` || string(page.Metas[1].Get("charset")) != "utf-8" || page.Metas[1].Get("name") != nil {
		t.Errorf("metas %q", page.Metas)
	}
}

func sorted(s []string) map[string]int {
	m := map[string]int{}
	for _, x := range s {
		m[x]++
	}
	return m
}

func shown(links []Link) []string {
	var all []string
	for _, l := range links {
		var b strings.Builder
		fmt.Fprintf(&b, "%s %s", l.Path, l.URL)
		for _, a := range l.Attributes {
			fmt.Fprintf(&b, " %s=%s", a.Name, a.Value)
		}
		if l.Text != nil {
			fmt.Fprintf(&b, " (%s)", l.Text)
		}
		all = append(all, b.String())
	}
	return all
}

// TestWantsAreIndependent asks for one thing at a time: it is as if all had been
// asked for, and nothing else is there.
func TestWantsAreIndependent(t *testing.T) {
	var p, q Parser
	all := p.Parse([]byte(garden), everything)
	for want := Want(1); want <= Base; want <<= 1 {
		one := q.Parse([]byte(garden), want)
		for _, c := range []struct {
			want     Want
			all, one string
		}{
			{Title, string(all.Title), string(one.Title)},
			{Text, string(all.Text), string(one.Text)},
			{MainText, string(all.MainText), string(one.MainText)},
			{Links, fmt.Sprint(shown(all.Links), shown(all.HeadLinks), shown(all.Scripts)), fmt.Sprint(shown(one.Links), shown(one.HeadLinks), shown(one.Scripts))},
			{Metas, fmt.Sprintf("%q", all.Metas), fmt.Sprintf("%q", one.Metas)},
			{Canonical, string(all.Canonical), string(one.Canonical)},
			{Base, string(all.Base), string(one.Base)},
		} {
			if c.want == want && c.all != c.one {
				t.Errorf("alone %q, with all %q", c.one, c.all)
			}
			if c.want != want && strings.Trim(c.one, "[] ") != "" {
				t.Errorf("%d was not asked for: %q", c.want, c.one)
			}
		}
	}
}

func TestMainText(t *testing.T) {
	long := strings.Repeat("These are words of a paragraph that somebody wrote. ", 6)
	menu := strings.Repeat(`<li><a href=x>Menu entry</a>`, 8)
	in := "<title>T</title><ul>" + menu + "</ul><h1>Heading of it</h1><p>" + long + "<p>" + long + "<ul>" + menu + "</ul><footer>" + long + "</footer><p>Imprint"
	var p Parser
	got := string(p.Parse([]byte(in), MainText).MainText)
	want := "Heading of it\n" + strings.TrimSpace(long) + "\n" + strings.TrimSpace(long) + "\n"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestText(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"", ""},
		{" \n ", ""},
		{"a\x00b\u00a0c&nbsp;&#160; d", "a b c d"},
		{"a\u3000\u3000b", "a\u3000b"},
		{"a<b>b</b>c", "abc"},
		{"a<td>b", "a b"},
		{"a<div>b</div>c", "a\nb\nc"},
		{"a<script>x</script>b<style>y</style>c<iframe>z</iframe>d", "abc d"},
		{"a<!-- x --!>b<!-->c<!x>d<?y>e</ z>f", "abcdef"},
		{"a < b & c &unknown; &ampx &#x41;&#65 &#0;", "a < b & c &unknown; &x AA \ufffd"},
		{"<textarea>a<b>&lt;</textarea>", "a<b><\n"},
		{"<pre>a  b\n\tc</pre>", "a  b\n\tc\n"},
		{"a<br>", "a\n"},
		{"<a href='x", ""},
		{"a<", "a<"},
		{"a</", "a</"},
		{"<script><!-- <script> </script> --></script>a", "a"},
		{"<plaintext>a</plaintext>", "a</plaintext>"},
		{"\xff\xfea", "\xff\xfea"},
	} {
		var p Parser
		if got := string(p.Parse([]byte(test.in), Text).Text); got != test.want {
			t.Errorf("%q: got %q, want %q", test.in, got, test.want)
		}
	}
}

func TestLinks(t *testing.T) {
	for _, test := range []struct {
		in   string
		want []string
	}{
		{`<div onclick="window.location.href = '/a/b'">`, []string{"DIV@/onclick /a/b"}},
		{`<input onclick='javascript:window.open("/b/c",1)' src=c formaction=d>`, []string{"INPUT@/src c", "INPUT@/formaction d", "INPUT@/onclick /b/c"}},
		{`<div onclick="location='/a&quot;">`, nil},
		{`<object codebase=a data=b><video src=c poster=d><q cite=e>`, []string{"OBJECT@/codebase a", "OBJECT@/data b", "VIDEO@/src c", "VIDEO@/poster d", "Q@/cite e"}},
		{`<TD BackGround="a&amp;b"><x-y data-href=c data-uri=d>`, []string{"TD@/background a&b", "X-Y@/data-href c", "X-Y@/data-uri d"}},
		{`<form action=a method=post target=b><img longdesc=c src=d title=e>`, []string{"FORM@/action a target=b method=post", "IMG@/src d title=e", "IMG@/longdesc c"}},
		{`<style>a{b:url('a')} c{d:URL(e);f:url( g );h:url()} @import url(i); @import "j" ;</style>`, []string{"STYLE/#text a", "STYLE/#text g", "STYLE/#text i", "STYLE/#text j"}},
		{`<a href=a>x<img src=b>y<a href=c>z`, []string{"IMG@/src b", "A@/href a (x y)", "A@/href c (z)"}},
		{`<a href>`, []string{"A@/href "}},
		{`<noscript><img src=a></noscript><noframes><a href=b>c</a></noframes><!-- <a href=d> -->`, []string{"IMG@/src a", "A@/href b (c)"}},
	} {
		var p Parser
		if diff := cmp.Diff(test.want, shown(p.Parse([]byte(test.in), Links).Links)); diff != "" {
			t.Errorf("%s:\n%s", test.in, diff)
		}
	}
}

// TestForeignContent reads titles and CDATA sections in SVG and MathML as browsers do:
// there a title is an element like any other, whose end may be missing.
func TestForeignContent(t *testing.T) {
	var p Parser
	page := p.Parse([]byte(`<h1>One</h1><svg><title /><path d="M1"></svg><h2>Two</h2><math><mtext><![CDATA[x<y]]></mtext></math><p><![CDATA[no]]><a href=z>z</a>`), everything)
	if got, want := string(page.Text), "One\nTwo\nx<y\nz\n"; strings.TrimSpace(got) != strings.TrimSpace(want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if len(page.Headings) != 2 || len(page.Links) != 1 {
		t.Errorf("%d headings, %d links", len(page.Headings), len(page.Links))
	}
}

// TestHeadingWithoutEnd ends a heading with the element that it stands in.
func TestHeadingWithoutEnd(t *testing.T) {
	var p Parser
	page := p.Parse([]byte(`<div><h3>One <div>two</div> three</div><p>four</p><h2>five <div>six</h2>seven`), everything)
	var got []string
	for _, h := range page.Headings {
		got = append(got, string(h.Text))
	}
	if diff := cmp.Diff([]string{"One two three", "five six"}, got); diff != "" {
		t.Error(diff)
	}
}
