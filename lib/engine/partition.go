package engine

import "unicode/utf8"

// partitioner says which of n reducers a key belongs to. It is not safe for
// concurrent use.
type partitioner func(key []byte, n int) int

// hashPartition is Hadoop's HashPartitioner on a Text key, whose hash is
// WritableComparator.hashBytes: 31·h + signed byte, from 1.
func hashPartition(key []byte, n int) int {
	return reducerOf(hashOn(1, key), n)
}

// hashOn goes on with Java's hash h over bytes taken as signed.
func hashOn(h int32, bytes []byte) int32 {
	for _, b := range bytes {
		h = 31*h + int32(int8(b))
	}
	return h
}

func reducerOf(hash int32, n int) int {
	return int(hash&0x7fffffff) % n
}

// fieldPartition is Hadoop's KeyFieldBasedPartitioner.
func fieldPartition(fields []keyField, whole bool) partitioner {
	if len(fields) == 0 {
		return func(key []byte, n int) int { return reducerOf(hashString(key), n) }
	}
	var borders []int
	var decoded []byte
	return func(key []byte, n int) int {
		if len(key) == 0 {
			return 0
		}
		if !utf8.Valid(key) {
			// Hadoop makes a string of the key and bytes of the string.
			decoded = appendReplaced(decoded[:0], key)
			key = decoded
		}
		if whole {
			borders = append(borders[:0], len(key))
		} else {
			borders = ends(key, borders)
		}
		var h int32
		for _, f := range fields {
			if from, to, ok := f.bounds(key, borders); ok {
				h = hashOn(h, key[from:to])
			}
		}
		return reducerOf(h, n)
	}
}

// hashString is String.hashCode of the text that Java decodes from UTF-8: over
// UTF-16 code units, from 0.
func hashString(text []byte) int32 {
	if !utf8.Valid(text) {
		text = appendReplaced(nil, text)
	}
	var h int32
	for _, r := range string(text) {
		if r > 0xffff {
			r -= 0x10000
			h = 31*h + int32(0xd800+r>>10)
			r = 0xdc00 + r&0x3ff
		}
		h = 31*h + int32(r)
	}
	return h
}

// appendReplaced copies text with each malformed sequence replaced by one
// U+FFFD, as Java's decoder counts them: a sequence is as long as it could
// still have become a character, where Go replaces byte by byte.
func appendReplaced(dst, text []byte) []byte {
	for len(text) > 0 {
		_, n := utf8.DecodeRune(text)
		if n > 1 || text[0] < utf8.RuneSelf {
			dst = append(dst, text[:n]...)
		} else {
			n = malformed(text)
			dst = append(dst, "\ufffd"...)
		}
		text = text[n:]
	}
	return dst
}

// malformed is the length of the malformed sequence that text begins with.
func malformed(text []byte) int {
	low, high, more := byte(0x80), byte(0xbf), 0
	switch b := text[0]; {
	case b >= 0xc2 && b <= 0xdf:
		more = 1
	case b == 0xe0:
		low, more = 0xa0, 2
	case b == 0xed:
		// Java looks at the surrogates' three bytes as one.
		more = 2
	case b >= 0xe1 && b <= 0xef:
		more = 2
	case b == 0xf0:
		low, more = 0x90, 3
	case b >= 0xf1 && b <= 0xf3:
		more = 3
	case b == 0xf4:
		high, more = 0x8f, 3
	}
	n := 1
	for ; n <= more && n < len(text); n++ {
		if text[n] < low || text[n] > high {
			break
		}
		low, high = 0x80, 0xbf
	}
	return n
}
