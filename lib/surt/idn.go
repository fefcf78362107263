package surt

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/xdg-go/stringprep"
	"golang.org/x/text/unicode/norm"
)

// maxLabel is the length of a label of a host, in bytes (RFC 1035, 2.3.4).
const maxLabel = 63

const acePrefix = "xn--"

// toASCII gives the form of a host that the DNS knows, by IDNA 2003 (RFC 3490,
// 4.1, without UseSTD3ASCIIRules and with unassigned code points). Bytes that are
// no UTF-8 are left out. It fails where a label has no such form.
func toASCII(host []byte) (ascii []byte, ok bool) {
	text := validUTF8(host)
	ascii = make([]byte, 0, len(text)+len(acePrefix))
	for len(text) > 0 {
		label, rest := text, ""
		i := strings.IndexAny(text, ".\u3002\uFF0E\uFF61")
		if i >= 0 {
			_, size := utf8.DecodeRuneInString(text[i:])
			label, rest = text[:i], text[i+size:]
		}
		if ascii, ok = appendLabel(ascii, label); !ok {
			return nil, false
		}
		if i >= 0 {
			ascii = append(ascii, '.')
		}
		text = rest
	}
	return ascii, true
}

// validUTF8 gives text without the bytes that are no UTF-8.
func validUTF8(text []byte) string {
	kept := make([]byte, 0, len(text))
	for len(text) > 0 {
		r, size := utf8.DecodeRune(text)
		if r != utf8.RuneError || size > 1 {
			kept = append(kept, text[:size]...)
		}
		text = text[size:]
	}
	return string(kept)
}

// appendLabel appends the form that the DNS knows of one label.
func appendLabel(dst []byte, label string) ([]byte, bool) {
	begin := len(dst)
	if !isASCII(label) {
		prepared, ok := nameprep(label)
		if !ok {
			return dst, false
		}
		if label = prepared; !isASCII(label) {
			if strings.HasPrefix(label, acePrefix) || utf8.RuneCountInString(label) > maxLabel-len(acePrefix) {
				return dst, false
			}
			dst = appendPunycode(append(dst, acePrefix...), []rune(label))
			return dst, len(dst)-begin <= maxLabel
		}
	}
	dst = append(dst, label...)
	return dst, len(label) > 0 && len(label) <= maxLabel
}

func isASCII(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// prohibited are the code points that no host may have (RFC 3491, 5).
var prohibited = []stringprep.Set{
	stringprep.TableC1_2, stringprep.TableC2_2, stringprep.TableC3, stringprep.TableC4, stringprep.TableC5,
	stringprep.TableC6, stringprep.TableC7, stringprep.TableC8, stringprep.TableC9,
}

// todoSoftHyphen belongs into table B.1 of RFC 3454, where the module has left it
// out.
const todoSoftHyphen = '\u1806'

// maxCombining is how many code points no more of which become one in NFKC.
const maxCombining = 4

// nameprep prepares a label (RFC 3491) for comparison. It fails where the label is
// not allowed or too long in any case.
func nameprep(label string) (prepared string, ok bool) {
	var mapped strings.Builder
	count := 0
	for _, r := range label {
		if _, nothing := stringprep.TableB1[r]; nothing || r == todoSoftHyphen {
			continue
		}
		if count++; count > maxCombining*maxLabel {
			return "", false
		}
		mapped.WriteString(foldNormalized(r))
	}
	prepared = normalizeOld(mapped.String())
	var rightToLeft, leftToRight bool
	for _, r := range prepared {
		for _, set := range prohibited {
			if set.Contains(r) {
				return "", false
			}
		}
		rightToLeft = rightToLeft || stringprep.TableD1.Contains(r)
		leftToRight = leftToRight || stringprep.TableD2.Contains(r)
	}
	if !rightToLeft {
		return prepared, true
	}
	first, _ := utf8.DecodeRuneInString(prepared)
	last, _ := utf8.DecodeLastRuneInString(prepared)
	return prepared, !leftToRight && stringprep.TableD1.Contains(first) && stringprep.TableD1.Contains(last)
}

// fold gives a code point in lower case by table B.3 of RFC 3454, and beyond it by
// today's Unicode, as Python does.
func fold(r rune) string {
	if folded, ok := stringprep.TableB3[r]; ok {
		return string(folded)
	}
	return string(unicode.ToLower(r))
}

// foldNormalized folds for NFKC (RFC 3454, B.2).
func foldNormalized(r rune) string {
	folded := fold(r)
	if r < utf8.RuneSelf {
		return folded
	}
	normalized := normalizeOld(folded)
	var again strings.Builder
	for _, r := range normalized {
		again.WriteString(fold(r))
	}
	if twice := normalizeOld(again.String()); twice != normalized {
		return twice
	}
	return folded
}

// corrected are the code points whose decomposition was a wrong one in Unicode 3.2
// (Corrigendum 4), with that one.
var corrected = strings.NewReplacer(
	"\U0002F868", "\U0002136A", "\U0002F874", "\u5F33", "\U0002F91F", "\u43AB",
	"\U0002F95F", "\u7AAE", "\U0002F9BF", "\u4D57")

// normalizeOld gives the NFKC of Unicode 3.2, which knew nothing of the code points
// assigned since: they neither decompose nor combine.
func normalizeOld(text string) string {
	if isASCII(text) {
		return text
	}
	text = corrected.Replace(text)
	var out bytes.Buffer
	begin := 0
	for i, r := range text {
		if stringprep.TableA1.Contains(r) {
			out.Write(norm.NFKC.Bytes([]byte(text[begin:i])))
			out.WriteRune(r)
			begin = i + utf8.RuneLen(r)
		}
	}
	out.Write(norm.NFKC.Bytes([]byte(text[begin:])))
	// Put in after 30 combining marks (UAX 15, 13), which RFC 3454 does not know of;
	// all others went with table B.1.
	return strings.ReplaceAll(out.String(), "\u034F", "")
}
