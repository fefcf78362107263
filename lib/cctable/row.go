package cctable

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	"archivestream/lib/cdx"
)

// ErrNoRow is the error of a capture that is sound but has no row in the table,
// because URLs of its kind have no host.
var ErrNoRow = errors.New("urls of this scheme have no host, and so no row")

// ErrCapture is wrapped by the errors of captures from which no row can be made.
var ErrCapture = errors.New("no row can be made")

// A Row is a row of the table. Its slices point into the capture that it was
// set from, or into memory of the row; nil stands for null. Set may be called
// again on the same value.
type Row struct {
	SURTKey      []byte
	URL          []byte
	Host         Host
	Protocol     []byte
	Port         int32 // -1 stands for null
	Path         []byte
	Query        []byte
	FetchTime    int64 // in milliseconds since 1970
	FetchStatus  int16
	Redirect     []byte
	Digest       []byte
	MimeType     []byte
	MimeDetected []byte
	Charset      []byte
	Languages    []byte
	Truncated    []byte
	PUID         []byte
	Soft404      float64 // -1 stands for null
	Filename     []byte
	Offset       int64 // in bytes
	Length       int64 // in bytes, -1 if it is not known
	Segment      []byte

	written []byte // host of the URL before, as it stood there
	scratch []byte // text that had to be changed
}

// maxText is the length of the longest text in bytes. Bounds of longer ones
// would make footers that engines refuse to read.
const maxText = 64 << 10

// Set makes the row of a capture. The error is ErrNoRow or wraps ErrCapture; the
// row is not to be used then.
func (r *Row) Set(c *cdx.Capture) error {
	r.scratch = r.scratch[:0]
	switch {
	case len(c.Key) == 0:
		return fmt.Errorf("%w: no key", ErrCapture)
	case len(c.URL) == 0:
		return fmt.Errorf("%w: no url", ErrCapture)
	case len(c.Filename) == 0:
		return fmt.Errorf("%w: no archive file", ErrCapture)
	case c.Offset < 0:
		return fmt.Errorf("%w: no offset", ErrCapture)
	}
	for _, text := range [...][]byte{
		c.Key, c.URL, c.Mime, c.Digest, c.Redirect, c.Filename, c.MimeDetected, c.Charset, c.Languages, c.Truncated, c.PUID,
	} {
		if len(text) > maxText {
			return fmt.Errorf("%w: text of %d bytes (%q…), at most %d have room", ErrCapture, len(text), text[:40], maxText)
		}
	}
	var err error
	if r.FetchTime, err = milliseconds(c.Timestamp); err != nil {
		return fmt.Errorf("%w: %w", ErrCapture, err)
	}
	r.URL = r.text(c.URL)
	switch err := r.setURLParts(); {
	case errors.Is(err, ErrNoRow):
		return err
	case err != nil:
		return fmt.Errorf("%w: %w", ErrCapture, err)
	}
	r.SURTKey = r.text(c.Key)
	r.FetchStatus = status(c.Status)
	r.Redirect = r.optional(c.Redirect)
	r.Digest = r.optional(withoutSHA1(c.Digest))
	r.MimeType = r.optional(c.Mime)
	r.MimeDetected = r.optional(c.MimeDetected)
	r.Charset = r.optional(c.Charset)
	r.Languages = r.optional(c.Languages)
	r.Truncated = r.optional(c.Truncated)
	r.PUID = r.optional(c.PUID)
	r.Soft404 = probability(c.Soft404)
	r.Filename = r.text(c.Filename)
	r.Offset, r.Length = c.Offset, max(c.Length, -1)
	_, r.Segment, _ = place(r.Filename)
	return nil
}

func (r *Row) setURLParts() error {
	p, err := splitURL(bytes.TrimSpace(r.URL))
	if err != nil {
		return err
	}
	// Lines are sorted by host: the one of the row before is mostly the same.
	if r.Host.Name == "" || !bytes.Equal(p.host, r.written) {
		r.written = append(r.written[:0], p.host...)
		r.Host = NewHost(string(p.host))
	}
	if r.Host.Name == "" {
		return errNoHost // nothing but dots
	}
	r.Protocol, r.Port, r.Path, r.Query = p.scheme, p.port, p.path, p.query
	for i, b := range p.scheme {
		if b >= 'A' && b <= 'Z' {
			begin := len(r.scratch)
			r.scratch = append(append(r.scratch, p.scheme[:i]...), bytes.ToLower(p.scheme[i:])...)
			r.Protocol = r.scratch[begin:]
			break
		}
	}
	return nil
}

// text makes UTF-8 of a value.
func (r *Row) text(value []byte) []byte {
	if utf8.Valid(value) {
		return value
	}
	begin := len(r.scratch)
	for len(value) > 0 {
		letter, n := utf8.DecodeRune(value)
		r.scratch = utf8.AppendRune(r.scratch, letter)
		value = value[n:]
	}
	return r.scratch[begin:len(r.scratch):len(r.scratch)]
}

func (r *Row) optional(value []byte) []byte {
	if len(value) == 0 || len(value) == 1 && value[0] == '-' {
		return nil
	}
	return r.text(value)
}

func withoutSHA1(digest []byte) []byte {
	const prefix = "sha1:"
	if len(digest) > len(prefix) && bytes.EqualFold(digest[:len(prefix)], []byte(prefix)) {
		return digest[len(prefix):]
	}
	return digest
}

// probability gives a number from 0 to 1, -1 for what is none.
func probability(field []byte) float64 {
	p, err := strconv.ParseFloat(string(field), 64)
	if err != nil || !(p >= 0 && p <= 1) {
		return -1
	}
	return p
}

func status(field []byte) int16 {
	if len(field) == 0 || len(field) > 6 || field[0] == '+' {
		return -1
	}
	n, err := strconv.ParseInt(string(field), 10, 16)
	if err != nil {
		return -1
	}
	return int16(n)
}

// milliseconds gives the time that 14 digits stand for (YYYYMMDDhhmmss, UTC).
func milliseconds(timestamp []byte) (int64, error) {
	if len(timestamp) != 14 {
		return 0, fmt.Errorf("timestamp of %d bytes, want 14 digits", len(timestamp))
	}
	for _, d := range timestamp {
		if d < '0' || d > '9' {
			return 0, fmt.Errorf("timestamp %q has other bytes than digits", timestamp)
		}
	}
	two := func(i int) int64 { return int64(timestamp[i]-'0')*10 + int64(timestamp[i+1]-'0') }
	year, month, day := two(0)*100+two(2), two(4), two(6)
	hour, minute, second := two(8), two(10), two(12)
	if year == 0 || month == 0 || month > 12 || day == 0 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59 {
		return 0, fmt.Errorf("timestamp %s is no time", timestamp)
	}
	return (((daysSince1970(year, month, day)*24+hour)*60+minute)*60 + second) * 1000, nil
}

func daysOf(year, month int64) int64 {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts years from March, so that the day of a leap year is the
// last one.
func daysSince1970(year, month, day int64) int64 {
	if month < 3 {
		year, month = year-1, month+12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 1 - 719468
}
