package enrich

import (
	"bytes"
	"os"
	"testing"

	"archivestream/lib/extract"
	"archivestream/lib/stage"
)

// BenchmarkLengths derives the lengths of a plan's strings: ARCHIVESTREAM_PLAN names
// the plan, ARCHIVESTREAM_ARCHIVES the folder of its archives.
func BenchmarkLengths(b *testing.B) {
	plan, err := os.ReadFile(os.Getenv("ARCHIVESTREAM_PLAN"))
	if err != nil {
		b.Skip("ARCHIVESTREAM_PLAN names no plan")
	}
	b.ReportAllocs()
	for b.Loop() {
		var out, errs bytes.Buffer
		c := stage.Command{Name: "enrich-captures", Run: func(t *stage.Task) error {
			archives, err := extract.OpenPlan(os.Getenv("ARCHIVESTREAM_ARCHIVES"), "")
			if err != nil {
				return err
			}
			defer archives.Close()
			return Captures(t, archives, MapperOptions{Options: Options{Enrich: []string{"length"}}, Limit: 64e6, Workers: 1})
		}}
		if stage.Execute(c, []string{"enrich-captures"}, bytes.NewReader(plan), &out, &errs) != 0 {
			b.Fatal(errs.String())
		}
	}
}
