package mementomap

import (
	"bytes"

	"archivestream/lib/surt"
)

// A Map is a map that is searched where it lies. It is for one goroutine. Keys that
// come in sorted order find most of what they need in memory: each part of the map
// is read about once.
type Map struct {
	blocks *blocks
	key    []byte
	wanted []byte
	answer []byte
	trail  []step // the wildcards that were looked for last, hosts then paths
	near   int    // so many bytes of the wanted key begin a line of the map
}

// A step is a wildcard that was looked for.
type step struct {
	wildcard, line []byte // line is empty where the map has none
}

// Open opens a map by path or URI: text, or gzip. Of a gzip file with blocks only
// these are read that are needed, if the index that BlockWriter makes lies beside
// it; otherwise it is inflated as a whole into a temporary file.
func Open(name string) (*Map, error) {
	b, err := openBlocks(name)
	if err != nil {
		return nil, err
	}
	return &Map{blocks: b}, nil
}

// Close closes the map.
func (m *Map) Close() error { return m.blocks.close() }

// A Match is the line of a map that tells of a URI.
type Match struct {
	Key       []byte
	Value     []byte // the frequency as the map has it
	Frequency Frequency
}

// FindURI looks for a URI: see Find.
func (m *Map) FindURI(uri []byte) (Match, bool, error) {
	m.key = surt.Append(m.key[:0], uri)
	return m.FindSURT(m.key)
}

// FindSURT looks for the SURT of a URI.
func (m *Map) FindSURT(surt []byte) (Match, bool, error) {
	m.wanted = AppendKey(m.wanted[:0], surt)
	return m.Find(m.wanted)
}

// Find gives the most specific line that covers a key: its own, then the wildcards
// of its path, of the paths above it, of its host, and of the hosts above. The match
// is valid until the next call.
func (m *Map) Find(key []byte) (Match, bool, error) {
	host := hostEnd(key)
	line, err := m.exact(key, host)
	if err != nil || line != nil {
		return match(line), line != nil, err
	}
	if host >= 0 {
		m.answer = append(m.answer[:0], key...)
		for end := len(key); end > host; end = bytes.LastIndexByte(key[:end], '/') {
			if end == host+2 && end == len(key) {
				continue // the slash of a root
			}
			// Lines below a path stand together, around the key.
			if end <= m.near {
				if line, err = m.wildcard(append(m.answer[:end], "/*"...)); err != nil || line != nil {
					return match(line), line != nil, err
				}
			}
		}
		copy(m.answer[:host], key)
		for end := host; end > 0; end = bytes.LastIndexByte(key[:end], ',') {
			if line, err = m.wildcard(append(append(m.answer[:0], key[:end]...), ",*"...)); err != nil || line != nil {
				return match(line), line != nil, err
			}
		}
	}
	line, err = m.wildcard(append(m.answer[:0], '*'))
	return match(line), line != nil, err
}

func match(line []byte) Match {
	if line == nil {
		return Match{}
	}
	key, value, _ := bytes.Cut(line, []byte{' '})
	value, _, _ = bytes.Cut(value, []byte{' '})
	f, _ := ParseFrequency(value)
	return Match{key, value, f}
}

// exact looks for the line of a key, of a root in both of its forms.
func (m *Map) exact(key []byte, host int) ([]byte, error) {
	line, near, err := m.blocks.find(key)
	m.near = near
	if err != nil || line != nil || host < 0 || host < len(key)-2 {
		return line, err
	}
	other := append(append(m.answer[:0], key[:host+1]...), '/')
	if host == len(key)-2 {
		other = other[:host+1]
	}
	m.answer = other
	line, near, err = m.blocks.find(other)
	m.near = max(m.near, near)
	return line, err
}

// wildcard looks for the line of a wildcard. The last ones are remembered.
func (m *Map) wildcard(key []byte) ([]byte, error) {
	m.answer = key
	slot := bytes.Count(key, []byte{','}) + 4*bytes.Count(key, []byte{'/'})
	for len(m.trail) <= slot {
		m.trail = append(m.trail, step{})
	}
	s := &m.trail[slot]
	if !bytes.Equal(s.wildcard, key) {
		line, _, err := m.blocks.find(key)
		if err != nil {
			return nil, err
		}
		s.wildcard = append(s.wildcard[:0], key...)
		s.line = append(s.line[:0], line...)
	}
	if len(s.line) == 0 {
		return nil, nil
	}
	return s.line, nil
}

// find gives the line of a key, nil where there is none, and with how many bytes of
// the key the lines around its place begin.
func (b *blocks) find(key []byte) (line []byte, near int, err error) {
	i, err := b.locate(key)
	if err != nil || b.count == 0 {
		return nil, 0, err
	}
	if i < 0 { // before all lines
		first, err := b.first(0)
		return nil, commonPrefix(first, key), err
	}
	text, err := b.text(i)
	if err != nil {
		return nil, 0, err
	}
	at := lowerBound(text, key)
	if at > 0 {
		start := bytes.LastIndexByte(text[:at-1], '\n') + 1
		near = commonPrefix(text[start:at-1], key)
	}
	if at == len(text) {
		if i+1 < b.count {
			next, err := b.first(i + 1)
			if err != nil {
				return nil, 0, err
			}
			near = max(near, commonPrefix(next, key))
		}
		return nil, near, nil
	}
	line = text[at:]
	if end := bytes.IndexByte(line, '\n'); end >= 0 {
		line = line[:end]
	}
	shared := commonPrefix(line, key)
	if shared == len(key) && len(line) > shared && line[shared] == ' ' {
		return line, shared, nil
	}
	return nil, max(near, shared), nil
}

// locate gives the last block whose first key is not behind the key, -1 where there
// is none.
func (b *blocks) locate(key []byte) (int, error) {
	below := func(i int) (bool, error) {
		first, err := b.first(i)
		return bytes.Compare(first, key) <= 0, err
	}
	lo, hi := -1, b.count // lo is below, hi is not
	if b.last >= 0 && b.last < b.count {
		// Sorted keys lie in the same block, or in the next.
		for at := b.last; at < min(b.last+3, b.count); at++ {
			ok, err := below(at)
			if err != nil {
				return 0, err
			}
			if !ok {
				hi = at
				break
			}
			lo = at
		}
	}
	for hi-lo > 1 {
		mid := lo + (hi-lo)/2
		ok, err := below(mid)
		if err != nil {
			return 0, err
		}
		if ok {
			lo = mid
		} else {
			hi = mid
		}
	}
	b.last = lo
	return lo, nil
}

// lowerBound gives the offset of the first of sorted lines whose key is not before
// the key; the text's length where there is none.
func lowerBound(text, key []byte) int {
	lo, hi := 0, len(text) // lines before lo are before it, the one at hi is not
	for lo < hi {
		mid := lo + (hi-lo)/2
		start := lo + bytes.LastIndexByte(text[lo:mid], '\n') + 1
		end := len(text)
		if i := bytes.IndexByte(text[mid:], '\n'); i >= 0 {
			end = mid + i
		}
		if before(text[start:end], key) {
			lo = min(end+1, len(text))
		} else {
			hi = start
		}
	}
	return lo
}

// before says whether the key of a line sorts before a key.
func before(line, key []byte) bool {
	shared := commonPrefix(line, key)
	switch {
	case shared == len(key):
		return false
	case shared == len(line):
		return true
	}
	return line[shared] < key[shared]
}
