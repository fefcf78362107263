package corpus

import (
	"bufio"
	"io"
	"math"
	"strconv"
)

// Keys writes n made-up lines of a profile of an archive, sorted by their bytes:
// "KEY N/M" with the key of a host or path (SURT without query), its captures and
// the different URLs among them. Equal numbers make equal bytes; memory does not
// grow with n.
//
// Two thirds of the keys lie below one TLD. The keys of a domain, the hosts below
// it and the sizes of folders follow power laws, so that a few nodes have most of
// the children; a key has about 50 bytes. Some folders have a file of the same
// name and further ones whose names begin with it, which byte order puts in
// between.
func Keys(w io.Writer, n int64, seed uint64) error {
	k := keys{w: bufio.NewWriterSize(w, 256<<10), random: random(hash(seed, forKeys))}
	for i, tld := range keyTLDs {
		k.left = n - k.written
		if i < len(keyTLDs)-1 {
			k.left = int64(tld.share * float64(n))
		}
		at := k.below(1000)
		for k.left > 0 {
			at += 1 + k.below(250)
			k.domain(append(append(k.key[:0], tld.name...), ','), at)
		}
	}
	return k.w.Flush()
}

// keyTLDs are sorted; the last one gets what the others leave.
var keyTLDs = []struct {
	name  string
	share float64
}{{"com", 0.14}, {"de", 0.03}, {"edu", 0.02}, {"net", 0.06}, {"org", 0.07}, {"pt", 0.66}, {"uk", 0}}

type keys struct {
	w       *bufio.Writer
	random  random
	key     []byte
	left    int64 // lines that the TLD still gets
	written int64
}

func (k *keys) below(n int) int { return k.random.below(n) }

// size draws from a power law.
func (k *keys) size(least, exponent, most float64) int {
	return int(math.Min(most, least*math.Pow(1-fraction(k.random.next()), -1/exponent)))
}

// line writes a line, as long as there are to be more.
func (k *keys) line(key []byte) {
	if k.left == 0 {
		return
	}
	k.left--
	k.written++
	uris := k.size(1, 1.3, 1e6)
	k.w.Write(key)
	k.w.WriteByte(' ')
	k.w.WriteString(strconv.Itoa(uris * (1 + k.below(4))))
	k.w.WriteByte('/')
	k.w.WriteString(strconv.Itoa(uris))
	k.w.WriteByte('\n')
}

// domain writes the keys of a domain whose name is the n-th one.
func (k *keys) domain(prefix []byte, n int) {
	prefix = appendName(prefix, n, 6)
	size := k.size(3, 0.9, 60000)
	hosts := 0
	if k.below(3) == 0 {
		hosts = k.size(1, 0.8, float64(size)/3)
	}
	share := size / (hosts + 1)
	k.host(prefix, 1+share)
	at := 0
	for range hosts {
		at += 1 + k.below(200)
		k.host(appendName(append(prefix, ','), at, 3), 1+k.below(2*share+1))
	}
}

func (k *keys) host(prefix []byte, size int) {
	prefix = append(prefix, ')')
	k.line(append(prefix, '/'))
	k.folder(prefix, size-1, 1)
}

// folder writes so many keys below a path.
func (k *keys) folder(prefix []byte, size, depth int) {
	at := 0
	for size > 0 && k.left > 0 {
		at += 1 + k.below(8000)
		name := appendName(append(prefix, '/'), at, 5+k.below(6))
		k.line(name)
		size--
		if size == 0 || depth > 8 || k.below(5) > 0 {
			continue
		}
		if k.below(4) == 0 {
			k.line(append(name, "-index"...))
			k.line(append(name, ".html"...))
			size -= 2
		}
		inside := min(size, k.size(1, 0.8, 4000))
		k.folder(name, inside, depth+1)
		size -= inside
	}
}

// appendName appends a name of letters; those of higher numbers sort behind.
func appendName(dst []byte, n, length int) []byte {
	var digits [8]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = 'a' + byte(n%26)
		n /= 26
	}
	dst = append(dst, digits[2:]...)
	h := hash(uint64(n), uint64(digits[7]), uint64(digits[6]))
	for i := 2; i < length; i++ {
		dst = append(dst, 'a'+byte(h%26))
		h /= 26
	}
	return dst
}
