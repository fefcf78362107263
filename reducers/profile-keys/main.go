// Command profile-keys counts the keys of captures below each prefix.
package main

import (
	"github.com/urfave/cli/v2"

	"archivestream/lib/profile"
	"archivestream/lib/stage"
)

func main() { stage.Main(command) }

var command = stage.Command{
	Name:        "profile-keys",
	Summary:     "count captures, addresses and prefixes of a collection",
	Description: "Holds one state for each level of depth, and how often each size of a group came up.",
	Input:       "Lines of key-captures, sorted by three fields; those with the same two first fields are in one task.",
	Output:      "TABLE TAB ROW TAB COLUMN TAB NUMBERS, which add up. Key: three fields.",
	Example:     "key-captures < index.cdxj | LC_ALL=C sort | profile-keys | LC_ALL=C sort | write-profile --output profile",
	Flags: []cli.Flag{
		&cli.IntFlag{Name: "top", Value: 20, Usage: "name the `N` most captured URI-Rs"},
	},
	Run: func(t *stage.Task) error { return profile.Keys(t, t.Int("top")) },
}
