package jobs

import "testing"

// TestHadoopDerive makes all derivatives on the one-node Hadoop and compares them with
// those of this machine.
func TestHadoopDerive(t *testing.T) {
	t.Parallel()
	c := onCluster(t, newProject)
	archives := c.copy("archives")
	c.upload("archives")
	c.sameHere("derived", "derive.sh", []string{"--maps", "2"}, "--input", archives, "--make", "wat,wet,meta,cdxj,links")
}
