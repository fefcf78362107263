package simjoin

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/coverage"
	"archivestream/lib/stage"
)

// Flags are the options of a stage that needs the coverage relation.
func Flags(more ...cli.Flag) []cli.Flag {
	return append([]cli.Flag{
		&cli.StringFlag{Name: "cover", Usage: "`EXPRESSION` that says when b covers a"},
	}, more...)
}

// BitsFlag is the option that says how shingles are represented.
func BitsFlag() cli.Flag {
	return &cli.IntFlag{Name: "hash-bits", Value: 64, Usage: "represent a shingle by `N` bits: 64 or 128"}
}

// Relation reads the option --cover.
func Relation(t *stage.Task) (*coverage.Relation, error) {
	r, err := coverage.Parse(t.String("cover"))
	if err != nil {
		return nil, stage.Usage("--cover: %v", err)
	}
	return r, nil
}

// Width reads the option --hash-bits: 64-bit words per shingle.
func Width(t *stage.Task) (int, error) {
	switch n := t.Int("hash-bits"); n {
	case 64, 128:
		return n / 64, nil
	default:
		return 0, stage.Usage("--hash-bits %d: 64 or 128 is wanted", n)
	}
}

// Shingle reads the options --shingle-size and --hash-bits.
func Shingle(t *stage.Task) (size, width int, err error) {
	size = t.Int("shingle-size")
	if size < 1 || size > 1000 {
		return 0, 0, stage.Usage("--shingle-size %d: 1 to 1000 is wanted", size)
	}
	width, err = Width(t)
	return size, width, err
}
