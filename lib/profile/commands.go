package profile

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/stage"
)

// KeyCapturesCommand is the stage key-captures.
func KeyCapturesCommand() stage.Command {
	return stage.Command{
		Name:        "key-captures",
		Summary:     "give captures keys in the order of the tree of addresses",
		Description: "Captures of one key and year that follow each other are one line. A line that is no capture is rejected.",
		Input:       "Index lines: CDX or CDXJ.",
		Output:      "key TAB GROUP TAB REST TAB YEAR URIMS 2XX 3XX 4XX 5XX, and totals. Key: three fields, of which two decide the reducer.",
		Example:     "key-captures < index.cdxj | LC_ALL=C sort | profile-keys | LC_ALL=C sort | write-profile --output profile",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "where", Usage: "`EXPR` that is true for the captures that count, as in status == 200 && mime == \"text/html\" (default: all do)"},
		},
		Run: func(t *stage.Task) error { return Captures(t, t.String("where")) },
	}
}

// ProfileKeysCommand is the stage profile-keys.
func ProfileKeysCommand() stage.Command {
	return stage.Command{
		Name:        "profile-keys",
		Summary:     "count captures, addresses and prefixes of a collection",
		Description: "Holds one state for each level of depth, and how often each size of a group came up.",
		Input:       "Lines of key-captures, sorted by three fields; those with the same two first fields are in one task.",
		Output:      "TABLE TAB ROW TAB COLUMN TAB NUMBERS, which add up. Key: three fields.",
		Example:     "key-captures < index.cdxj | LC_ALL=C sort | profile-keys | LC_ALL=C sort | write-profile --output profile",
		Flags: []cli.Flag{
			&cli.IntFlag{Name: "top", Value: 20, Usage: "name the `N` most captured URI-Rs"},
		},
		Run: func(t *stage.Task) error { return Keys(t, t.Int("top")) },
	}
}

// WriteProfileCommand is the stage write-profile.
func WriteProfileCommand() stage.Command {
	return stage.Command{
		Name:    "write-profile",
		Summary: "write the profile of a collection as JSON and as an HTML page",
		Input:   "Lines of profile-keys, sorted by three fields.",
		Output:  "Side files profile.json and profile.html.",
		Example: "key-captures < index.cdxj | LC_ALL=C sort | profile-keys | LC_ALL=C sort | write-profile --output profile",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "title", Value: "Profile of a collection", Usage: "`TEXT` at the head of the page"},
			&cli.IntFlag{Name: "top", Value: 20, Usage: "name the `N` most captured URI-Rs"},
			&cli.IntFlag{Name: "tlds", Value: 20, Usage: "name the `N` TLDs with most captures"},
			&cli.Int64Flag{Name: "index-files", Usage: "the index has `N` files"},
			&cli.Int64Flag{Name: "index-bytes", Usage: "and `N` bytes"},
		},
		Run: func(t *stage.Task) error {
			return Write(t, WriteOptions{
				Title: t.String("title"), Top: t.Int("top"), TLDs: t.Int("tlds"),
				IndexFiles: t.Int64("index-files"), IndexBytes: t.Int64("index-bytes"),
			})
		},
	}
}
