package jobs

import (
	"os"
	"os/exec"
	"testing"
)

// TestHadoopDerive makes all derivatives on the one-node Hadoop and compares them with
// those of this machine. Rejects name the archive files by where they are.
func TestHadoopDerive(t *testing.T) {
	t.Parallel()
	if os.Getenv("ARCHIVESTREAM_HADOOP") == "" {
		t.Skip("ARCHIVESTREAM_HADOOP is not set: no Hadoop is up")
	}
	dir := likeRoot(t)
	run := func(command string) {
		t.Helper()
		cmd := exec.Command("bash", "-o", "pipefail", "-c", command)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	const clear = "scripts/hadoop.sh run hadoop fs -rm -r -f -skipTrash /derive-test"
	run(clear)
	run("scripts/hadoop.sh run bash -c 'hadoop fs -mkdir -p /derive-test && hadoop fs -put testdata/archives /derive-test/archives'")
	const made = " --quiet --make wat,wet,meta,cdxj,links"
	run("scripts/hadoop.sh run jobs/derive.sh --engine hadoop --maps 2 --input /derive-test/archives --output /derive-test/out" + made)
	run("scripts/hadoop.sh run hadoop fs -get /derive-test/out from-cluster")
	run("jobs/derive.sh --input testdata/archives --output here" + made)
	run("diff -r -x _job.json -x _rejects.tsv from-cluster here && diff <(sed 's,hdfs.*/,,' from-cluster/_rejects.tsv) <(sed 's,/.*/,,' here/_rejects.tsv)")
	run(clear)
}
