package manuals

import (
	"os"
	"path/filepath"

	"archivestream/lib/stage"
)

// Write makes the pages and completions below share, the folder of an installation, of
// the jobs in a folder.
func Write(jobs, share string) error {
	pages, err := Pages(jobs)
	if err != nil {
		return err
	}
	files := map[string]string{
		"man/man1/archivestream.1":                     ManOfSuite(pages, stage.Version),
		"bash-completion/completions/archivestream":    Bash(pages),
		"zsh/site-functions/_archivestream":            Zsh(pages),
		"fish/vendor_completions.d/archivestream.fish": Fish(pages),
	}
	for _, p := range pages {
		files["man/man1/archivestream-"+p.Name+".1"] = p.Man(stage.Version)
	}
	for name, content := range files {
		name = filepath.Join(share, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}
