package index

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"archivestream/lib/cdx"
	"archivestream/lib/stage"
)

// unreadable is a file that opens, has a size, and fails when it is read.
const unreadable = "/sys/class/net/lo/speed"

// TestUnreadableArchive reads a file that fails as a broken disk does: the task is
// tried again, and rejects the file in its last attempt. A file that is not there is
// rejected at once.
func TestUnreadableArchive(t *testing.T) {
	f, err := os.Open(unreadable)
	if err == nil {
		_, err = f.Read(make([]byte, 1))
		f.Close()
	}
	if info, e := os.Stat(unreadable); e != nil || info.Size() == 0 || err == nil || err == io.EOF {
		t.Skipf("%s of this machine does not fail when it is read", unreadable)
	}
	layout, err := cdx.ParseLayout("cdxj")
	if err != nil {
		t.Fatal(err)
	}
	command := stage.Command{Name: "index-archives", Run: func(t *stage.Task) error {
		return Archives(t, MapperOptions{Layout: layout})
	}}
	for _, test := range []struct {
		path, attempt string
		status        int
	}{
		{unreadable, "", 0},
		{unreadable, "attempt_1_0001_m_000000_0", 1},
		{unreadable, "attempt_1_0001_m_000000_2", 1},
		{unreadable, "attempt_1_0001_m_000000_3", 0},
		{"/none.warc.gz", "attempt_1_0001_m_000000_0", 0},
		{"/dev/null/none.warc.gz", "attempt_1_0001_m_000000_0", 0},
		{t.TempDir(), "attempt_1_0001_m_000000_0", 0},
	} {
		t.Setenv("mapreduce_task_attempt_id", test.attempt)
		rejects := t.TempDir() + "/rejects"
		t.Setenv("mapreduce_task_output_dir", t.TempDir())
		var out, errw bytes.Buffer
		status := stage.Execute(command, []string{"index-archives", "--rejects", rejects}, strings.NewReader(test.path+"\n"), &out, &errw)
		if status != test.status {
			t.Errorf("%+v: status %d: %s", test, status, errw.String())
		}
		if told := strings.Contains(errw.String(), "error: "+test.path); test.status == 1 && !told {
			t.Errorf("%+v: said %q", test, errw.String())
		}
	}
}
