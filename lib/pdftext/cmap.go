package pdftext

import (
	"unicode/utf16"

	"github.com/ledongthuc/pdf"
)

// maxRange is the largest range of codes that is taken from a ToUnicode CMap or the
// widths of a font: there are no more codes of two bytes.
const maxRange = 1 << 16

// readCMap gives the texts of codes by the ToUnicode CMap of a font (section 9.10.3).
// Codes are as they stand in strings.
func readCMap(font pdf.Value) map[string]string {
	texts := map[string]string{}
	stream := font.Key("ToUnicode")
	if stream.Kind() != pdf.Stream {
		return texts
	}
	pdf.Interpret(stream, func(stack *pdf.Stack, op string) {
		switch op {
		case "endbfchar":
			for stack.Len() >= 2 {
				text, code := stack.Pop(), stack.Pop()
				if text.Kind() == pdf.String && code.Kind() == pdf.String {
					texts[code.RawString()] = fromUTF16(text.RawString())
				}
			}
		case "endbfrange":
			for stack.Len() >= 3 {
				text, last, first := stack.Pop(), stack.Pop(), stack.Pop()
				addRange(texts, first.RawString(), last.RawString(), text)
			}
		case "beginbfchar", "beginbfrange", "begincodespacerange", "endcodespacerange", "begincmap", "endcmap", "findresource", "defineresource":
			for stack.Len() > 0 {
				stack.Pop()
			}
			if op == "findresource" { // begin wants a dictionary: any will do
				stack.Push(font)
			}
		}
	})
	return texts
}

// addRange takes the codes from first to last, whose texts follow each other or stand
// in an array.
func addRange(texts map[string]string, first, last string, text pdf.Value) {
	if len(first) == 0 || len(first) != len(last) || len(first) > 4 || first > last {
		return
	}
	code := []byte(first)
	units := utf16Units(text.RawString())
	for i := range maxRange {
		switch text.Kind() {
		case pdf.Array:
			if i >= text.Len() {
				return
			}
			texts[string(code)] = fromUTF16(text.Index(i).RawString())
		case pdf.String:
			if len(units) == 0 {
				return
			}
			texts[string(code)] = string(utf16.Decode(units))
			units[len(units)-1]++
		default:
			return
		}
		if string(code) == last {
			return
		}
		for j := len(code) - 1; j >= 0; j-- {
			if code[j]++; code[j] != 0 {
				break
			}
		}
	}
}

func utf16Units(s string) []uint16 {
	units := make([]uint16, 0, len(s)/2)
	for i := 0; i+1 < len(s); i += 2 {
		units = append(units, uint16(s[i])<<8|uint16(s[i+1]))
	}
	if len(s) == 1 {
		units = append(units, uint16(s[0]))
	}
	return units
}

func fromUTF16(s string) string { return string(utf16.Decode(utf16Units(s))) }
