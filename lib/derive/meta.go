package derive

import (
	"strconv"

	"archivestream/lib/warc"
)

// A metaMaker makes META sidecar files.
type metaMaker struct {
	recordFile
	json jsonWriter
}

func (w *metaMaker) take(a *archive, c *record) error {
	if !c.isAnalysed() {
		return nil
	}
	m := w.begin(a, c, warc.Metadata)
	w.head.field("WARC-Warcinfo-ID", []byte(c.Header.Get("WARC-Warcinfo-ID")))
	w.fields(c)
	w.head.end("application/warc-fields", w.block)
	w.file.put(m)
	return nil
}

// isAnalysed reports whether META, and the index, tell what the payload is found to be.
func (c *record) isAnalysed() bool {
	return c.hasPayload() && !c.isDNS() && len(c.payload()) > 0
}

// fields writes the block: a field for each thing that was found out.
func (w *metaMaker) fields(c *record) {
	found := c.analyse()
	w.block = w.block[:0]
	w.object("Identified-Payload-Type", func(j *jsonWriter) {
		j.str("archivestream", c.mime)
		if len(c.media) > 0 {
			j.text("server", c.media)
		}
	})
	w.field("Preservation-Identifier", found.puid)
	if c.parse(); c.set.Name != "" && c.text != nil {
		w.object("Charset-Detected", func(j *jsonWriter) {
			j.str("encoding", c.set.Name)
			j.bare("confidence", strconv.FormatFloat(c.set.Confidence, 'g', 4, 64))
			j.str("found-by", c.set.Source.String())
		})
	}
	if len(c.text) > 0 {
		languages := c.found()
		w.object("Languages-archivestream", func(j *jsonWriter) {
			j.bare("reliable", strconv.FormatBool(languages.Reliable))
			j.bare("text-bytes", strconv.Itoa(languages.Bytes))
			j.list("languages")
			for _, l := range languages.Languages {
				j.element()
				j.str("code-iso-639-3", l.Code)
				j.bare("text-covered", strconv.Itoa(l.Percent))
				j.close()
			}
			j.closeList()
		})
	}
	w.field("Soft-404-Detected", string(found.soft404))
}

func (w *metaMaker) field(name, value string) {
	if value != "" {
		w.block = append(append(append(append(w.block, name...), ": "...), value...), "\r\n"...)
	}
}

func (w *metaMaker) object(name string, members func(*jsonWriter)) {
	w.json.b = append(w.json.b[:0], '{')
	members(&w.json)
	w.json.close()
	w.field(name, string(w.json.b))
}
