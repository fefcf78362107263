// Command write-profile writes the profile of a collection as JSON and as a page.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/profile"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
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
		return profile.Write(t, profile.WriteOptions{
			Title: t.String("title"), Top: t.Int("top"), TLDs: t.Int("tlds"),
			IndexFiles: t.Int64("index-files"), IndexBytes: t.Int64("index-bytes"),
		})
	},
}
