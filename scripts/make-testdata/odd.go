package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"

	"archivestream/lib/warc"

	"github.com/klauspost/compress/gzip"
)

// An oddFile is damaged, or sound in an unusual way.
type oddFile struct {
	name    string
	content []byte
	records int // that can be read, the head included
	lost    int // of which too little is left
	what    string
}

// noise gives text that hardly compresses, so that members have a middle.
func noise(n int, seed uint64) []byte {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	random := rand.New(rand.NewPCG(seed, 0))
	p := make([]byte, n)
	for i := range p {
		p[i] = letters[random.IntN(len(letters))]
	}
	return p
}

// small is an archive of a head and five records; the odd files are made of it.
func small(format warc.Format, name string) *archive {
	a := newArchive(format, name)
	for i := range 5 {
		p := page{host: gardenHost, target: fmt.Sprintf("/%d", i), status: 200, contentType: "text/plain", body: noise(2000, uint64(i))}
		block, date := p.message(dates[0]), dates[0].Add(time.Duration(i)*time.Minute)
		if format == warc.ARC {
			a.arc(p.url(), serverIP, p.contentType, date, block)
		} else {
			a.warc(warc.Response, p.url(), date, block, warc.Field{Name: "WARC-Payload-Digest", Value: digest(p.body)},
				warc.Field{Name: "Content-Type", Value: httpAnswer})
		}
	}
	return a
}

// third changes the archive's record in the middle.
func (a *archive) third(change func(record []byte) []byte) *archive {
	a.records[2] = change(bytes.Clone(a.records[2]))
	return a
}

// every changes all records but the head.
func (a *archive) every(change func(i int, record []byte) []byte) *archive {
	for i := 1; i < len(a.records); i++ {
		a.records[i] = change(i, bytes.Clone(a.records[i]))
	}
	return a
}

// parts gives the file's members, to be damaged and put together.
func (a *archive) parts() [][]byte {
	var p [][]byte
	for _, r := range a.records {
		p = append(p, compress(r))
	}
	return p
}

func replaced(old, new string) func([]byte) []byte {
	return func(p []byte) []byte {
		if !bytes.Contains(p, []byte(old)) {
			panic(fmt.Sprintf("%q is not in the record", old))
		}
		return bytes.Replace(p, []byte(old), []byte(new), 1)
	}
}

func joined(parts [][]byte) []byte { return bytes.Join(parts, nil) }

func cut(p []byte, n int) []byte { return p[:len(p)-n] }

// odd gives all odd files.
func odd() []oddFile {
	files := append(damagedMembers(), wrongLengths()...)
	files = append(files, unusualFiles()...)
	return append(files, unusualARC()...)
}

func damagedMembers() []oddFile {
	checksum, zeroed, garbage := small(warc.WARC, "x").parts(), small(warc.WARC, "x").parts(), small(warc.WARC, "x").parts()
	checksum[2][len(checksum[2])-8] ^= 0x55
	clear(zeroed[2][len(zeroed[2])/2:][:200])
	garbage[2] = append(garbage[2], noise(100, 9)...)
	headless := small(warc.WARC, "x").parts()
	clear(headless[2][:10])
	arc := small(warc.ARC, "x").parts()
	arc[2][len(arc[2])-8] ^= 0x55
	plain := small(warc.WARC, "x").third(func(r []byte) []byte { return append(r, "some bytes of nothing\r\n\r\n"...) })
	return []oddFile{
		{"truncated.warc.gz", cut(small(warc.WARC, "x").members(), 500), 5, 1, "ends within the last member"},
		{"truncated.warc", cut(small(warc.WARC, "x").plain(), 500), 5, 1, "ends within the last block"},
		{"truncated.arc.gz", cut(small(warc.ARC, "x").members(), 500), 5, 1, "ends within the last member"},
		{"truncated-checksum.warc.gz", cut(small(warc.WARC, "x").members(), 4), 6, 0, "ends within the last member's checksum"},
		{"checksum.warc.gz", joined(checksum), 5, 1, "CRC-32 of the third member is wrong"},
		{"checksum.arc.gz", joined(arc), 5, 1, "CRC-32 of the third member is wrong"},
		{"zeroed.warc.gz", joined(zeroed), 5, 1, "200 zero bytes in the middle of the third member"},
		{"headless.warc.gz", joined(headless), 5, 0, "the third member's gzip header is zeroed"},
		{"garbage.warc.gz", joined(garbage), 6, 0, "100 bytes of garbage behind the third member"},
		{"garbage.warc", plain.plain(), 6, 0, "garbage behind the third record"},
	}
}

func wrongLengths() []oddFile {
	length := func(format warc.Format) string {
		r := small(format, "x").records[2]
		if format == warc.ARC {
			line, _, _ := strings.Cut(string(r), "\n")
			return line[strings.LastIndexByte(line, ' '):] + "\n"
		}
		_, after, _ := strings.Cut(string(r), "Content-Length: ")
		number, _, _ := strings.Cut(after, "\r")
		return "Content-Length: " + number + "\r\n"
	}
	with := func(format warc.Format, number string) *archive {
		text := "Content-Length: " + number + "\r\n"
		if format == warc.ARC {
			text = " " + number + "\n"
		}
		return small(format, "x").third(replaced(length(format), text))
	}
	return []oddFile{
		{"length-short.warc", with(warc.WARC, "2000").plain(), 6, 0, "Content-Length of the third record too small"},
		{"length-short.warc.gz", with(warc.WARC, "2000").members(), 6, 0, "Content-Length of the third record too small"},
		{"length-long.warc", with(warc.WARC, "2500").plain(), 6, 0, "Content-Length of the third record reaches into the fourth"},
		{"length-long.warc.gz", with(warc.WARC, "2500").members(), 6, 0, "Content-Length of the third record past its member's end"},
		{"length-huge.warc.gz", with(warc.WARC, "1099511627776").members(), 6, 0, "Content-Length of the third record of 1 TiB"},
		{"length-negative.warc.gz", with(warc.WARC, "-1").members(), 6, 0, "Content-Length of the third record negative"},
		{"length-none.warc.gz", small(warc.WARC, "x").third(replaced(length(warc.WARC), "")).members(), 6, 0, "no Content-Length in the third record"},
		{"length-short.arc.gz", with(warc.ARC, "2000").members(), 6, 0, "length of the third record too small"},
		{"length-long.arc.gz", with(warc.ARC, "2500").members(), 6, 0, "length of the third record past its member's end"},
		{"length-long.arc", with(warc.ARC, "2500").plain(), 6, 0, "length of the third record reaches into the fourth"},
	}
}

func unusualFiles() []oddFile {
	lf := small(warc.WARC, "x").every(func(_ int, r []byte) []byte {
		head, block, _ := bytes.Cut(r, []byte("\r\n\r\n"))
		head = bytes.ReplaceAll(head, []byte("\r\n"), []byte("\n"))
		return append(append(append(head, "\n\n"...), bytes.TrimSuffix(block, []byte("\r\n\r\n"))...), "\n\n"...)
	})
	version := func(v string) *archive {
		a := small(warc.WARC, "x")
		for i, r := range a.records {
			a.records[i] = replaced("WARC/1.0", "WARC/"+v)(r)
		}
		return a
	}
	empty := compress(nil)
	withEmpty := small(warc.WARC, "x").parts()
	withEmpty[2] = append(append(bytes.Clone(empty), withEmpty[2]...), empty...)
	s := small(warc.WARC, "x")
	mixed := append(joined(s.parts()[:3]), bytes.Join(s.records[3:], nil)...)
	pairs := append(append(compress(joined(s.records[:2])), compress(joined(s.records[2:4]))...), compress(joined(s.records[4:]))...)
	wrong := "sha1:" + strings.Repeat("A", 32)
	return []oddFile{
		{"empty.warc.gz", nil, 0, 0, "0 bytes"},
		{"text.warc.gz", compress([]byte("This is no archive.\n")), 0, 0, "no archive at all"},
		{"missing-blank-lines.warc", s.every(func(_ int, r []byte) []byte { return cut(r, 4) }).plain(), 6, 0, "no blank lines behind the records"},
		{"missing-blank-lines.warc.gz", s.members(), 6, 0, "no blank lines behind the records"},
		{"line-feeds.warc", lf.plain(), 6, 0, "line feeds instead of CRLF in headers and behind records"},
		{"line-feeds.warc.gz", lf.members(), 6, 0, "line feeds instead of CRLF in headers and behind records"},
		{"latin-1.warc.gz", small(warc.WARC, "x").third(replaced("garden.example/1", "garden.example/g\xe4rten")).members(), 6, 0, "Latin-1 in the third record's WARC-Target-URI"},
		{"folded.warc.gz", small(warc.WARC, "x").third(replaced("WARC-Target-URI: ", "WARC-Target-URI:\r\n\t")).members(), 6, 0, "folded header line in the third record"},
		{"brackets.warc.gz", small(warc.WARC, "x").third(replaced("http://garden.example/1", "<http://garden.example/1>")).members(), 6, 0, "angle brackets around the third record's WARC-Target-URI"},
		{"version-0.17.warc.gz", version("0.17").members(), 6, 0, "WARC/0.17"},
		{"version-1.1.warc.gz", version("1.1").members(), 6, 0, "WARC/1.1"},
		{"empty-members.warc.gz", joined(withEmpty), 6, 0, "gzip members without content around the third one"},
		{"pairs.warc.gz", pairs, 6, 0, "two records in each member"},
		{"mixed.warc.gz", mixed, 6, 0, "three members, then records that are not compressed"},
		{"plain.warc.gz", small(warc.WARC, "x").plain(), 6, 0, "not compressed, whatever the name says"},
		{"compressed.warc", small(warc.WARC, "x").members(), 6, 0, "compressed, whatever the name says"},
		{"extra-fields.warc.gz", extraFields(small(warc.WARC, "x")), 6, 0, "gzip headers with extra field, name and comment"},
		{"wrong-digests.warc.gz", small(warc.WARC, "x").third(func(r []byte) []byte {
			_, after, _ := bytes.Cut(r, []byte("WARC-Payload-Digest: "))
			return replaced(string(after[:len(wrong)]), wrong)(r)
		}).members(), 6, 0, "payload digest of the third record is wrong"},
	}
}

// extraFields compresses each record into a member whose header has all that
// RFC 1952 allows.
func extraFields(a *archive) []byte {
	var b bytes.Buffer
	for _, r := range a.records {
		z := gzip.NewWriter(&b)
		z.Extra, z.Name, z.Comment, z.ModTime = []byte("XX\x04\x00\x1f\x8b\x08\x00"), "record", "made for tests", dates[0]
		z.Write(r)
		z.Close()
	}
	return b.Bytes()
}

func unusualARC() []oddFile {
	names := []string{"", "/a b c.html", "/ä", "/1", "/2", "/x y"}
	spaces := small(warc.ARC, "x").every(func(i int, r []byte) []byte {
		r = replaced(fmt.Sprintf("/%d ", i-1), names[i]+" ")(r)
		return replaced(" text/plain ", " text/html; charset=utf-8 ")(r)
	})
	dates := []string{"", "2008043020", "200804302049", "20080430205025x1", "200804302051250", "200804302052250000"}
	oddDates := small(warc.ARC, "x").every(func(i int, r []byte) []byte {
		return replaced(fmt.Sprintf(" 200804302%03d25 ", 48+i-1), " "+dates[i]+" ")(r)
	})
	four := small(warc.ARC, "x").every(func(_ int, r []byte) []byte { return replaced(" text/plain ", " ")(r) })
	two := small(warc.ARC, "x").every(func(i int, r []byte) []byte {
		return replaced(" text/plain ", fmt.Sprintf(" text/plain 200 %032x - %d x.arc ", i, 1000*i))(r)
	})
	const fields = "URL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"
	two.records[0] = fmt.Appendf(nil, "filedesc://x.arc 0.0.0.0 20080430204825 text/plain 200 - - 0 x.arc %d\n2 0 InternetArchive\n%s\n", len("2 0 InternetArchive\n")+len(fields), fields)
	headless := small(warc.ARC, "x")
	headless.records = headless.records[1:]
	return []oddFile{
		{"spaces.arc.gz", spaces.members(), 6, 0, "spaces in URLs and content types"},
		{"spaces.arc", spaces.plain(), 6, 0, "spaces in URLs and content types"},
		{"dates.arc.gz", oddDates.members(), 6, 0, "dates of 10, 12, 15, 18 digits, and one with text behind it"},
		{"four-fields.arc.gz", four.members(), 6, 0, "no content type in the records' lines"},
		{"four-fields.arc", four.plain(), 6, 0, "no content type in the records' lines"},
		{"no-filedesc.arc.gz", headless.members(), 5, 0, "no filedesc record"},
		{"no-filedesc.arc", headless.plain(), 5, 0, "no filedesc record"},
		{"version-2.arc.gz", two.members(), 6, 0, "ARC version 2"},
		{"version-2.arc", two.plain(), 6, 0, "ARC version 2"},
	}
}
