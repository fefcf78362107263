package enrich

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
)

var _ = register(function{
	name: "xml", from: "payload.string", takes: 1 << Text, gives: JSON, argument: "PATH",
	summary: "texts of the elements at a path of an XML document, as in xml(rss/channel/item/title), or of an attribute, as in xml(feed/link/@href)",
	make: func(argument string) (derivation, error) {
		path := strings.Split(strings.Trim(argument, "/"), "/")
		if slices.Contains(path, "") {
			return nil, errors.New("path: names separated by slashes are wanted")
		}
		attribute := ""
		if last := path[len(path)-1]; last[0] == '@' {
			attribute, path = last[1:], path[:len(path)-1]
		}
		return func(r *Record, from, out *Value) error {
			texts, err := xmlTexts(from.Bytes, path, attribute)
			begin := len(r.arena)
			r.arena = append(r.arena, '[')
			for i, text := range texts {
				if i > 0 {
					r.arena = append(r.arena, ',')
				}
				r.arena = appendString(r.arena, []byte(text))
			}
			r.closeList(begin, out)
			return err
		}, nil
	},
})

// attributeSpace makes what a value of an attribute means of how it is written (XML 1.0,
// section 3.3.3).
var attributeSpace = strings.NewReplacer("\t", " ", "\n", " ", "\r", " ")

// maxDepth bounds how deep elements are nested; what is deeper is hostile.
const maxDepth = 1000

// xmlTexts gives the texts found; of a damaged document those before the damage.
func xmlTexts(document []byte, path []string, attribute string) ([]string, error) {
	d := xml.NewDecoder(bytes.NewReader(document))
	d.Strict, d.Entity = false, xml.HTMLEntity
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil } // it is UTF-8 already
	var texts []string
	var open []string
	var text strings.Builder
	inside := 0 // depth of the element whose text is taken
	for {
		token, err := d.Token()
		if err == io.EOF {
			return texts, nil
		}
		if err != nil {
			return texts, errors.New("damaged XML document")
		}
		switch t := token.(type) {
		case xml.StartElement:
			if open = append(open, t.Name.Local); len(open) > maxDepth {
				return texts, errors.New("XML document nested too deep")
			}
			if inside > 0 || !slices.Equal(open, path) {
				continue
			}
			if attribute == "" {
				inside = len(open)
				text.Reset()
			}
			for _, a := range t.Attr {
				if attribute != "" && a.Name.Local == attribute {
					texts = append(texts, attributeSpace.Replace(a.Value))
				}
			}
		case xml.EndElement:
			if inside == len(open) && inside > 0 {
				texts = append(texts, strings.TrimSpace(text.String()))
				inside = 0
			}
			open = open[:max(len(open)-1, 0)]
		case xml.CharData:
			if inside > 0 {
				text.Write(t)
			}
		}
	}
}
