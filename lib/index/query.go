package index

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxQuery bounds what a request adds to a key, in characters, as in pywb.
const maxQuery = 4096

// appendQuery appends what a request's body adds to its URL, as pywb and
// cdxj-indexer have it (Webrecorder, request body canonicalization): the fields of
// a form, of multipart data or of JSON, anything else in base64. AMF, which they
// take apart, is base64 too.
func appendQuery(dst, contentType, body []byte) []byte {
	kind := strings.ToLower(string(contentType))
	query := ""
	switch {
	case len(body) == 0:
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		query = formQuery(body)
	case strings.HasPrefix(kind, "multipart/"):
		query = multipartQuery(string(contentType), body)
	case strings.HasPrefix(kind, "application/json"):
		query, _ = jsonQuery(body)
	case strings.HasPrefix(kind, "text/plain"):
		var ok bool
		if query, ok = jsonQuery(body); !ok {
			query = binaryQuery(body)
		}
	default:
		query = binaryQuery(body)
	}
	n := 0
	for i := range query {
		if n++; n > maxQuery {
			query = query[:i]
			break
		}
	}
	return append(dst, query...)
}

func binaryQuery(body []byte) string {
	return "__wb_post_data=" + base64.StdEncoding.EncodeToString(body)
}

// formQuery takes the escapes off a form, those that are none stay.
func formQuery(body []byte) string {
	if !utf8.Valid(body) {
		return binaryQuery(body)
	}
	plain := make([]byte, 0, len(body))
	for i := 0; i < len(body); i++ {
		switch b := body[i]; {
		case b == '+':
			plain = append(plain, ' ')
		case b == '%' && i+2 < len(body):
			if n, err := strconv.ParseUint(string(body[i+1:i+3]), 16, 8); err == nil {
				plain = append(plain, byte(n))
				i += 2
				break
			}
			fallthrough
		default:
			plain = append(plain, b)
		}
	}
	return strings.ToValidUTF8(string(plain), "\ufffd")
}

func multipartQuery(contentType string, body []byte) string {
	_, parameters, err := mime.ParseMediaType(contentType)
	if err != nil || parameters["boundary"] == "" {
		return binaryQuery(body)
	}
	reader := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
	var q pairs
	for {
		part, err := reader.NextRawPart()
		if err != nil { // the end, or what is wrong
			return q.String()
		}
		value, err := io.ReadAll(part)
		q.add(part.FormName(), string(value))
		if err != nil {
			return q.String()
		}
	}
}

// pairs are the fields of a query, in order.
type pairs struct{ text strings.Builder }

func (p *pairs) add(name, value string) {
	if p.text.Len() > 0 {
		p.text.WriteByte('&')
	}
	p.text.WriteString(url.QueryEscape(name) + "=" + url.QueryEscape(value))
}

func (p *pairs) String() string { return p.text.String() }

// A flattener takes the values of JSON with the names that they have in their
// object, the second of a name as NAME.2_.
type flattener struct {
	decoder *json.Decoder
	pairs   pairs
	seen    map[string]int
	depth   int
}

// maxDepth bounds how deep arrays and objects lie in each other.
const maxDepth = 1000

var errDepth = errors.New("json: too deep")

// jsonQuery gives the values of one or more JSON texts; false if they are none.
func jsonQuery(body []byte) (string, bool) {
	f := flattener{decoder: json.NewDecoder(bytes.NewReader(body)), seen: map[string]int{}}
	f.decoder.UseNumber()
	for {
		token, err := f.decoder.Token()
		if err == io.EOF {
			return f.pairs.String(), true
		}
		if err == nil {
			err = f.value(token, "")
		}
		if err != nil {
			return "", false
		}
	}
}

// value takes the value that begins with a token.
func (f *flattener) value(token json.Token, name string) error {
	switch v := token.(type) {
	case json.Delim:
		return f.members(v == '{', name)
	case nil:
		f.add(name, "null")
	case bool:
		f.add(name, strconv.FormatBool(v))
	case json.Number:
		f.add(name, numberText(string(v)))
	case string:
		f.add(name, v)
	}
	return nil
}

// members takes the values of an object, or of an array, which have its name.
func (f *flattener) members(object bool, name string) error {
	if f.depth++; f.depth > maxDepth {
		return errDepth
	}
	defer func() { f.depth-- }()
	for f.decoder.More() {
		token, err := f.decoder.Token()
		if key, ok := token.(string); object && ok && err == nil {
			name = key
			token, err = f.decoder.Token()
		}
		if err == nil {
			err = f.value(token, name)
		}
		if err != nil {
			return err
		}
	}
	_, err := f.decoder.Token()
	return err
}

func (f *flattener) add(name, value string) {
	if name == "" {
		return
	}
	f.seen[name]++
	if n := f.seen[name]; n > 1 {
		name += "." + strconv.Itoa(n) + "_"
	}
	f.pairs.add(name, value)
}

// numberText writes a number as JavaScript does: without a fraction of zero.
func numberText(number string) string {
	if !strings.ContainsAny(number, ".eE") {
		return number
	}
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.Abs(n) >= 1e21 {
		return number
	}
	return strconv.FormatFloat(n, 'f', -1, 64)
}
