package manuals

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPageOfJob reads a manual whose long lines are broken.
func TestPageOfJob(t *testing.T) {
	script := filepath.Join(t.TempDir(), "some.sh")
	if err := os.WriteFile(script, []byte(`#!/usr/bin/env bash
# Make something
# of something.
#
# Usage: jobs/some.sh --input PATH...
#          --output DIR [OPTION]...
#        jobs/some.sh --explain
#
# Options:
#   --form one|two              what is made of it, with
#                               --output
#
# Example: jobs/some.sh --input a \
#            --output b
set -u
`), 0o666); err != nil {
		t.Fatal(err)
	}
	p, err := ofJob("some", script)
	if err != nil {
		t.Fatal(err)
	}
	if want := "archivestream some --input PATH... --output DIR [OPTION]...\narchivestream some --explain"; p.Usage != want {
		t.Errorf("usage %q, expected %q", p.Usage, want)
	}
	if len(p.Options) != 1 || strings.Join(p.Options[0].Text, " ") != "what is made of it, with --output" || len(p.Options[0].Values) != 2 {
		t.Errorf("options %+v", p.Options)
	}
	if man := p.Man("1"); !strings.Contains(man, ".SH EXAMPLE\n.nf\narchivestream some \\-\\-input a \\e\n           \\-\\-output b\n.fi\n") ||
		!strings.Contains(man, "Make something of something\n") {
		t.Errorf("page:\n%s", man)
	}
}
