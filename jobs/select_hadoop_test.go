package jobs

import "testing"

// Captures are selected, picked and derived from on Hadoop, revisits resolved, and
// the records of others copied: the same bytes as on this machine.
func TestHadoopSelect(t *testing.T) {
	t.Parallel()
	c := onCluster(t, newProject)
	// What rejects say has to be the same too: of a line that is no capture, and of an
	// archive file that is missing.
	c.copy("captures.cdxj")
	c.write("index.cdxj", c.read("captures.cdxj")+`zz,broken)/ 2020 {"url": "http://broken.zz/", "mime": "text/html"}
zz,missing)/ 20200101000000 {"url": "http://missing.zz/", "mime": "text/html", "status": "200", "length": "10", "offset": "5", "filename": "missing.warc.gz"}
`)
	c.copy("archives")
	c.upload("index.cdxj", "archives")
	for name, options := range map[string][]string{
		"json": {
			"--where", `status == 200 && mime != "image/png"`, "--pick", "latest", "--max-size", "3kB",
			"--enrich", "payload.string.html.title,payload.string.length,httpHeader", "--map-enrich", `payload short = len(payload.string ?? "") < 2000`,
			"--keep", "payload.length > 100",
		},
		"warc": {"--where", `host == "garden.example"`, "--pick", "first-per-digest", "--max-size", "60kB", "--save", "warc"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := &cluster{c.of(t)}
			made := c.sameHere(name, "select.sh", []string{"--reducers", "2"},
				append([]string{"--cdx", c.path("index.cdxj"), "--archives", c.path("archives"), "--small", "0"}, options...)...)
			if len(made) < 4 {
				t.Errorf("only %d files were made", len(made))
			}
			if name == "json" && made["_rejects.tsv"] == "" {
				t.Error("nothing is rejected")
			}
		})
	}
}
