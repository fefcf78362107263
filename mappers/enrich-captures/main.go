// Command enrich-captures derives values from the records of chosen captures and
// saves them with their lineage.
package main

import (
	"archivestream/lib/enrich"
	"archivestream/lib/stage"
)

func main() { stage.Main(enrich.EnrichCapturesCommand()) }
