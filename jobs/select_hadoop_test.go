package jobs

import (
	"path/filepath"
	"slices"
	"testing"
)

// Captures are selected, picked and derived from on Hadoop, revisits resolved, and
// the records of others copied, out of archives in one folder or in two: the same
// bytes as on this machine, which can get the archives out of HDFS as well.
func TestHadoopSelect(t *testing.T) {
	t.Parallel()
	c := onCluster(t, newProject)
	// What rejects say has to be the same too: of a line that is no capture, and of an
	// archive file that is missing.
	c.copy("captures.cdxj")
	c.write("index.cdxj", c.read("captures.cdxj")+`zz,broken)/ 2020 {"url": "http://broken.zz/", "mime": "text/html"}
zz,missing)/ 20200101000000 {"url": "http://missing.zz/", "mime": "text/html", "status": "200", "length": "10", "offset": "5", "filename": "missing.warc.gz"}
`)
	archives, err := filepath.Glob(c.copy("archives") + "/*")
	c.must(err)
	for i, archive := range archives {
		c.write([]string{"even/", "odd/"}[i%2]+filepath.Base(archive), c.read("archives/"+filepath.Base(archive)))
	}
	c.upload("index.cdxj", "archives", "even", "odd")
	bases := map[string][]string{"json": {"archives"}, "warc": {"even", "odd"}}
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
			options := append([]string{"--cdx", c.path("index.cdxj")}, options...)
			here, far := slices.Clone(options), append(options, "--quiet")
			for _, base := range bases[name] {
				here = append(here, "--archives", c.path(base))
				far = append(far, "--archives", "hdfs://"+c.path(base))
			}
			made := c.sameHere(name, "select.sh", []string{"--reducers", "2"}, append(here, "--small", "0")...)
			// The embedded engine reads archives in HDFS, and so does a pipe without one.
			for _, small := range []string{"0", "64MB"} {
				output := name + "-" + small
				c.hadoop(append([]string{c.path("jobs/select.sh"), "--output", c.path(output), "--small", small}, far...)...)
				c.same("archives in HDFS, --small "+small, made, c.tree(output))
			}
			if len(made) < 4 {
				t.Errorf("only %d files were made", len(made))
			}
			if name == "json" && made["_rejects.tsv"] == "" {
				t.Error("nothing is rejected")
			}
		})
	}
}
