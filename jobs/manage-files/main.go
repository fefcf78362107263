// Command manage-files reads, writes and moves the files of a job, on whatever
// storage they lie: it is what job scripts use where they would use cat, mv and
// rm on one machine.
package main

import (
	"os"

	"archivestream/lib/jobfiles"
)

func main() { os.Exit(jobfiles.Execute(os.Args, os.Stdin, os.Stdout, os.Stderr)) }
