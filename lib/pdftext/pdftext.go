// Package pdftext gives the text of PDF documents (ISO 32000-1): that of the pages in
// the order in which their content draws it, with spaces and line ends where the
// places of the glyphs leave room for them.
//
// Objects, streams and encryption without a password are read by
// github.com/ledongthuc/pdf. On crafted documents that can loop, or take memory
// without bounds, which no other goroutine can end: Serve makes a process of the
// reader, and who asks it bounds its time.
package pdftext

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/ledongthuc/pdf"
)

// Bounds of a document. What is behind them is left out, with ErrTooLarge.
const (
	maxText   = 64 << 20 // bytes
	maxNodes  = 200_000  // of the tree of pages
	maxDepth  = 64       // of that tree
	maxForms  = 16       // form XObjects within each other
	maxStates = 1 << 12  // saved graphics states
)

// What can be wrong with a document, for errors.Is.
var (
	ErrNoDocument = errors.New("no PDF document")
	ErrTooLarge   = errors.New("PDF document larger than the limit")
)

// IsDocument says whether data look like a PDF document.
func IsDocument(data []byte) bool { return header(data) >= 0 }

// header gives where a document's header stands: among the first 1024 bytes (ISO
// 32000-1, annex H.3, note 13), or -1.
func header(data []byte) int {
	return bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-"))
}

// Text gives the text of a document, UTF-8, with an empty line behind each page. With
// an error it is what could be read.
func Text(data []byte) (text []byte, err error) {
	begin := header(data)
	if begin < 0 {
		return nil, ErrNoDocument
	}
	data = data[begin:] // offsets count from the header
	var w writer
	err = guarded(func() error {
		r, err := pdf.NewReader(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return err
		}
		d := document{writer: &w, fonts: map[string]*font{}}
		return d.pages(r.Trailer().Key("Root").Key("Pages"), pdf.Value{}, 0)
	})
	return w.text(), err
}

// guarded makes an error of a panic: the library panics on what it cannot read.
func guarded(f func() error) (err error) {
	defer func() {
		switch p := recover().(type) {
		case nil:
		case error:
			err = fmt.Errorf("damaged PDF document: %w", p)
		default:
			err = fmt.Errorf("damaged PDF document: %v", p)
		}
	}()
	return f()
}

// A document is one that is being read.
type document struct {
	writer *writer
	fonts  map[string]*font // by what they say of themselves
	nodes  int              // of the tree of pages, so far
	forms  int              // form XObjects that are open
}

// pages reads what is below a node of the tree of pages. A damaged page costs no
// other one; the first error is given.
func (d *document) pages(node, resources pdf.Value, depth int) error {
	if d.nodes++; d.nodes > maxNodes || depth > maxDepth {
		return ErrTooLarge
	}
	if own := node.Key("Resources"); !own.IsNull() {
		resources = own
	}
	kids := node.Key("Kids")
	if kids.Kind() != pdf.Array {
		err := guarded(func() error {
			c := content{document: d, resources: resources}
			return c.interpret(node.Key("Contents"), newState())
		})
		d.writer.endPage()
		return err
	}
	var first error
	for i := range kids.Len() {
		err := guarded(func() error { return d.pages(kids.Index(i), resources, depth+1) })
		if first == nil {
			first = err
		}
		if errors.Is(err, ErrTooLarge) {
			break
		}
	}
	return first
}
