package enrich

import (
	"encoding/json"
	"errors"

	"archivestream/lib/pdftext"
)

// readPDFs is the option of enrich-captures that makes it the reader of documents.
const readPDFs = "--read-pdfs"

// A crafted document can make the reader loop or take all memory, so that it has a
// process of its own, which is ended then.
var _ = register(function{
	name: "pdf", from: "payload", takes: 1 << Binary, gives: Text,
	summary: "text of a PDF document, with an empty line between pages",
	own:     readPDFs,
	derive: func(r *Record, from, out *Value) error {
		if !pdftext.IsDocument(from.Bytes) {
			return nil
		}
		raw, err := r.own(readPDFs).ask(from)
		if err != nil {
			return err
		}
		var a pdftext.Answer
		if err := json.Unmarshal(raw, &a); err != nil {
			return err
		}
		if a.Text != "" || a.Error == "" {
			out.setText([]byte(a.Text))
		}
		if a.Error != "" {
			return errors.New(a.Error)
		}
		return nil
	},
})
