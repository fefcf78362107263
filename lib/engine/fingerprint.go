package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"os"
	"strings"

	"archivestream/lib/storage"
)

// settingsOfTheRun are configuration keys that change how a job is run but not
// what it makes; a resumed run may have others.
var settingsOfTheRun = map[string]bool{
	keyJobName: true, keyMapSlots: true, keyReduceSlots: true,
	keyMapAttempts: true, keyReduceAttempts: true, keyTimeout: true,
	keyMapSpeculative: true, keyRedSpeculative: true, keySortMB: true,
}

// fingerprintInput names the job by everything that its output depends on:
// options, splits, and size and time of change of inputs and -files.
func (j *job) fingerprintInput(inputs []storage.Info) {
	h := sha256.New()
	put := func(format string, args ...any) {
		text := fmt.Sprintf(format, args...)
		binary.Write(h, binary.BigEndian, uint64(len(text)))
		h.Write([]byte(text))
	}
	for _, k := range j.conf.keys() {
		name := k
		if n, ok := newNames[k]; ok {
			name = n
		}
		if !settingsOfTheRun[name] && !strings.HasPrefix(k, "engine.") {
			put("-D %s=%s", k, j.conf[k])
		}
	}
	put("%q %q %q %q %v", j.mapper, j.combiner, j.reducer, j.environment, j.lazyOutput)
	for _, f := range j.files {
		put("file %s as %s", f.path, f.name)
		if info, err := os.Stat(f.path); err == nil {
			put("%d %d", info.Size(), info.ModTime().UnixNano())
		}
	}
	for _, f := range inputs {
		put("input %s %d %d", f.Path, f.Size, f.ModTime.UnixNano())
	}
	for _, s := range j.splits {
		put("split %s %d %d", s.Path, s.Start, s.Length)
	}
	sum := h.Sum(nil)
	j.fingerprint = hex.EncodeToString(sum)
	j.id = fmt.Sprintf("local%010d_0001", binary.BigEndian.Uint64(sum)%10_000_000_000)
}
