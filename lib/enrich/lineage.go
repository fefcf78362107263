package enrich

import "strconv"

// AppendRecord appends the record as JSON: see the package's documentation for what
// stands where.
func (r *Record) appendRecord(dst []byte) []byte {
	dst = append(dst, `{"record":`...)
	dst = r.appendCapture(dst)
	for _, n := range r.plan.root.below {
		dst = r.appendNode(dst, n)
	}
	if len(r.errors) > 0 {
		dst = append(appendName(dst, "error"), '{')
		for _, e := range r.errors {
			dst = appendMember(dst, e.path, []byte(e.err.Error()))
		}
		dst = append(dst, '}')
	}
	return append(dst, '}')
}

// compute derives all that is asked for, so that what goes wrong is known.
func (r *Record) compute() {
	for _, n := range r.plan.nodes {
		if n.asked {
			r.value(n)
		}
	}
}

// appendNode appends the member of a node with all that is derived from it; nothing
// where there is no value.
func (r *Record) appendNode(dst []byte, n *node) []byte {
	begin := len(dst)
	var own *Value
	if n.asked {
		if own = r.value(n); own.Kind == Absent {
			own = nil
		}
	}
	if !n.hasAsked() {
		if own != nil {
			dst = own.AppendJSON(appendName(dst, n.name))
		}
		return dst
	}
	dst = append(appendName(dst, n.name), '{')
	inner := len(dst)
	if own != nil {
		dst = own.AppendJSON(appendName(dst, "_"))
	}
	for _, below := range n.below {
		dst = r.appendNode(dst, below)
	}
	if len(dst) == inner {
		return dst[:begin]
	}
	return append(dst, '}')
}

// hasAsked says whether anything below a node is asked for.
func (n *node) hasAsked() bool {
	for _, below := range n.below {
		if below.asked || below.hasAsked() {
			return true
		}
	}
	return false
}

// appendCapture appends the fields of the index line, under ArchiveSpark's names.
func (r *Record) appendCapture(dst []byte) []byte {
	c := &r.capture
	dst = append(dst, '{')
	dst = appendMember(dst, "surtUrl", r.fields.Text(fieldSurt))
	dst = append(appendName(dst, "timestamp"), '"')
	dst = append(appendTime(dst, c.Timestamp), '"')
	dst = appendMember(dst, "originalUrl", c.URL)
	dst = appendMember(dst, "mime", orNone(c.Mime))
	dst = appendName(dst, "status")
	if status := r.fields.Integer(fieldStatus); status > 0 {
		dst = strconv.AppendInt(dst, int64(status), 10)
	} else {
		dst = append(dst, "-1"...)
	}
	dst = appendMember(dst, "digest", orNone(r.fields.Text(fieldDigest)))
	dst = appendMember(dst, "redirectUrl", orNone(c.Redirect))
	dst = appendMember(dst, "meta", orNone(c.Meta))
	if o := &r.original; o.name != "" {
		dst = appendMember(append(appendName(dst, "original"), '{'), "filename", []byte(o.name))
		dst = append(strconv.AppendInt(appendName(dst, "offset"), o.offset, 10), '}')
	}
	return append(dst, '}')
}

func orNone(value []byte) []byte {
	if len(value) == 0 {
		return []byte{'-'}
	}
	return value
}

// appendTime appends a timestamp of 14 digits as 2016-01-17T11:32:53Z, one that is
// something else as it is.
func appendTime(dst, timestamp []byte) []byte {
	if len(timestamp) != 14 {
		return appendPlain(dst, timestamp)
	}
	for _, b := range timestamp {
		if b < '0' || b > '9' {
			return appendPlain(dst, timestamp)
		}
	}
	for i, b := range timestamp {
		switch i {
		case 4, 6:
			dst = append(dst, '-')
		case 8:
			dst = append(dst, 'T')
		case 10, 12:
			dst = append(dst, ':')
		}
		dst = append(dst, b)
	}
	return append(dst, 'Z')
}

// appendPlain appends what a string holds between its quotes.
func appendPlain(dst, s []byte) []byte {
	begin := len(dst)
	dst = appendString(dst, s)
	copy(dst[begin:], dst[begin+1:])
	return dst[:len(dst)-2]
}
