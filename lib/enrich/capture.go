package enrich

import "archivestream/lib/where"

// Numbers of fields of a capture.
var (
	fieldSurt   = fieldNumber("surt")
	fieldStatus = fieldNumber("status")
	fieldDigest = fieldNumber("digest")
	fieldHost   = fieldNumber("host")
)

func fieldNumber(name string) int {
	for i, f := range where.Enriched.Fields {
		if f.Name == name {
			return i
		}
	}
	panic("enrich: captures have no field " + name)
}
