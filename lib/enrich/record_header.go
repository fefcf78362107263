package enrich

import "archivestream/lib/warc"

var _ = register(function{
	name: "recordHeader", gives: JSON,
	summary: "named fields of the WARC or ARC record",
	derive:  recordHeader,
})

func recordHeader(r *Record, _, out *Value) error {
	if err := r.open(); err != nil {
		return err
	}
	head, err := r.parsed()
	if err != nil {
		return err
	}
	begin := len(r.arena)
	r.arena = append(r.arena, '{')
	if head.Format == warc.ARC {
		// The fields of the paper, which had ARC in mind.
		line := head.ARC
		r.arena = appendMember(r.arena, "subject-uri", []byte(line.URL))
		r.arena = appendMember(r.arena, "ip-address", []byte(line.IP))
		r.arena = appendMember(r.arena, "creation-date", []byte(line.Date))
		r.arena = appendMember(r.arena, "content-type", []byte(line.ContentType))
	} else {
		fields := head.Header
		r.arena = appendFields(r.arena, func(yield func(name, value []byte) bool) {
			for _, f := range fields {
				if !yield([]byte(f.Name), []byte(f.Value)) {
					return
				}
			}
		})
	}
	r.arena = append(r.arena, '}')
	out.setJSON(r.arena[begin:len(r.arena):len(r.arena)])
	return nil
}
