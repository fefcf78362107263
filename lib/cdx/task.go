package cdx

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"archivestream/lib/stage"
	"archivestream/lib/storage"
)

// NewParser makes a parser of a task's lines that knows the CDX header of their file even
// where the task's split begins after it.
func NewParser(t *stage.Task) (*Parser, error) {
	parser := &Parser{}
	if t.InputStart() == 0 || t.InputFile() == "" {
		return parser, nil
	}
	f, err := storage.OpenStream(t.InputFile())
	if err != nil {
		return nil, fmt.Errorf("header of %s: %w", t.InputFile(), err)
	}
	defer f.Close()
	line, err := bufio.NewReader(io.LimitReader(f, 4<<10)).ReadBytes('\n')
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("header of %s: %w", t.InputFile(), err)
	}
	if form, ok := Header(bytes.TrimRight(line, "\r\n")); ok {
		parser.Header = form
	}
	return parser, nil
}
