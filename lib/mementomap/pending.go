package mementomap

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
)

const (
	// flushSize is how much text is collected before it is looked at what of it
	// can go, in bytes.
	flushSize = 256 << 10
	// memorySize is how much text lies in memory; what is before goes to a file.
	memorySize = 4 << 20
)

// pending is text of which the end may still change, line by line: what the
// compaction has written and may yet replace. Offsets count from the begin of all
// text. It takes bounded memory; the rest lies in a temporary file without a name.
type pending struct {
	out    func(text []byte) error // takes what is final, whole lines
	memory []byte                  // the text from base on
	base   int64
	file   *os.File // has the text from first to base
	first  int64
	origin int64 // offset of what stands at the file's begin
	room   int   // in memory, in bytes (tests set it)
	lines  int64
}

func (p *pending) end() int64 { return p.base + int64(len(p.memory)) }

// truncate takes back all text from an offset on.
func (p *pending) truncate(at int64) {
	if at >= p.base {
		p.memory = p.memory[:at-p.base]
		return
	}
	p.memory, p.base = p.memory[:0], at
}

// release gives out all text before an offset, and keeps the rest in bounded
// memory, where what comes from last on stays.
func (p *pending) release(at, last int64) error {
	if at > p.first && p.first < p.base {
		if err := p.releaseFile(min(at, p.base)); err != nil {
			return err
		}
	}
	if at > p.base {
		n := int(at - p.base)
		if err := p.give(p.memory[:n]); err != nil {
			return err
		}
		p.memory = p.memory[:copy(p.memory, p.memory[n:])]
		p.base, p.first = at, at
	}
	if len(p.memory) > p.room {
		return p.spill(last)
	}
	return nil
}

func (p *pending) give(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	p.lines += int64(bytes.Count(text, newline))
	return p.out(text)
}

var newline = []byte{'\n'}

// releaseFile gives out the text in the file before an offset.
func (p *pending) releaseFile(at int64) error {
	text := io.NewSectionReader(p.file, p.first-p.origin, at-p.first)
	copied := make([]byte, flushSize)
	for p.first < at {
		n, err := io.ReadFull(text, copied[:min(flushSize, at-p.first)])
		if err != nil {
			return err
		}
		p.first += int64(n)
		if err := p.give(copied[:n]); err != nil {
			return err
		}
	}
	return nil
}

// spill moves the text in memory that is before an offset to the file.
func (p *pending) spill(to int64) error {
	if p.file == nil {
		f, err := os.CreateTemp("", "mementomap-*")
		if err != nil {
			return err
		}
		os.Remove(f.Name())
		p.file = f
	}
	if p.first == p.base {
		p.origin = p.base
	}
	n := int(to - p.base)
	if _, err := p.file.WriteAt(p.memory[:n], p.base-p.origin); err != nil {
		return err
	}
	p.base = to
	p.memory = p.memory[:copy(p.memory, p.memory[n:])]
	return nil
}

// cut takes the text from an offset on out and gives it for reading.
func (p *pending) cut(at int64) (io.ReadCloser, error) {
	if at >= p.base {
		text := bytes.Clone(p.memory[at-p.base:])
		p.truncate(at)
		return io.NopCloser(bytes.NewReader(text)), nil
	}
	f, err := os.CreateTemp("", "mementomap-*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name())
	_, err = io.Copy(f, io.NewSectionReader(p.file, at-p.origin, p.base-at))
	if err == nil {
		_, err = f.Write(p.memory)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	p.truncate(at)
	return f, nil
}

// filter takes back the lines from an offset on but for those that are to stay. It
// gives the offset of the first of these that is behind, and whether there is one.
func (p *pending) filter(from int64, stays, behind func(line []byte) bool) (at int64, found bool, err error) {
	text, err := p.cut(from)
	if err != nil {
		return 0, false, err
	}
	defer text.Close()
	err = eachLine(text, func(line []byte) error {
		if !stays(line[:len(line)-1]) {
			return nil
		}
		if !found && behind(line[:len(line)-1]) {
			at, found = p.end(), true
		}
		return p.append(line)
	})
	return at, found, err
}

// remove takes out the text from one offset to another.
func (p *pending) remove(from, to int64) error {
	if from >= p.base {
		at := int(from - p.base)
		p.memory = append(p.memory[:at], p.memory[to-p.base:]...)
		return nil
	}
	rest, err := p.cut(to)
	if err != nil {
		return err
	}
	defer rest.Close()
	p.truncate(from)
	return eachLine(rest, p.append)
}

// insert puts a line in at an offset.
func (p *pending) insert(at int64, line []byte) error {
	if at == p.end() {
		p.memory = append(p.memory, line...)
		return nil
	}
	rest, err := p.cut(at)
	if err != nil {
		return err
	}
	defer rest.Close()
	if err := p.append(line); err != nil {
		return err
	}
	return eachLine(rest, p.append)
}

// append appends a line, in bounded memory.
func (p *pending) append(line []byte) error {
	p.memory = append(p.memory, line...)
	if len(p.memory) > p.room {
		return p.spill(p.end())
	}
	return nil
}

// eachLine calls f with each line of a text, with its line feed.
func eachLine(r io.Reader, f func(line []byte) error) error {
	buffered := bufio.NewReaderSize(r, flushSize)
	var long []byte
	for {
		line, err := buffered.ReadSlice('\n')
		if err == bufio.ErrBufferFull {
			long = append(long, line...)
			continue
		}
		if len(long) > 0 {
			long = append(long, line...)
			line = long
		}
		if len(line) > 0 {
			if err := f(line); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		long = long[:0]
	}
}

func (p *pending) close() error {
	if p.file == nil {
		return nil
	}
	return p.file.Close()
}
