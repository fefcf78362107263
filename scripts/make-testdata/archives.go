package main

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"io"
	"time"

	"archivestream/lib/warc"
)

// dates are when the made archives say that the site was captured.
var dates = []time.Time{
	time.Date(2008, 4, 30, 20, 48, 25, 0, time.UTC),
	time.Date(2012, 11, 5, 6, 7, 8, 0, time.UTC),
}

// An archive is a file in the making, its records kept apart, so that they can be
// put together in several ways.
type archive struct {
	format  warc.Format
	records [][]byte // plain, blank lines included; the first is the head
	err     error
}

func newArchive(format warc.Format, name string) *archive {
	a := &archive{format: format}
	h := warc.FileHead{Format: format, Plain: true, Filename: name, Date: dates[0], Fields: warc.Header{
		{Name: "software", Value: "archivestream make-testdata"},
		{Name: "format", Value: "WARC File Format 1.0"},
		{Name: "description", Value: "made for tests out of pages of our own"},
	}}
	a.add(func(w *warc.Writer) error { _, err := w.WriteHead(&h); return err })
	return a
}

func (a *archive) add(write func(*warc.Writer) error) {
	var b bytes.Buffer
	if err := write(warc.NewWriter(&b, warc.WriterOptions{Plain: true})); err != nil && a.err == nil {
		a.err = err
	}
	a.records = append(a.records, b.Bytes())
}

// arc adds a record to an ARC file.
func (a *archive) arc(url, ip, contentType string, date time.Time, block []byte) {
	line := &warc.ARCLine{URL: url, IP: ip, Date: date.Format("20060102150405"), ContentType: contentType}
	a.add(func(w *warc.Writer) error {
		_, _, err := w.WriteARC(line, bytes.NewReader(block), int64(len(block)))
		return err
	})
}

// warc adds a record to a WARC file and gives its id.
func (a *archive) warc(recordType, url string, date time.Time, block []byte, more ...warc.Field) string {
	h := warc.Header{{Name: "WARC-Type", Value: recordType}}
	if url != "" {
		h.Add("WARC-Target-URI", url)
	}
	h.Add("WARC-Date", date.Format(time.RFC3339))
	h.Add("WARC-Block-Digest", digest(block))
	h = append(h, more...)
	id := warc.RecordID(h)
	h.Add("WARC-Record-ID", id)
	a.add(func(w *warc.Writer) error {
		_, _, err := w.WriteRecord(h, bytes.NewReader(block), int64(len(block)))
		return err
	})
	return id
}

func digest(p []byte) string {
	sum := sha1.Sum(p)
	return warc.Digest{Algorithm: "sha1", Sum: sum[:]}.String()
}

func payload(message []byte) []byte {
	_, after, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	return after
}

func (a *archive) plain() []byte { return bytes.Join(a.records, nil) }

// members gives the file with each record in a gzip member of its own.
func (a *archive) members() []byte {
	var b bytes.Buffer
	for _, r := range a.records {
		b.Write(compress(r))
	}
	return b.Bytes()
}

// oneMember gives the file as one gzip member.
func (a *archive) oneMember() []byte { return compress(a.plain()) }

const (
	serverIP   = "192.0.2.80" // of RFC 5737, as are the others
	resolverIP = "192.0.2.53"
	httpAnswer = "application/http; msgtype=response"
	identical  = "http://netpreserve.org/warc/1.0/revisit/identical-payload-digest"
	screenshot = "http://" + gardenHost + "/screenshot"
)

func lookup(host string, date time.Time) []byte {
	return fmt.Appendf(nil, "%s\n%s.\t3600\tIN\tA\t%s\n", date.Format("20060102150405"), host, serverIP)
}

// gardenARC is the site in the form of ARC, captured twice.
func gardenARC(name string) *archive {
	a := newArchive(warc.ARC, name)
	for i, date := range dates {
		for _, host := range []string{gardenHost, mediaHost, libraryHost} {
			a.arc("dns:"+host, resolverIP, "text/dns", date, lookup(host, date))
		}
		for n, p := range site(2008 + 4*i) {
			media, _, _ := bytes.Cut([]byte(p.contentType), []byte(";"))
			a.arc(p.url(), serverIP, string(media), date.Add(time.Duration(n)*time.Second), p.message(date))
		}
	}
	a.arc("ftp://ftp."+gardenHost+"/seeds.txt", serverIP, "text/plain", dates[1], []byte("beans\ntomatoes\n"))
	return a
}

// gardenWARC is the site in the form of WARC, captured twice: what has not
// changed is a revisit record the second time.
func gardenWARC(name string) *archive {
	a := newArchive(warc.WARC, name)
	ip := warc.Field{Name: "WARC-IP-Address", Value: serverIP}
	a.warc(warc.Response, "dns:"+gardenHost, dates[0], lookup(gardenHost, dates[0]),
		warc.Field{Name: "WARC-IP-Address", Value: resolverIP}, warc.Field{Name: "Content-Type", Value: "text/dns"})
	first := map[string]string{} // URL to digest of the payload
	for i, start := range dates {
		for n, p := range site(2008 + 4*i) {
			date := start.Add(time.Duration(n) * time.Second)
			block := p.message(start)
			sum := digest(payload(block))
			recordType, more := warc.Response, []warc.Field{ip}
			if first[p.url()] == sum {
				recordType = warc.Revisit
				block = block[:len(block)-len(payload(block))]
				more = append(more,
					warc.Field{Name: "WARC-Profile", Value: identical},
					warc.Field{Name: "WARC-Refers-To-Target-URI", Value: p.url()},
					warc.Field{Name: "WARC-Refers-To-Date", Value: date.Add(dates[0].Sub(start)).Format(time.RFC3339)})
			}
			first[p.url()] = sum
			id := a.warc(recordType, p.url(), date, block, append(more,
				warc.Field{Name: "WARC-Payload-Digest", Value: sum}, warc.Field{Name: "Content-Type", Value: httpAnswer})...)
			request := fmt.Appendf(nil, "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: garden-crawler/1.0\r\n\r\n", p.target, p.host)
			a.warc(warc.Request, p.url(), date, request, warc.Field{Name: "WARC-Concurrent-To", Value: id},
				warc.Field{Name: "Content-Type", Value: "application/http; msgtype=request"})
			a.warc(warc.Metadata, p.url(), date, fmt.Appendf(nil, "fetchTimeMs: %d\r\n", 10+n), warc.Field{Name: "WARC-Concurrent-To", Value: id},
				warc.Field{Name: "Content-Type", Value: "application/warc-fields"})
		}
	}
	a.warc(warc.Resource, screenshot, dates[1], leaf(), warc.Field{Name: "WARC-Payload-Digest", Value: digest(leaf())},
		warc.Field{Name: "Content-Type", Value: "image/png"})
	return a
}

// convertedWARC is the ARC file as a WARC file, record by record.
func convertedWARC(a *archive) (*archive, error) {
	c := warc.NewConverter()
	defer c.Close()
	made := &archive{format: warc.WARC}
	for _, record := range a.records {
		r, err := warc.NewRandomReader().ReadAt(bytes.NewReader(record), int64(len(record)), 0)
		if err != nil {
			return nil, err
		}
		section, err := c.Convert(r, warc.FileKind{Format: warc.WARC, Plain: true})
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(section)
		if err != nil {
			return nil, err
		}
		made.records = append(made.records, content)
	}
	return made, nil
}

// archives are the sound files, by name.
func archives() (map[string][]byte, error) {
	arc, plainARC := gardenARC("garden.arc.gz"), gardenARC("garden-plain.arc")
	sound, plain := gardenWARC("garden.warc.gz"), gardenWARC("garden-plain.warc")
	converted, err := convertedWARC(arc)
	if err != nil {
		return nil, err
	}
	for _, a := range []*archive{arc, plainARC, sound, plain} {
		if a.err != nil {
			return nil, a.err
		}
	}
	// An ARC file's first member has the extra field.
	var head bytes.Buffer
	h := warc.FileHead{Format: warc.ARC, Filename: "garden.arc.gz", Date: dates[0]}
	if _, err := h.WriteTo(&head); err != nil {
		return nil, err
	}
	rest := &archive{records: arc.records[1:]}
	return map[string][]byte{
		"garden.arc.gz":             append(head.Bytes(), rest.members()...),
		"garden-plain.arc":          plainARC.plain(),
		"garden-one-member.arc.gz":  gardenARC("garden-one-member.arc.gz").oneMember(),
		"garden.warc.gz":            sound.members(),
		"garden-plain.warc":         plain.plain(),
		"garden-one-member.warc.gz": gardenWARC("garden-one-member.warc.gz").oneMember(),
		"converted.warc.gz":         converted.members(),
	}, nil
}
