package surt

import (
	"bytes"
	"strconv"
)

// appendHost appends the parts of a host in reversed order: nothing where there
// is no host.
func appendHost(dst, host []byte, withoutWWW bool) []byte {
	var buffer [256]byte
	host = plainHost(buffer[:0], host)
	if len(host) == 0 {
		return dst
	}
	if class[host[0]] == digit {
		if address, ok := parseIPv4(host); ok {
			return appendIPv4(dst, address)
		}
	}
	if withoutWWW {
		host = host[lengthOfWWW(host):]
	}
	for {
		i := bytes.LastIndexByte(host, '.')
		begin := len(dst)
		var seen uint8
		if dst, seen = appendLower(dst, host[i+1:]); seen&escaped != 0 {
			dst = escapeFrom(dst, begin)
		}
		if i < 0 {
			return dst
		}
		dst, host = append(dst, ','), host[:i]
	}
}

var (
	oneDot  = []byte(".")
	twoDots = []byte("..")
)

// plainHost gives a host without escapes and without dots at its ends. It may use
// the buffer.
func plainHost(buffer, host []byte) []byte {
	var seen uint8
	for _, c := range host {
		seen |= class[c]
	}
	if seen&escaped != 0 || bytes.Contains(host, twoDots) {
		host = decodeHost(buffer, host)
	}
	return bytes.Trim(host, ".")
}

// AppendHostName appends the host of a URL as a name in lower case: without port,
// user and brackets, decoded as for a key, but with its "www.". Nothing is appended
// where the URL has no host. Of a name of letters, digits, dashes, underscores and
// single dots AppendHost makes the host in the URL's key, but that keys of dns://
// keep their www.
func AppendHostName(dst, url []byte) []byte {
	if len(url) == 0 || bytes.HasPrefix(url, filedesc) {
		return dst
	}
	if url = clean(url); len(url) == 0 {
		return dst
	}
	var buffer [256]byte
	dst, _ = appendLower(dst, plainHost(buffer[:0], split(url).host))
	return dst
}

// decodeHost gives a host without escapes, in ASCII if it has such a form. It may
// use the buffer.
func decodeHost(buffer, host []byte) []byte {
	host = appendUnescaped(buffer, host)
	for _, c := range host {
		if c >= 0x80 {
			if ascii, ok := toASCII(host); ok {
				host = ascii
			}
			break
		}
	}
	// Once: of three dots two are left, as with Python.
	return bytes.ReplaceAll(host, twoDots, oneDot)
}

// lengthOfWWW gives the length of the "www.", "www2." … that a host begins with.
func lengthOfWWW(host []byte) int {
	if len(host) < 4 || host[0]|0x20 != 'w' || host[1]|0x20 != 'w' || host[2]|0x20 != 'w' {
		return 0
	}
	for i, c := range host[3:] {
		switch {
		case c == '.':
			return 3 + i + 1
		case c < '0' || c > '9':
			return 0
		}
	}
	return 0
}

// parseIPv4 gives the address that a host of digits and dots stands for, as
// inet_aton(3) does. A single number is decimal and cut to 32 bits; of several
// ones each is octal if it begins with 0, and the last one fills the bytes that
// are left. If the first is octal no other may have an 8 or 9.
func parseIPv4(host []byte) (address uint32, ok bool) {
	if bytes.IndexByte(host, '.') < 0 {
		for _, c := range host {
			if class[c] != digit {
				return 0, false
			}
			address = address*10 + uint32(c-'0')
		}
		return address, true
	}
	if host[0] == '0' && bytes.ContainsAny(host, "89") {
		return 0, false
	}
	shift := 32
	for {
		part, rest, more := bytes.Cut(host, oneDot)
		limit := uint64(0xff)
		if !more {
			limit = 1<<shift - 1
		}
		value, ok := parseNumber(part, limit)
		if !ok {
			return 0, false
		}
		if !more {
			return address | uint32(value), true
		}
		if shift -= 8; shift == 0 {
			return 0, false
		}
		address |= uint32(value) << shift
		host = rest
	}
}

// parseNumber gives the value of a decimal number, or an octal one that begins
// with 0, up to a limit.
func parseNumber(digits []byte, limit uint64) (value uint64, ok bool) {
	if len(digits) == 0 {
		return 0, false
	}
	base := uint64(10)
	if digits[0] == '0' {
		base = 8
	}
	for _, c := range digits {
		d := uint64(c) - '0'
		if d >= base {
			return 0, false
		}
		if value = value*base + d; value > limit {
			return 0, false
		}
	}
	return value, true
}

// appendIPv4 appends an address, its last byte first.
func appendIPv4(dst []byte, address uint32) []byte {
	for shift := 0; shift < 32; shift += 8 {
		if shift > 0 {
			dst = append(dst, ',')
		}
		dst = strconv.AppendUint(dst, uint64(address>>shift&0xff), 10)
	}
	return dst
}
