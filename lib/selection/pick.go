package selection

import (
	"bytes"
	"fmt"
	"strconv"

	"archivestream/lib/cdx"
	"archivestream/lib/extract"
	"archivestream/lib/stage"
	"archivestream/lib/warc"
	"archivestream/lib/where"
)

// A Pick says which captures of a group are taken.
type Pick string

// The picks. Of captures with the same timestamp it is the one whose archive file
// and offset come first.
const (
	Latest         Pick = "latest"
	Earliest       Pick = "earliest"
	FirstPerDigest Pick = "first-per-digest" // the earliest of each digest
)

// timestampDigits is how long the timestamps are that picks sort by.
const timestampDigits = 14

// A keyMaker makes the fields in front of a plan's line that PickCaptures needs.
type keyMaker struct {
	pick  Pick
	per   func(*where.Capture) ([]byte, error)
	value []byte

	digest []byte
}

func newKeyMaker(pick Pick, per string) (*keyMaker, error) {
	k := &keyMaker{pick: pick}
	switch pick {
	case Latest, Earliest, FirstPerDigest:
	default:
		return nil, stage.Usage("--pick %q: latest, earliest or first-per-digest is wanted", pick)
	}
	switch per {
	case "url":
		k.per = func(c *where.Capture) ([]byte, error) { return c.Key(), nil }
	case "host":
		k.per = func(c *where.Capture) ([]byte, error) { return c.Host(), nil }
	case "domain":
		k.per = func(c *where.Capture) ([]byte, error) { return c.Domain(), nil }
	default:
		e, err := where.CompileValue(per, &where.Captures)
		if err != nil {
			return nil, stage.Usage("--per: url, host, domain or an expression is wanted: %v", err)
		}
		k.per = func(c *where.Capture) ([]byte, error) { return k.evaluate(e, c) }
	}
	return k, nil
}

// evaluate gives what an expression makes of a capture, as text.
func (k *keyMaker) evaluate(e *where.Expression, c *where.Capture) ([]byte, error) {
	value, err := e.Value(c)
	if err != nil {
		return nil, err
	}
	switch v := value.(type) {
	case string:
		k.value = append(k.value[:0], v...)
	case int:
		k.value = strconv.AppendInt(k.value[:0], int64(v), 10)
	case float64:
		k.value = strconv.AppendFloat(k.value[:0], v, 'g', -1, 64)
	case bool:
		k.value = strconv.AppendBool(k.value[:0], v)
	default:
		return nil, fmt.Errorf("a text, a number or a truth value is wanted, not %T", value)
	}
	return k.value, nil
}

// append appends the group and what it is sorted by, each with a tab behind it.
func (k *keyMaker) append(dst []byte, record *where.Capture, c *cdx.Capture) ([]byte, error) {
	group, err := k.per(record)
	if err != nil {
		return dst, err
	}
	dst = stage.AppendEscaped(dst, group)
	if k.pick == FirstPerDigest {
		dst = append(dst, ' ')
		if k.digest = warc.AppendDigestKey(k.digest[:0], c.Digest); len(k.digest) > 0 {
			dst = stage.AppendEscaped(dst, k.digest)
		} else { // nothing says that it is the same as another
			dst = stage.AppendEscaped(dst, c.Filename)
			dst = strconv.AppendInt(append(dst, ' '), c.Offset, 10)
		}
	}
	dst = appendTimestamp(append(dst, '\t'), c.Timestamp, k.pick == Latest)
	return append(dst, '\t'), nil
}

// appendTimestamp appends 14 digits, backwards so that the latest sorts first.
func appendTimestamp(dst, timestamp []byte, backwards bool) []byte {
	for i := range timestampDigits {
		digit := byte('0')
		if i < len(timestamp) && timestamp[i] >= '0' && timestamp[i] <= '9' {
			digit = timestamp[i]
		}
		if backwards {
			digit = '0' + '9' - digit
		}
		dst = append(dst, digit)
	}
	return dst
}

// PickCaptures is the reducer that takes the first capture of each group. Its input
// is lines of Filter with a pick, sorted as a whole; it makes the lines of a plan.
func PickCaptures(t *stage.Task) error {
	picked, left, size := int64(0), int64(0), int64(0)
	var p extract.PlanLine
	for group, err := range t.Groups(1) {
		if err != nil {
			return err
		}
		first := true
		for value, err := range group.Values() {
			if err != nil {
				return err
			}
			if !first {
				left++
				continue
			}
			first = false
			_, plan, ok := bytes.Cut(value, []byte{'\t'})
			if !ok {
				return fmt.Errorf("not a line of filter-captures --pick: %q", value)
			}
			// hadoop-streaming ends a key without value in a tab.
			plan = bytes.TrimRight(plan, "\t")
			if err := p.Parse(plan); err != nil {
				return err
			}
			if err := t.Write(plan); err != nil {
				return err
			}
			size += p.Size()
			picked++
		}
	}
	t.Count("picked", picked)
	t.Count("picked-bytes", size)
	t.Count("left", left)
	return nil
}
