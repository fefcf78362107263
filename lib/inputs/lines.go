package inputs

import (
	"bytes"
	"encoding/json"
)

var newline = []byte{'\n'}

// matchers tell by a line what a file of lines is, the surest first.
var matchers = []struct {
	kind  Kind
	match func(line []byte) bool
}{
	{CDXJ, isCDXJ}, {Cluster, isCluster}, {Captures, isCapture}, {Documents, isDocument}, {CDX, isCDX},
	{Links, isLink}, {Log, isLog}, {Map, isMap}, {Locations, isLocation}, {Edges, isEdge},
}

// isArcHead reports whether a line is the head of an ARC record: URL, address, date,
// type and length, or in version 2 ten fields.
func isArcHead(line []byte) bool {
	f := bytes.Split(bytes.TrimSuffix(line, []byte("\r")), []byte(" "))
	n := len(f)
	if n < 5 || bytes.IndexByte(f[0], ':') <= 0 {
		return false
	}
	at := 2 // of the date, behind URL and address
	if n != 5 && n != 10 {
		at = n - 3 // spaces in the URL
	}
	return digits(f[at]) && len(f[at]) >= 8 && len(f[at]) <= 17 && digits(f[n-1]) && !isCDX(line)
}

// isOfArcHead reports whether a line that begins with the URL of an ARC file's head is not
// that head, but tells of it: of an index, or of another table.
func isOfArcHead(line []byte) bool {
	return bytes.IndexByte(line, '\t') >= 0 || isCDXJ(line) || isCDX(line)
}

func isCDXJ(line []byte) bool {
	key, rest, ok := bytes.Cut(line, []byte(" "))
	if !ok || len(key) == 0 || key[0] == '!' || key[0] == '{' {
		return false
	}
	timestamp, object, ok := bytes.Cut(rest, []byte(" "))
	return ok && isTimestamp(timestamp) && len(object) > 0 && object[0] == '{'
}

// isTimestamp takes the 4 to 17 digits that indexes have.
func isTimestamp(field []byte) bool { return len(field) >= 4 && len(field) <= 17 && digits(field) }

func isCDXHeader(line []byte) bool {
	if bytes.HasPrefix(line, []byte("CDX N b ")) || bytes.HasPrefix(line, []byte("CDX A b ")) {
		return true // without the separator in front, as the format's own example has it
	}
	return len(line) > 5 && string(line[1:4]) == "CDX" && line[4] == line[0] && !letter(line[0])
}

func isCDX(line []byte) bool {
	if isCDXHeader(line) {
		return true
	}
	n := bytes.Count(line, []byte(" ")) + 1
	if n < 9 || n > 11 {
		return false
	}
	f := bytes.Split(line, []byte(" "))
	return isTimestamp(f[1]) && digits(f[n-2]) // the offset stands before the file
}

// isCluster takes a line of cluster.idx: key and timestamp, shard, offset, length and
// perhaps the block's number.
func isCluster(line []byte) bool {
	f := bytes.Split(line, []byte("\t"))
	if len(f) != 4 && len(f) != 5 {
		return false
	}
	_, timestamp, ok := bytes.Cut(f[0], []byte(" "))
	return ok && isTimestamp(timestamp) && digits(f[2]) && digits(f[3])
}

// isCapture takes URL, archive, offset and length. What is wrong with one of the numbers
// a job says better.
func isCapture(line []byte) bool {
	f := bytes.Split(line, []byte("\t"))
	return len(f) == 4 && len(f[1]) > 0 && (bytes.Contains(f[0], []byte("://")) || digits(f[2]) && (digits(f[3]) || string(f[3]) == "-"))
}

// isDocument takes a JSON object, also one that the sample cuts.
func isDocument(line []byte) bool {
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || line[0] != '{' {
		return false
	}
	d := json.NewDecoder(bytes.NewReader(line))
	if _, err := d.Token(); err != nil {
		return false
	}
	t, err := d.Token()
	_, name := t.(string)
	return err == nil && (name || t == json.Delim('}'))
}

// isLink takes HOST TAB HOST TAB KIND TAB NUMBER, of a page without links two fields less.
func isLink(line []byte) bool {
	f := bytes.Split(line, []byte("\t"))
	if len(f) != 4 || len(f[0]) == 0 || !digits(f[3]) {
		return false
	}
	switch string(f[2]) {
	case "link", "nofollow", "requisite":
		return len(f[1]) > 0
	}
	return len(f[1]) == 0 && len(f[2]) == 0
}

// isLog takes URI and status, or the common log format.
func isLog(line []byte) bool {
	if i := bytes.IndexAny(line, " \t"); i > 0 && bytes.Contains(line[:i], []byte("://")) {
		status, _, _ := bytes.Cut(line[i+1:], line[i:i+1])
		return len(status) == 3 && digits(status)
	}
	_, rest, ok := bytes.Cut(line, []byte(`] "`))
	return ok && bytes.Contains(rest, []byte(`" `))
}

// isMap takes a key and a frequency, and perhaps a JSON object.
func isMap(line []byte) bool {
	if bytes.HasPrefix(line, []byte("!fields {keys")) {
		return true // whatever the columns are
	}
	key, rest, ok := bytes.Cut(line, []byte(" "))
	if !ok || len(key) == 0 || key[0] == '!' || bytes.ContainsAny(key, "\t:") && !bytes.Contains(key, []byte(")")) || bytes.Contains(key, []byte("://")) {
		return false
	}
	frequency, object, more := bytes.Cut(rest, []byte(" "))
	if more && (len(object) == 0 || object[0] != '{') {
		return false
	}
	return isFrequency(frequency)
}

// isFrequency takes numbers of captures and URIs, as 3, 3/2, 12+/3- or /2.
func isFrequency(field []byte) bool {
	if len(field) == 0 {
		return false
	}
	slashes := 0
	for i, c := range field {
		switch {
		case c == '/':
			slashes++
		case (c == '+' || c == '-' || c == '~') && i > 0:
		case c < '0' || c > '9':
			return false
		}
	}
	return slashes <= 1
}

// isLocation takes a shard's name and its paths.
func isLocation(line []byte) bool {
	shard, paths, ok := bytes.Cut(line, []byte("\t"))
	return ok && len(shard) > 0 && bytes.Contains(paths, []byte(".gz")) && !isCapture(line)
}

func isEdge(line []byte) bool {
	from, rest, ok := bytes.Cut(line, []byte("\t"))
	to, _, _ := bytes.Cut(rest, []byte("\t"))
	return ok && len(from) > 0 && len(to) > 0
}

func digits(field []byte) bool {
	for _, c := range field {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(field) > 0
}

func letter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
