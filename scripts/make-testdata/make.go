package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// makeAll writes all files into the folder:
//
//	archives/           sound archives: garden* and converted* are made here,
//	                    crawl-* by wget
//	captures.*          lists of what is in them (those of several records in a
//	                    member left out), lines shuffled
//	crawl-*.cdx         as wget writes them
//	odd/                damaged and odd archives
//	odd.tsv             name, number of records that can be read, number of those
//	                    that are lost, what is odd
//
// The crawl is that which is there already unless a new one is asked for.
func makeAll(dir string, anew bool) error {
	for _, folder := range []string{"archives", "odd"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			return err
		}
	}
	if anew {
		if err := crawl(dir); err != nil {
			return err
		}
	}
	sound, err := archives()
	if err != nil {
		return err
	}
	for name, content := range sound {
		if err := os.WriteFile(filepath.Join(dir, "archives", name), content, 0o666); err != nil {
			return err
		}
	}
	var index strings.Builder
	for _, f := range odd() {
		if err := os.WriteFile(filepath.Join(dir, "odd", f.name), f.content, 0o666); err != nil {
			return err
		}
		fmt.Fprintf(&index, "%s\t%d\t%d\t%s\n", f.name, f.records, f.lost, f.what)
	}
	if err := os.WriteFile(filepath.Join(dir, "odd.tsv"), []byte(index.String()), 0o666); err != nil {
		return err
	}
	return writeLists(dir)
}
