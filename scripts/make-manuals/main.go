// Command make-manuals writes the manual pages and the completions of shells below a
// folder, where an installation has them.
package main

import (
	"fmt"
	"os"

	"archivestream/lib/manuals"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "make-manuals: error: expected two folders\nmake-manuals: hint: make-manuals jobs PREFIX/share")
		os.Exit(2)
	}
	if err := manuals.Write(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintf(os.Stderr, "make-manuals: error: %v\n", err)
		os.Exit(1)
	}
}
