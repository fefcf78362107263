package warc

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"time"
)

// maxDescription bounds the XML description of an ARC file, in bytes.
const maxDescription = 1 << 20

// writeWarcinfo writes the warcinfo record of the filedesc record whose block is
// in the spool. WARC-Filename is left out: it names the file that a record
// stands in, which the Converter does not know. ARC-Header-Line has the old one.
func (c *Converter) writeWarcinfo(date time.Time, line Field) error {
	description := make([]byte, min(c.block.size, maxDescription))
	if _, err := c.block.section(0).Read(description); err != nil && len(description) > 0 {
		return err
	}
	fields := append(arcDescription(description),
		Field{"format", "WARC File Format 1.0"},
		Field{"conformsTo", "http://bibnum.bnf.fr/WARC/WARC_ISO_28500_version1_latestdraft.pdf"},
	)
	c.block.reset()
	c.sha1s[0].Reset()
	for _, f := range fields {
		line := fmt.Appendf(nil, "%s: %s\r\n", f.Name, f.Value)
		if _, err := c.block.Write(line); err != nil {
			return err
		}
		c.sha1s[0].Write(line)
	}
	return c.writeWARC(Header{
		{"WARC-Type", Warcinfo},
		{"WARC-Date", date.Format(time.RFC3339)},
		{"WARC-Block-Digest", Digest{"sha1", c.sha1s[0].Sum(nil)}.String()},
		line,
		{"Content-Type", "application/warc-fields"},
	})
}

// arcDescription gives the fields of FiledescFields under the names of the warcinfo
// fields that Heritrix writes today. Fields that tell of the old format are left
// out.
func arcDescription(block []byte) Header {
	var h Header
	for _, f := range FiledescFields(block) {
		name := f.Name[strings.IndexByte(f.Name, ':')+1:]
		if soundName(name) && name != "format" && name != "conformsTo" {
			h.Add(name, escaped(f.Value, ""))
		}
	}
	return h
}

// FiledescFields gives the leaves of the arcmetadata document that Heritrix puts
// behind the field names of its filedesc records: their names with the prefix that
// stands there, such as arc:software, and their text. Text that is no XML gives what
// stands before the fault.
func FiledescFields(block []byte) Header {
	var h Header
	at := bytes.IndexByte(block, '<')
	if at < 0 {
		return nil
	}
	d := xml.NewDecoder(strings.NewReader(decoded(string(block[at:min(len(block), maxDescription)]))))
	d.Strict = false
	// Whatever the document says of its encoding, it is decoded by now.
	d.CharsetReader = func(_ string, input io.Reader) (io.Reader, error) { return input, nil }
	name, text := "", ""
	for {
		token, err := d.RawToken()
		if err != nil {
			return h
		}
		switch t := token.(type) {
		case xml.StartElement:
			name, text = prefixed(t.Name), ""
		case xml.CharData:
			text += string(t)
		case xml.EndElement:
			// A leaf ends where the last element began; blank text has
			// nothing to say.
			value := strings.Join(strings.Fields(text), " ")
			if prefixed(t.Name) == name && value != "" && name != "" {
				h.Add(name, value)
			}
			name, text = "", ""
		}
	}
}

func prefixed(n xml.Name) string {
	if n.Space == "" {
		return n.Local
	}
	return n.Space + ":" + n.Local
}
