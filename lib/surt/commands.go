package surt

import (
	"archivestream/lib/stage"
)

// CanonicalizeURLsCommand is the stage canonicalize-urls.
func CanonicalizeURLsCommand() stage.Command {
	return stage.Command{
		Name:        "canonicalize-urls",
		Summary:     "give URLs their SURT keys",
		Description: "Makes the keys of Python's surt 0.3.1, which pywb, cdxj-indexer and Common Crawl's index use. Any line gives a key.",
		Input:       "URLs, one a line, as they are: a tab is part of the URL.",
		Output:      "SURT TAB URL. No key has a space or a tab.",
		Example:     "canonicalize-urls < urls.txt | LC_ALL=C sort > keys.tsv",
		Run:         CanonicalizeURLs,
	}
}
