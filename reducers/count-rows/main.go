// Command count-rows writes each row once, with the number of equal rows.
package main

import (
	"archivestream/lib/enrich"
	"archivestream/lib/stage"
)

func main() { stage.Main(enrich.CountRowsCommand()) }
