package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"archivestream/lib/warc"
)

// A capture is a line of the lists, in the fields of CDX.
type capture struct {
	key, timestamp, url, mime, status, digest, redirect string
	length, offset                                      int64
	file                                                string
}

// writeLists writes the lists of captures of the archives in the folder.
func writeLists(dir string) error {
	names, err := filepath.Glob(filepath.Join(dir, "archives", "*arc*"))
	if err != nil {
		return err
	}
	var captures []capture
	for _, name := range names {
		if strings.Contains(name, "one-member") {
			continue // its records have no offsets of their own
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		found, err := capturesOf(filepath.Base(name), content)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		captures = append(captures, found...)
	}
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(captures), func(i, j int) { captures[i], captures[j] = captures[j], captures[i] })
	for name, list := range map[string]struct {
		header string
		line   func(*capture) string
	}{
		"captures.cdxj": {"", (*capture).cdxj},
		"captures.cdx":  {" CDX N b a m s k r M S V g\n", (*capture).cdx11},
		"captures9.cdx": {" CDX N b a m s k r V g\n", (*capture).cdx9},
		"captures.tsv":  {"", (*capture).tsv},
	} {
		var b strings.Builder
		b.WriteString(list.header)
		for i := range captures {
			b.WriteString(list.line(&captures[i]) + "\n")
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(b.String()), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// capturesOf gives the captures in an archive: responses, revisits, resources.
func capturesOf(name string, content []byte) ([]capture, error) {
	var found []capture
	file, size := bytes.NewReader(content), int64(len(content))
	x := warc.NewRandomReader()
	for offset := int64(0); offset < size; {
		length, err := recordLength(x, content, offset)
		if err != nil {
			return nil, err
		}
		r, err := x.ReadAt(file, size, offset)
		if err != nil {
			return nil, err
		}
		block, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		if slices.Contains([]string{warc.Response, warc.Revisit, warc.Resource}, r.Type) && !strings.HasPrefix(r.TargetURI(), "metadata:") {
			c := describe(r, block)
			c.file, c.offset, c.length = name, offset, length
			found = append(found, c)
		}
		offset += length
	}
	return found, nil
}

func recordLength(x *warc.RandomReader, content []byte, offset int64) (int64, error) {
	if bytes.HasPrefix(content[offset:], []byte{0x1f, 0x8b}) {
		return x.MemberLength(bytes.NewReader(content), int64(len(content)), offset)
	}
	extent, err := x.PlainExtent(bytes.NewReader(content), int64(len(content)), offset)
	return extent.Length, err
}

// describe fills in what an indexer takes from the record itself.
func describe(r *warc.Record, block []byte) capture {
	c := capture{
		key: sortKey(r.TargetURI()), timestamp: r.Date().Format("20060102150405"), url: r.TargetURI(),
		mime: r.Header.Get("Content-Type"), status: "-", redirect: "-", digest: digest(block)[len("sha1:"):],
	}
	if answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), nil); err == nil {
		answer.Body.Close()
		c.mime, _, _ = strings.Cut(answer.Header.Get("Content-Type"), ";")
		c.status = fmt.Sprint(answer.StatusCode)
		c.digest = digest(payload(block))[len("sha1:"):]
		if target, err := answer.Location(); err == nil {
			base, _ := url.Parse(r.TargetURI())
			c.redirect = base.ResolveReference(target).String()
		}
	}
	if r.Type == warc.Revisit {
		c.mime, c.digest = "warc/revisit", strings.TrimPrefix(r.Header.Get("WARC-Payload-Digest"), "sha1:")
	}
	return c
}

// sortKey gives the key of the site's own URLs, in Sort-friendly URI Reordering
// Transform. It knows no others.
func sortKey(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Host == "" {
		return s
	}
	labels := strings.Split(strings.TrimPrefix(u.Hostname(), "www."), ".")
	slices.Reverse(labels)
	query := strings.Split(u.RawQuery, "&")
	slices.Sort(query)
	key := strings.Join(labels, ",") + ")" + u.EscapedPath()
	if u.RawQuery != "" {
		key += "?" + strings.Join(query, "&")
	}
	return strings.ToLower(key)
}

func (c *capture) cdx11() string {
	return fmt.Sprintf("%s %s %s %s %s %s %s - %d %d %s", c.key, c.timestamp, c.url, c.mime, c.status, c.digest, c.redirect, c.length, c.offset, c.file)
}

func (c *capture) cdx9() string {
	return fmt.Sprintf("%s %s %s %s %s %s %s %d %s", c.key, c.timestamp, c.url, c.mime, c.status, c.digest, c.redirect, c.offset, c.file)
}

func (c *capture) tsv() string {
	return fmt.Sprintf("%s\t%s\t%d\t%d", c.url, c.file, c.offset, c.length)
}

func (c *capture) cdxj() string {
	quoted := func(s string) string {
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		e.Encode(s) // a string can be encoded
		return strings.TrimSpace(b.String())
	}
	status := ""
	if c.status != "-" {
		status = `, "status": ` + quoted(c.status)
	}
	return fmt.Sprintf(`%s %s {"url": %s, "mime": %s%s, "digest": %s, "length": "%d", "offset": "%d", "filename": %s}`,
		c.key, c.timestamp, quoted(c.url), quoted(c.mime), status, quoted(c.digest), c.length, c.offset, quoted(c.file))
}
