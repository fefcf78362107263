package enrich

import (
	"os/exec"
	"strings"

	"archivestream/lib/stage"
)

// findPrograms looks for the programs of --enrich-with before one is needed, as far as
// their commands say what is run.
func (p *Plan) findPrograms() error {
	for _, q := range p.programs {
		name := firstWord(q.command)
		if q.own != "" || name == "" {
			continue
		}
		// The shell knows what is built into it.
		if err := exec.Command("/bin/sh", "-c", `command -v -- "$1"`, "sh", name).Run(); err != nil {
			return stage.Hint(stage.Usage("--enrich-with: the program %s is not found: %s", name, q.command), "give its full path, or put its folder into PATH")
		}
	}
	return nil
}

// firstWord returns the word of a command that names the program; nothing where a
// shell would have to say which that is.
func firstWord(command string) string {
	for word := range strings.FieldsSeq(command) {
		if strings.ContainsAny(word, "$`\"'\\(){}<>|&;*?[]~!#") {
			return ""
		}
		if !strings.Contains(word, "=") {
			return word
		}
	}
	return ""
}
