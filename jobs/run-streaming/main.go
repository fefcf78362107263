// Command run-streaming runs a hadoop-streaming job on this machine, without
// Hadoop: the embedded engine of the job scripts.
package main

import (
	"os"

	"archivestream/lib/engine"
)

func main() { os.Exit(engine.Main(os.Args[1:], os.Stdout, os.Stderr)) }
