// Command archivestream holds all stages and starts all jobs.
package main

import (
	"os"

	"archivestream/lib/suite"
)

func main() { os.Exit(suite.Main(os.Args)) }
