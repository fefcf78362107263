package derive

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"hash"
	"io"
	"math"
	"strconv"

	"archivestream/lib/buffers"
	"archivestream/lib/charset"
	"archivestream/lib/identify"
	"archivestream/lib/payload"
	"archivestream/lib/warc"
	"archivestream/lib/webpage"
)

// maxBlock is how much of a record's block is held and looked at, in bytes; of a
// longer one all is hashed.
const maxBlock = 64 << 20

// A record is a record of an archive file with what is found out about it, each
// thing once and when it is asked for first. It keeps its buffers from record to
// record.
type record struct {
	*warc.Record
	name  string // of the archive file
	frame warc.GzipFrame
	zip   bool // it is in a gzip member, whose frame is known

	block     []byte // what is held of it
	size      int64  // of all of it
	blockSum  []byte // sha1:BASE32
	message   payload.Message
	http      bool // the block is an HTTP response or request
	entity    []byte
	said      int64 // length of the entity by the head; below 0 if it does not say
	slop      int64 // bytes behind the entity
	entitySum []byte
	bodySum   []byte // of the message's body, where the block is longer than what is held of it

	decoded   []byte // the payload without codings
	isDecoded bool
	mime      string // by magic numbers
	media     []byte // what the server says, without parameters
	set       charset.Charset
	page      *webpage.Page // nil: not HTML
	isParsed  bool
	text      []byte // of a page or a plain text, in UTF-8
	title     []byte

	analysis analysis
	isTold   bool // the language is known

	own     []byte // buffer of blocks
	hash    hash.Hash
	long    [2]hash.Hash // of body and entity of a block that is longer; nil until there is one
	decoder payload.Decoder
	finder  charset.Finder
	texts   charset.Decoder
	parser  webpage.Parser
	sums    [3][]byte
	want    webpage.Want
}

func newRecord() *record { return &record{hash: sha1.New()} }

// read takes the record's block in, and what stands around it.
func (c *record) read(r *warc.Record, reader *warc.Reader) error {
	c.Record = r
	c.isDecoded, c.isParsed, c.page, c.mime, c.media, c.text, c.title = false, false, nil, "", nil, nil, nil
	c.analysis.done, c.isTold = false, false
	c.decoded, c.entity, c.slop, c.http = nil, nil, 0, false
	c.entitySum, c.bodySum = nil, nil
	c.hash.Reset()
	if err := c.hold(); err != nil {
		return err
	}
	c.blockSum = c.digest(&c.sums[0])
	c.frame, c.zip = reader.GzipFrame()
	c.takeApart()
	return nil
}

// A grabber takes a block that the reader holds anyway without copying it.
type grabber struct{ block []byte }

func (g *grabber) Write(p []byte) (int, error) {
	g.block = p
	return len(p), nil
}

// hold reads and hashes the block.
func (c *record) hold() error {
	if c.IsHeld() {
		var g grabber
		if _, err := c.Body.(io.WriterTo).WriteTo(&g); err != nil {
			return err
		}
		c.block, c.size = g.block, int64(len(g.block))
		c.hash.Write(c.block)
		return nil
	}
	const first = 256 << 10
	if cap(c.own) < first {
		c.own = make([]byte, 0, first)
	}
	buffers.Spoil(c.own)
	c.own, c.size = c.own[:0], 0
	for {
		if len(c.own) == cap(c.own) && len(c.own) < maxBlock {
			c.own = append(make([]byte, 0, min(2*cap(c.own), maxBlock)), c.own...)
		}
		into := c.own[len(c.own):cap(c.own)]
		if len(into) == 0 {
			break
		}
		n, err := c.Body.Read(into)
		c.hash.Write(into[:n])
		c.own = c.own[:len(c.own)+n]
		if err == io.EOF {
			c.block, c.size = c.own, int64(len(c.own))
			return nil
		}
		if err != nil {
			return err
		}
	}
	return c.hashRest()
}

// hashRest hashes what is behind the part of the block that is held, for the digests of
// body and entity, too.
func (c *record) hashRest() error {
	c.block = c.own
	c.part()
	if c.long[0] == nil {
		c.long = [2]hash.Hash{sha1.New(), sha1.New()}
	}
	body, entity := c.long[0], c.long[1]
	body.Reset()
	entity.Reset()
	left := c.said // bytes of the entity that are still to come
	if left < 0 {
		left = math.MaxInt64
	}
	take := func(p []byte) {
		body.Write(p)
		p = p[:min(int64(len(p)), left)]
		entity.Write(p)
		left -= int64(len(p))
	}
	take(c.message.Body)
	buffer := make([]byte, 256<<10)
	c.size = int64(len(c.block))
	for {
		n, err := c.Body.Read(buffer)
		c.hash.Write(buffer[:n])
		take(buffer[:n])
		c.size += int64(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	c.bodySum, c.entitySum = sumOf(body, &c.sums[2]), sumOf(entity, &c.sums[1])
	return nil
}

// digest gives the digest of what has been hashed, as archives have it.
func (c *record) digest(into *[]byte) []byte { return sumOf(c.hash, into) }

func sumOf(h hash.Hash, into *[]byte) []byte {
	var sum [sha1.Size]byte
	h.Sum(sum[:0])
	*into = appendSHA1((*into)[:0], &sum)
	return *into
}

func appendSHA1(dst []byte, sum *[sha1.Size]byte) []byte {
	return base32.StdEncoding.AppendEncode(append(dst, "sha1:"...), sum[:])
}

// takeApart parts an HTTP message, and its entity from what is behind it.
func (c *record) takeApart() {
	c.part()
	c.entity = c.message.Body
	if behind := c.size - int64(len(c.message.Head)); c.said >= 0 && c.said < behind {
		c.slop = behind - c.said
		c.entity = c.entity[:min(c.said, int64(len(c.entity)))]
	}
}

// part parts the head of an HTTP message from its body.
func (c *record) part() {
	switch c.Type {
	case warc.Response, warc.Revisit:
		c.message, c.http = payload.Parse(c.block)
	case warc.Request:
		n := payload.HeadLength(c.block, 0)
		if c.http = n > 0 || len(c.block) > 0; n == 0 {
			n = len(c.block)
		}
		c.message = payload.Message{Head: c.block[:n], Body: c.block[n:]}
	default:
		c.message = payload.Message{Body: c.block}
	}
	if c.http {
		c.media = mediaType(c.message.Field("Content-Type"))
	} else {
		c.media = mediaType([]byte(c.Header.Get("Content-Type")))
	}
	c.said = -1
	if length, err := strconv.ParseInt(string(c.message.Field("Content-Length")), 10, 64); c.http && err == nil {
		c.said = length
	}
}

// entityLength is how long the body is, as far as its Content-Length says.
func (c *record) entityLength() int64 { return c.size - int64(len(c.message.Head)) - c.slop }

// entityDigest hashes the body, as far as its Content-Length says.
func (c *record) entityDigest() []byte {
	if c.bodySum != nil {
		return c.entitySum
	}
	if len(c.entity) == len(c.block) && c.size == int64(len(c.block)) {
		return c.blockSum
	}
	c.hash.Reset()
	c.hash.Write(c.entity)
	c.entitySum = c.digest(&c.sums[1])
	return c.entitySum
}

// payload gives the body without its codings. What is wrong with it is told by the
// damage that can be seen elsewhere: what could be had is taken.
func (c *record) payload() []byte {
	if !c.isDecoded {
		c.isDecoded = true
		c.decoded = c.message.Body
		if c.http {
			c.decoded, _ = c.decoder.Decode(c.message)
		}
		c.mime = identify.Mime(c.decoded)
	}
	return c.decoded
}

// hasPayload says whether the record holds what a server has sent, or a resource.
func (c *record) hasPayload() bool {
	return c.Type == warc.Response || c.Type == warc.Resource
}

// parse looks for text: a page is taken apart, plain text decoded.
func (c *record) parse() {
	if c.isParsed {
		return
	}
	c.isParsed = true
	if !c.hasPayload() || !mayBeText(c.media) {
		return
	}
	in := c.payload()
	page := isPage(c.media, c.mime)
	if !page && !isPlain(c.media, c.mime) {
		return
	}
	var contentType []byte
	if c.http {
		contentType = c.message.Field("Content-Type")
	} else {
		contentType = []byte(c.Header.Get("Content-Type"))
	}
	c.set = c.finder.Find(contentType, in)
	text := c.texts.Decode(&c.set, in)
	if !page {
		c.text = text
		return
	}
	c.page = c.parser.Parse(text, c.want)
	c.text, c.title = c.page.Text, c.page.Title
}

// mediaType gives a content type without its parameters, as written.
func mediaType(contentType []byte) []byte {
	for i, b := range contentType {
		if b == ';' || b == ',' || b <= ' ' {
			return contentType[:i]
		}
	}
	return contentType
}

func is(media []byte, names ...string) bool {
	for _, name := range names {
		if len(media) == len(name) && bytes.EqualFold(media, []byte(name)) {
			return true
		}
	}
	return false
}

// saysPage says whether a media type is that of HTML.
func saysPage(media []byte) bool { return is(media, identify.HTML, identify.XHTML) }

// saysNothing says whether a media type leaves open what the payload is.
func saysNothing(media []byte) bool {
	return len(media) == 0 || is(media, "no-type", "unk", "unknown/unknown", "application/unknown", "application/octet-stream", "*/*", "content/unknown")
}

func mayBeText(media []byte) bool {
	return saysPage(media) || saysNothing(media) || is(media, identify.Plain)
}

// isPage says whether a payload is taken for HTML: where the server says so, unless
// it is something else by its magic numbers, or where it says nothing.
func isPage(media []byte, mime string) bool {
	isHTML := mime == identify.HTML || mime == identify.XHTML
	if saysPage(media) {
		return isHTML || mime == "" || mime == identify.Plain || mime == identify.XML || mime == identify.Script || mime == "text/css" || mime == "text/x-php"
	}
	return saysNothing(media) && isHTML
}

// isPlain says whether a payload is taken for plain text.
func isPlain(media []byte, mime string) bool {
	if is(media, identify.Plain) {
		return mime == identify.HTML || mime == identify.XHTML || len(mime) > 5 && mime[:5] == "text/"
	}
	return saysNothing(media) && mime == identify.Plain
}
