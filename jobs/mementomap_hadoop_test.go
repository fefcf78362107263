package jobs

import "testing"

// A map is made on Hadoop out of captures, an older map and a blocked list, in two
// ranges of keys: the same bytes as on this machine.
func TestHadoopMementomap(t *testing.T) {
	t.Parallel()
	c := onCluster(t, newProject)
	c.write("older.ukvs", "!id {uri: \"https://a.example/\"}\nexample,garden)/* 7/3\nexample,library)/x 2/1\norg,old) 1\n")
	c.write("blocked.txt", "example,garden,media,*\n")
	inputs := []string{c.copy("captures.cdxj"), c.copy("crawl-2020.cdx")}
	c.upload("older.ukvs", "blocked.txt", "captures.cdxj", "crawl-2020.cdx")
	c.sameHere("map", "mementomap.sh", []string{"--reducers", "2"}, "--input", inputs[0], inputs[1],
		"--update", c.path("older.ukvs"), "--blocked", c.path("blocked.txt"), "--where", `status == 200 && mime != "image/png"`)
}
