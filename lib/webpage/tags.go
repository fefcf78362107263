package webpage

// A tag is an element's name that means something here; other: none of them.
type tag uint8

// A trait is what an element means for the text around it.
type trait uint8

const (
	block   trait = 1 << iota // begins and ends a line
	spacing                   // parts words, though it begins no line
	rawText                   // holds text alone, without character references
	rcData                    // holds text alone, with character references
	hidden                    // its text is not shown
	heading                   // h1 to h6
	aside                     // navigation and the like, never main text
	linking                   // has attributes that are links
)

const other tag = 0

// names are the elements and their traits. Which of them are blocks and which
// space words is what Common Crawl's WET takes for it.
var names = []struct {
	name   string
	traits trait
}{
	other: {},

	tagA: {"a", linking}, tagBase: {"base", 0}, tagBody: {"body", block}, tagHead: {"head", 0}, tagHTML: {"html", 0},
	tagLink: {"link", linking}, tagMeta: {"meta", 0}, tagPre: {"pre", block}, tagScript: {"script", rawText | hidden | linking},
	tagStyle: {"style", rawText | hidden}, tagSVG: {"svg", 0}, tagMath: {"math", 0}, tagTitle: {"title", block | rcData},
	tagDiv: {"div", block | linking}, tagInput: {"input", spacing | linking}, tagPlaintext: {"plaintext", rawText | block},
	tagH1: {"h1", block | heading}, tagH2: {"h2", block | heading}, tagH3: {"h3", block | heading},
	tagH4: {"h4", block | heading}, tagH5: {"h5", block | heading}, tagH6: {"h6", block | heading},

	lastNamed: {"address", block}, {"article", block}, {"aside", block | aside}, {"blockquote", block | linking},
	{"br", block}, {"button", block | linking}, {"canvas", block}, {"caption", block}, {"col", block},
	{"colgroup", block}, {"dd", block}, {"dl", block}, {"dt", block}, {"embed", block | linking},
	{"fieldset", block}, {"figcaption", block}, {"figure", block}, {"footer", block | aside}, {"form", block | linking},
	{"header", block}, {"hgroup", block}, {"hr", block}, {"li", block}, {"map", block}, {"nav", aside}, {"noscript", block},
	{"object", block | linking}, {"ol", block}, {"output", block}, {"p", block}, {"progress", block}, {"section", block},
	{"table", block}, {"tbody", block}, {"textarea", block | rcData}, {"tfoot", block}, {"th", block}, {"thead", block},
	{"tr", block}, {"ul", block}, {"video", block | linking}, {"cite", spacing}, {"details", spacing},
	{"datalist", spacing}, {"iframe", spacing | rawText | hidden | linking}, {"img", spacing | linking},
	{"label", spacing}, {"legend", spacing}, {"optgroup", spacing}, {"q", spacing | linking}, {"select", spacing},
	{"summary", spacing}, {"td", spacing}, {"time", spacing}, {"xmp", rawText | block},
	{"applet", linking}, {"area", linking}, {"audio", linking}, {"del", linking}, {"frame", linking}, {"ins", linking},
	{"menuitem", linking}, {"source", linking}, {"track", linking},
}

const (
	tagA tag = iota + 1
	tagBase
	tagBody
	tagHead
	tagHTML
	tagLink
	tagMeta
	tagPre
	tagScript
	tagStyle
	tagSVG
	tagMath
	tagTitle
	tagDiv
	tagInput
	tagPlaintext
	tagH1
	tagH2
	tagH3
	tagH4
	tagH5
	tagH6
	lastNamed
)

// traits has those of each tag.
var traits = func() (t [256]trait) {
	for i := range names {
		t[i] = names[i].traits
	}
	return t
}()

// slots is the size of the hash table of tags: several times their number, so
// that nearly every look ends at the first slot.
const slots = 1 << 10

// table finds tags by their packed names.
var table = func() (t [slots]struct {
	key uint64
	tag tag
}) {
	for i := range names {
		if i == int(other) {
			continue
		}
		key := pack([]byte(names[i].name))
		s := slot(key)
		for t[s].key != 0 {
			s = (s + 1) % slots
		}
		t[s].key, t[s].tag = key, tag(i)
	}
	return t
}()

// pack makes a number of a name in lower case: 6 bits of each of the first ten
// letters and digits; 0 where there are others, or more.
func pack(name []byte) uint64 {
	if len(name) > 10 {
		return 0
	}
	var key uint64
	for _, b := range name {
		c := code[b]
		if c == 0 {
			return 0
		}
		key = key<<6 | uint64(c)
	}
	return key
}

// code is from 1 on for letters of either case and digits.
var code = func() (t [256]uint8) {
	for i := range 26 {
		t['a'+i], t['A'+i] = uint8(i+1), uint8(i+1)
	}
	for i := range 10 {
		t['0'+i] = uint8(i + 27)
	}
	return t
}()

func slot(key uint64) uint { return uint(key * 0x9e3779b97f4a7c15 >> 54) }

// lookUp gives the tag of a name in any letter case.
func lookUp(name []byte) tag {
	key := pack(name)
	if key == 0 {
		return other
	}
	for s := slot(key); table[s].key != 0; s = (s + 1) % slots {
		if table[s].key == key {
			return table[s].tag
		}
	}
	return other
}
