package webpage

import (
	"fmt"
	"testing"
)

// oddPages are pages of which one value changed with what else was asked for, or with
// the page before.
var oddPages = []string{
	"", " ", "<p>", "no markup", "<p>one</p>", "<p>ends in spaces   ", "<pre>\n\n", "<nav>a</nav> b ", "<a href=x>link</a> ",
	"<body><html lang=de>", "<title>a</title><html lang=de>", "<html><title></title><body>", "<html xml:lang=fr><html lang=de><title>x</title>",
	"<html lang=''><title> </title><h1></h1><link rel=canonical href=''>",
}

// TestValueAloneIsTheSame asks for each thing of odd pages alone, and for any two: it is as
// if all had been asked for, of a new parser and of one that has parsed another page.
func TestValueAloneIsTheSame(t *testing.T) {
	shown := func(p *Page, want Want) string {
		switch want {
		case Title:
			return fmt.Sprintf("%#v", p.Title)
		case Text:
			return fmt.Sprintf("%#v", p.Text)
		case MainText:
			return fmt.Sprintf("%#v", p.MainText)
		case Language:
			return fmt.Sprintf("%#v %#v", p.Lang, func() []byte {
				if p.Lang != nil { // which goes before it
					return nil
				}
				return p.XMLLang
			}())
		case Canonical:
			return fmt.Sprintf("%#v", p.Canonical)
		case Base:
			return fmt.Sprintf("%#v", p.Base)
		}
		return ""
	}
	var used Parser
	used.Parse([]byte("<html lang=en><title>used</title><p>some text"), everything)
	for _, in := range oddPages {
		var all Parser
		page := all.Parse([]byte(in), everything)
		for one := Want(1); one <= Base; one <<= 1 {
			for other := Want(1); other <= Base; other <<= 1 {
				var fresh Parser
				for name, p := range map[string]*Parser{"new": &fresh, "used": &used} {
					if want, got := shown(page, one), shown(p.Parse([]byte(in), one|other), one); got != want {
						t.Errorf("%q, %s parser, want %d of %d: %s instead of %s", in, name, one, one|other, got, want)
					}
				}
			}
		}
	}
}
