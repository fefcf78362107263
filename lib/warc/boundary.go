package warc

import (
	"bytes"
	"fmt"
)

// A boundary is where a record ends in what follows its header.
type boundary struct {
	block  int  // length of the block, in bytes
	behind int  // where what follows the record stands, after its blank lines
	found  bool // there is something after it that says so

	kind   DefectKind // what is wrong with it; empty: nothing
	detail string
}

// BlockOf returns the block of a record whose header claims a length in bytes, -1 for
// none, by the rule of a Reader: rest is what follows the header in its gzip member, or
// up to the record's end in a file that is not compressed. The block is a part of rest.
// The defect is one of kind BadLength, where the claim is wrong, or nil.
func BlockOf(rest []byte, format Format, claimed int64) ([]byte, *Defect) {
	b := boundaryOf(rest, format, claimed)
	if b.kind != BadLength {
		return rest[:b.block:b.block], nil
	}
	return rest[:b.block:b.block], &Defect{Kind: BadLength, Detail: b.detail}
}

// boundaryOf finds where in rest, which follows a record's header, the record's
// block ends and where the record does, its blank lines included.
func boundaryOf(rest []byte, format Format, claimed int64) boundary {
	var b boundary
	if claimed >= 0 && claimed <= int64(len(rest)) {
		b.block = int(claimed)
		b.behind = b.block + int(blankLines(rest[b.block:], format))
		if endsHere(rest[b.behind:], b.behind > b.block) && (b.behind > b.block || !withinARCLine(rest[:b.block], rest[b.block:])) {
			b.found = true
			if b.behind < len(rest) {
				b.checkEnding(rest[b.block:b.behind], format)
			}
			return b
		}
		if n := spoiltEnding(rest[b.block:], format); n > 0 {
			b.behind, b.found = b.block+n, true
			b.kind, b.detail = MissingEnding, fmt.Sprintf("%q behind the block", rest[b.block:b.behind])
			return b
		}
	}
	next := findRecord(rest, 0, format)
	b.found = next < len(rest)
	if b.behind > b.block && next > b.behind {
		// The length was right: what follows belongs to nobody. Were there a
		// record before, the line end would be one of its text.
		b.kind, b.detail = Garbage, fmt.Sprintf("%d bytes behind the record belong to none", next-b.behind)
		b.behind = next
		return b
	}
	b.block, b.behind = next-endingOf(rest[:next], format), next
	if claimed >= 0 {
		b.kind, b.detail = BadLength, badLength(claimed, int64(b.block))
	}
	return b
}

func badLength(claimed, block int64) string {
	return fmt.Sprintf("the header says %d bytes, the block has %d", claimed, block)
}

// checkEnding notes when fewer line ends are behind a record's block than its
// format wants.
func (b *boundary) checkEnding(blank []byte, format Format) {
	if detail := missingEnding(blank, format); detail != "" {
		b.kind, b.detail = MissingEnding, detail
	}
}

// missingEnding says when fewer line ends are behind a block than its format wants:
// two for WARC, one for ARC.
func missingEnding(blank []byte, format Format) string {
	want := 2
	if format == ARC {
		want = 1
	}
	if got := bytes.Count(blank, []byte("\n")); got < want {
		return fmt.Sprintf("%d line ends behind the block, not %d", got, want)
	}
	return ""
}

// endingOf gives the length of the blank lines that end a record.
func endingOf(record []byte, format Format) int {
	endings := [...]string{"\r\n\r\n", "\n\n", "\r\n", "\n"}
	if format == ARC {
		endings = [...]string{"\r\n", "\n", "", ""}
	}
	for _, e := range endings {
		if bytes.HasSuffix(record, []byte(e)) {
			return len(e)
		}
	}
	return 0
}
