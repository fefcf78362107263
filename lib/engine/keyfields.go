package engine

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// keyField is one -k option of KeyFieldBasedPartitioner and
// KeyFieldBasedComparator: -kF[.C][nr][,F[.C][nr]]. Fields and characters
// (bytes) count from 1; an end field of 0 is the key's last one, an end
// character of 0 the field's last one.
type keyField struct {
	beginField, beginChar int
	endField, endChar     int
	numeric, reverse      bool
}

// parseKeyFields reads the options as Hadoop's KeyFieldHelper does. Without
// any -k the result is nil where the text is empty, and otherwise one field
// over the whole key that carries -n and -r; whole says so.
func parseKeyFields(text string) (fields []keyField, whole bool, err error) {
	if text == "" {
		return nil, true, nil
	}
	global := keyField{beginField: 1, beginChar: 1}
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		switch w := words[i]; {
		case w == "-n":
			global.numeric = true
		case w == "-r":
			global.reverse = true
		case w == "-nr", w == "-rn":
			global.numeric, global.reverse = true, true
		case strings.HasPrefix(w, "-k"):
			w = w[2:]
			if w == "" && i+1 < len(words) {
				i++
				w = words[i]
			}
			f, err := parseKeyField(w)
			if err != nil {
				return nil, false, usagef("key field option %q in %q: %w", words[i], text, err)
			}
			fields = append(fields, f)
		default:
			return nil, false, usagef("key field option %q in %q: neither -k, -n, -r nor -nr", w, text)
		}
	}
	for i := range fields {
		if f := &fields[i]; !f.reverse && !f.numeric {
			f.reverse, f.numeric = global.reverse, global.numeric
		}
	}
	if len(fields) == 0 {
		return []keyField{global}, true, nil
	}
	return fields, false, nil
}

func parseKeyField(text string) (keyField, error) {
	f := keyField{beginChar: 1}
	begin, end, ranged := strings.Cut(text, ",")
	var err error
	if f.beginField, f.beginChar, err = f.parsePosition(begin, 1); err != nil {
		return f, err
	}
	if ranged {
		if f.endField, f.endChar, err = f.parsePosition(end, 0); err != nil {
			return f, err
		}
	}
	return f, nil
}

// parsePosition reads F[.C][nr].
func (f *keyField) parsePosition(text string, char int) (int, int, error) {
	digits := strings.TrimRight(text, "nr")
	for _, c := range text[len(digits):] {
		f.numeric = f.numeric || c == 'n'
		f.reverse = f.reverse || c == 'r'
	}
	field, rest, dotted := strings.Cut(digits, ".")
	number, err := strconv.ParseUint(field, 10, 31)
	if err != nil || number == 0 {
		return 0, 0, fmt.Errorf("%q is no field number", field)
	}
	if dotted {
		n, err := strconv.ParseUint(rest, 10, 31)
		if err != nil || n == 0 && char == 1 {
			return 0, 0, fmt.Errorf("%q is no character position", rest)
		}
		char = int(n)
	}
	return int(number), char, nil
}

// ends lists where each field of a key ends.
func ends(key []byte, into []int) []int {
	into = into[:0]
	for from := 0; ; {
		i := bytes.IndexByte(key[from:], '\t')
		if i < 0 {
			return append(into, len(key))
		}
		into = append(into, from+i)
		from += i + 1
	}
}

// bounds gives the range [from, to) of key that the field covers; ok is false
// where the key has no such field. It keeps Hadoop's habit of letting an end
// character behind the end of its field run on into the next one.
func (f keyField) bounds(key []byte, ends []int) (from, to int, ok bool) {
	if f.beginField > len(ends) {
		return 0, 0, false
	}
	from = f.beginChar - 1
	if f.beginField > 1 {
		from += ends[f.beginField-2] + 1
	}
	if from >= len(key) {
		return 0, 0, false
	}
	to = len(key)
	if f.endField == 0 || f.endField > len(ends) {
		return from, to, true
	}
	if f.endChar == 0 {
		to = ends[f.endField-1]
	} else {
		end := f.endChar
		if f.endField > 1 {
			end += ends[f.endField-2] + 1
		}
		to = min(to, end)
	}
	return from, max(from, to), true
}

// sortKeys translates the fields into options of GNU sort for lines that begin
// with a key of n fields; n = 0 means that the line is the key. prefix is the
// number of bytes in front of the key, which are compared first.
func sortKeys(fields []keyField, n, prefix int) []string {
	var keys []string
	if prefix > 0 {
		keys = append(keys, fmt.Sprintf("-k1.1,1.%d", prefix))
	}
	for _, f := range fields {
		if n > 0 && f.beginField > n {
			continue
		}
		begin, end := f.beginChar, f.endChar
		if f.beginField == 1 {
			begin += prefix
		}
		if f.endField == 1 && end > 0 {
			end += prefix
		}
		key := fmt.Sprintf("-k%d.%d", f.beginField, begin)
		switch last := f.endField; {
		case last == 0 && n == 0:
		case last == 0 || n > 0 && last > n:
			key += fmt.Sprintf(",%d", n)
		case end > 0:
			key += fmt.Sprintf(",%d.%d", last, end)
		default:
			key += fmt.Sprintf(",%d", last)
		}
		if f.numeric {
			key += "n"
		}
		if f.reverse {
			key += "r"
		}
		keys = append(keys, key)
	}
	if len(keys) == 0 {
		// Every key is equal to every other: an empty range of the first field.
		keys = append(keys, "-k1.2,1.1")
	}
	return keys
}
