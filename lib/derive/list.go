package derive

import (
	"encoding/json"
	"errors"
	"fmt"

	"archivestream/lib/inputs"
	"archivestream/lib/stage"
	"archivestream/lib/warc"
	"archivestream/lib/webpage"
)

// ListLinks is the mapper that gives the link lines of package webgraph for WAT files
// and for archive files, whose paths or URIs are its input lines. Of a WAT file the
// envelopes are read, of an archive file the pages.
func ListLinks(t *stage.Task) error {
	d := &deriver{task: t, record: newRecord()}
	d.record.want = webpage.Links | webpage.Metas | webpage.Base
	l := &linkLister{deriver: d, counter: newLinkCounter()}
	d.makers = []maker{l}
	for line, err := range t.Lines() {
		if err != nil {
			return err
		}
		if len(line) == 0 {
			continue
		}
		t.Status("reading %s", line)
		if err := l.file(&archive{path: string(line)}); err != nil {
			return err
		}
	}
	return nil
}

// A linkLister gives the links of records as they are read.
type linkLister struct {
	deriver *deriver
	counter *linkCounter
}

func (l *linkLister) file(a *archive) error {
	f, err := inputs.OpenArchive(a.path)
	if err != nil {
		return l.deriver.task.Reject(err.Error(), []byte(a.path))
	}
	defer f.Close()
	err = l.deriver.archive(f, f.Size(), a)
	var failed *outputError
	if err != nil && !errors.As(err, &failed) {
		err = l.deriver.task.Reject(err.Error(), []byte(a.path))
	}
	l.deriver.task.Count("archives", 1)
	return err
}

func (l *linkLister) open(*archive) error { return nil }

func (l *linkLister) close(*archive, bool) error { return nil }

func (l *linkLister) take(a *archive, c *record) error {
	if c.Type == warc.Metadata && is(c.media, "application/json") {
		if err := l.envelope(c); err != nil {
			return l.deriver.reject(a, c.Offset, err.Error())
		}
		return nil
	}
	return l.counter.record(c, l.give)
}

func (l *linkLister) give(line []byte) error {
	if err := l.deriver.task.Write(line); err != nil {
		return &outputError{err}
	}
	return nil
}

// A watEnvelope is what of a WAT record tells links.
type watEnvelope struct {
	Envelope struct {
		WARC struct {
			Type string `json:"WARC-Type"`
			URI  string `json:"WARC-Target-URI"`
		} `json:"WARC-Header-Metadata"`
		ARC struct {
			URI string `json:"Target-URI"`
		} `json:"ARC-Header-Metadata"`
		Payload struct {
			Response struct {
				Headers map[string]json.RawMessage `json:"Headers"`
				HTML    watPage                    `json:"HTML-Metadata"`
			} `json:"HTTP-Response-Metadata"`
		} `json:"Payload-Metadata"`
	} `json:"Envelope"`
}

type watPage struct {
	Head struct {
		Base    string    `json:"Base"`
		Metas   []watMeta `json:"Metas"`
		Link    []watLink `json:"Link"`
		Scripts []watLink `json:"Scripts"`
	} `json:"Head"`
	Links []watLink `json:"Links"`
}

type watLink struct {
	Path string `json:"path"`
	URL  string `json:"url"`
	Href string `json:"href"`
	Rel  string `json:"rel"`
}

type watMeta struct {
	Name      string `json:"name"`
	Property  string `json:"property"`
	HTTPEquiv string `json:"http-equiv"`
	Content   string `json:"content"`
}

// envelope counts the links of a WAT record.
func (l *linkLister) envelope(c *record) error {
	if int64(len(c.block)) < c.size {
		return fmt.Errorf("an envelope of %d bytes", c.size)
	}
	var w watEnvelope
	if err := json.Unmarshal(c.block, &w); err != nil {
		return fmt.Errorf("envelope: %w", err)
	}
	e := &w.Envelope
	uri := e.WARC.URI
	switch {
	case e.ARC.URI != "":
		uri = e.ARC.URI
	case e.WARC.Type != warc.Response && e.WARC.Type != warc.Resource:
		return nil
	}
	if len(uri) > 2 && uri[0] == '<' {
		uri = uri[1 : len(uri)-1]
	}
	if !l.counter.begin(uri) {
		return nil
	}
	for name, raw := range e.Payload.Response.Headers {
		var one string
		var several []string
		if json.Unmarshal(raw, &one) == nil {
			several = []string{one}
		} else if json.Unmarshal(raw, &several) != nil {
			continue
		}
		for _, value := range several {
			l.counter.field([]byte(name), []byte(value))
		}
	}
	l.page(&e.Payload.Response.HTML)
	return l.counter.end(l.give)
}

func (l *linkLister) page(p *watPage) {
	if p.Head.Base != "" {
		l.counter.setBase([]byte(p.Head.Base))
	}
	for _, list := range [...][]watLink{p.Links, p.Head.Link, p.Head.Scripts} {
		for i := range list {
			url := list[i].URL
			if url == "" {
				url = list[i].Href
			}
			l.counter.element(list[i].Path, []byte(url), []byte(list[i].Rel))
		}
	}
	for i := range p.Head.Metas {
		m := &p.Head.Metas[i]
		name := m.Property
		if name == "" {
			name = m.Name
		}
		l.counter.meta([]byte(name), []byte(m.HTTPEquiv), []byte(m.Content))
	}
}
