package pdftext

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"runtime/debug"
)

// An Answer is what Serve says of a document.
type Answer struct {
	Text  string `json:"text"`
	Error string `json:"error,omitempty"`
}

// maxStack bounds the stack of a reader of documents within documents, in bytes.
const maxStack = 128 << 20

// Serve reads a document from each line of in, in Base64 as a JSON string, and writes
// an Answer as JSON on a line of out, until in ends. The process may take no more than
// some memory then: a document that wants more ends it.
func Serve(in io.Reader, out io.Writer) error {
	limitMemory()
	debug.SetMaxStack(maxStack)
	lines := bufio.NewReaderSize(in, 1<<20)
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for {
		line, err := lines.ReadBytes('\n')
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := encoder.Encode(answer(line)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func answer(line []byte) Answer {
	data := bytes.Trim(line, `"`)
	n, err := base64.StdEncoding.Decode(data, data)
	if err != nil {
		return Answer{Error: "no Base64: " + err.Error()}
	}
	text, err := Text(data[:n])
	a := Answer{Text: string(text)}
	if err != nil {
		a.Error = err.Error()
	}
	return a
}
