package enrich

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"

	"archivestream/lib/webpage"
)

var _ = register(function{
	name: "html", from: "payload.string", takes: 1 << Text, of: "string", gives: JSON, argument: "SELECTOR",
	summary: "elements that a CSS selector finds, as in html(a[href]): attributes, text",
	make: func(argument string) (derivation, error) {
		selector, err := cascadia.ParseGroup(argument)
		if err != nil {
			return nil, fmt.Errorf("selector: %w", err)
		}
		return func(r *Record, from, out *Value) error {
			root, err := r.tree.parse(from.Bytes)
			if err != nil {
				return err
			}
			begin := len(r.arena)
			r.arena = append(r.arena, '[')
			for _, n := range cascadia.QueryAll(root, selector) {
				r.openElement(begin)
				r.arena = append(appendName(r.arena, "attributes"), '{')
				for _, a := range n.Attr {
					name := a.Key
					if a.Namespace != "" {
						name = a.Namespace + ":" + name
					}
					r.arena = appendMember(r.arena, name, []byte(a.Val))
				}
				r.arena = append(r.arena, '}')
				r.arena = appendMember(r.arena, "text", textOf(n))
				r.arena = append(r.arena, '}')
			}
			r.closeList(begin, out)
			return nil
		}, nil
	},
})

var _ = register(function{
	name: "text", from: "payload.string.html", takes: 1 << JSON, of: "html", gives: JSON,
	summary: "of the elements that a selector finds: list of their texts",
	derive: func(r *Record, from, out *Value) error {
		return r.eachElement(from, out, func(e *element) (string, bool) { return e.Text, true })
	},
})

var _ = register(function{
	name: "attribute", from: "payload.string.html", takes: 1 << JSON, of: "html", gives: JSON, argument: "NAME",
	summary: "of the elements that a selector finds: list of the values of an attribute",
	make: func(argument string) (derivation, error) {
		name := strings.ToLower(argument)
		return func(r *Record, from, out *Value) error {
			return r.eachElement(from, out, func(e *element) (string, bool) {
				v, ok := e.Attributes[name]
				return v, ok
			})
		}, nil
	},
})

var _ = register(function{
	name: "first", from: "payload.string.html", takes: 1 << JSON, gives: Text,
	summary: "text of the first element that a selector finds, or first text of a list",
	derive: func(_ *Record, from, out *Value) error {
		var list []json.RawMessage
		if err := json.Unmarshal(from.Bytes, &list); err != nil || len(list) == 0 {
			return nil // no list, or an empty one: there is no first
		}
		var e element
		if json.Unmarshal(list[0], &e.Text) != nil && json.Unmarshal(list[0], &e) != nil {
			return errors.New("the first element of the list is no text")
		}
		out.setText([]byte(e.Text))
		return nil
	},
})

// An element is what a selector has found.
type element struct {
	Attributes map[string]string `json:"attributes"`
	Text       string            `json:"text"`
}

// eachElement makes a list of what get gives for the elements found.
func (r *Record) eachElement(from, out *Value, get func(*element) (string, bool)) error {
	var list []element
	if err := json.Unmarshal(from.Bytes, &list); err != nil {
		return nil // not of a selector: there is nothing to take
	}
	begin := len(r.arena)
	r.arena = append(r.arena, '[')
	for i := range list {
		text, ok := get(&list[i])
		if !ok {
			continue
		}
		if len(r.arena) > begin+1 {
			r.arena = append(r.arena, ',')
		}
		r.arena = appendString(r.arena, []byte(text))
	}
	r.closeList(begin, out)
	return nil
}

// A tree is the page parsed in full, for selectors.
type tree struct {
	root *html.Node
	err  error
}

func (t *tree) clear() { *t = tree{} }

func (t *tree) parse(text []byte) (*html.Node, error) {
	if t.root == nil && t.err == nil {
		// As lib/webpage does: what stands in noscript is part of the page.
		t.root, t.err = html.ParseWithOptions(bytes.NewReader(text), html.ParseOptionEnableScripting(false))
	}
	return t.root, t.err
}

// textOf returns the text of an element, white space collapsed, without scripts and
// styles below it. Words are parted where lib/webpage parts them.
func textOf(n *html.Node) []byte {
	var b strings.Builder
	var write func(*html.Node)
	write = func(parent *html.Node) {
		for d := range parent.ChildNodes() {
			switch {
			case d.Type == html.TextNode:
				b.WriteString(d.Data)
			case d.Type == html.ElementNode && d.Data != "script" && d.Data != "style":
				parts := webpage.Parts(d.Data)
				if parts {
					b.WriteByte(' ')
				}
				write(d)
				if parts {
					b.WriteByte(' ')
				}
			}
		}
	}
	write(n)
	return []byte(strings.Join(strings.Fields(b.String()), " "))
}
