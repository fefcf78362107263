package graph

import (
	"bytes"
	"errors"
)

// maxDigits is the length of the longest number among ids.
const maxDigits = 60

// textKey begins the key of an id that is no number.
const textKey = '~'

// AppendKey appends the key of an id: see the package's documentation.
func AppendKey(dst, id []byte) []byte {
	mark := byte(textKey)
	if isNumber(id) {
		mark = '0' + byte(len(id))
	}
	return append(append(dst, mark), id...)
}

// ID gives the id of a key: a slice of it.
func ID(key []byte) []byte {
	if len(key) == 0 {
		return nil
	}
	return key[1:]
}

func isNumber(id []byte) bool {
	if len(id) == 0 || len(id) > maxDigits || id[0] == '0' && len(id) > 1 {
		return false
	}
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return true
}

var (
	errOneField = errors.New("not an edge: one field")
	errEmptyID  = errors.New("an id is empty")
	errPair     = errors.New("not a pair of keys")
)

// cutEdge takes the ends of an edge out of its line.
func cutEdge(line []byte) (a, b []byte, err error) {
	i := bytes.IndexByte(line, '\t')
	if i < 0 {
		return nil, nil, errOneField
	}
	a, b = line[:i], line[i+1:]
	if j := bytes.IndexByte(b, '\t'); j >= 0 {
		b = b[:j]
	}
	if len(a) == 0 || len(b) == 0 {
		return nil, nil, errEmptyID
	}
	return a, b, nil
}

// cutVertex takes the id out of the line of a vertex.
func cutVertex(line []byte) ([]byte, error) {
	if i := bytes.IndexByte(line, '\t'); i >= 0 {
		line = line[:i]
	}
	if len(line) == 0 {
		return nil, errEmptyID
	}
	return line, nil
}

// cutPair takes the keys out of an edge of a round.
func cutPair(line []byte) (a, b []byte, err error) {
	a, b, err = cutEdge(line)
	if err == nil && (len(a) < 2 || len(b) < 2) {
		err = errPair
	}
	return a, b, err
}
