package enrich

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif"  // known to image.DecodeConfig
	_ "image/jpeg" // likewise
	_ "image/png"  // likewise
)

var _ = register(function{
	name: "image", from: "payload", takes: 1 << Binary, gives: Container,
	summary: "the image: width and height start from it (GIF, JPEG, PNG, WebP, BMP)",
	derive: func(_ *Record, from, out *Value) error {
		if width, height := imageSize(from.Bytes); width > 0 && height > 0 {
			*out = Value{Kind: Container, Number: int64(width)<<32 | int64(height)}
		}
		return nil
	},
})

var (
	_ = registerSize("width", 32)
	_ = registerSize("height", 0)
)

func registerSize(name string, shift int) bool {
	return register(function{
		name: name, from: "payload.image", takes: 1 << Container, of: "image", gives: Integer,
		summary: name + " of an image, in pixels",
		derive: func(_ *Record, from, out *Value) error {
			out.setInteger(int(from.Number >> shift & 0xffffffff))
			return nil
		},
	})
}

// imageSize gives width and height of an image in pixels; 0 for what is none.
func imageSize(p []byte) (width, height int) {
	switch {
	case len(p) >= 30 && string(p[:4]) == "RIFF" && string(p[8:12]) == "WEBP":
		return webpSize(p[12:])
	case len(p) >= 26 && string(p[:2]) == "BM":
		w, h := int32(binary.LittleEndian.Uint32(p[18:])), int32(binary.LittleEndian.Uint32(p[22:]))
		return max(int(w), 0), max(int(h), -int(h)) // rows from above have a negative height
	}
	c, _, err := image.DecodeConfig(bytes.NewReader(p))
	if err != nil || c.Width < 0 || c.Height < 0 {
		return 0, 0
	}
	return c.Width, c.Height
}

// webpSize reads the first chunk of a WebP file (RFC 9649): VP8, VP8L or VP8X.
func webpSize(p []byte) (width, height int) {
	data := p[8:]
	switch string(p[:4]) {
	case "VP8 ":
		if len(data) >= 10 && string(data[3:6]) == "\x9d\x01\x2a" {
			return int(binary.LittleEndian.Uint16(data[6:])) & 0x3fff, int(binary.LittleEndian.Uint16(data[8:])) & 0x3fff
		}
	case "VP8L":
		if data[0] == 0x2f {
			bits := binary.LittleEndian.Uint32(data[1:])
			return int(bits&0x3fff) + 1, int(bits>>14&0x3fff) + 1
		}
	case "VP8X":
		if len(data) >= 10 {
			return int(uint24(data[4:])) + 1, int(uint24(data[7:])) + 1
		}
	}
	return 0, 0
}

func uint24(p []byte) uint32 { return uint32(p[0]) | uint32(p[1])<<8 | uint32(p[2])<<16 }
