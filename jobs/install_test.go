package jobs

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// An installation is the suite below a prefix that only its owner may write to.
type installation struct {
	*testing.T
	root, prefix, home string
}

// install runs `make install`, and moves what it made to another place.
func install(t *testing.T) *installation {
	t.Helper()
	dir := t.TempDir()
	in := &installation{t, filepath.Join(dir, "root"), filepath.Join(dir, "moved", "usr"), filepath.Join(dir, "home")}
	for _, open := range []string{filepath.Dir(dir), dir} {
		if err := os.Chmod(open, 0o755); err != nil { // for another user
			t.Fatal(err)
		}
	}
	in.make("install")
	if err := os.Mkdir(filepath.Dir(in.prefix), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(filepath.Join(in.root, "usr"), in.prefix); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(in.home, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(in.home, 0o777); err != nil {
		t.Fatal(err)
	}
	return in
}

func (in *installation) make(target string) {
	in.Helper()
	out, err := exec.Command("make", "-s", "-C", tree, target, "DESTDIR="+in.root, "PREFIX=/usr", "PROGRAM="+filepath.Join(root, "bin", "archivestream")).CombinedOutput()
	if err != nil {
		in.Fatalf("make %s: %v\n%s", target, err, out)
	}
}

// run has a user who is not root, where that can be had, call a command in a folder of
// his own. There is no Go, and no project.
func (in *installation) run(command string) string {
	in.Helper()
	cmd := exec.Command("/bin/bash", "-c", command)
	cmd.Dir = in.home
	cmd.Env = []string{"PATH=" + filepath.Join(in.prefix, "bin") + ":/usr/bin:/bin", "HOME=" + in.home, "TESTDATA=" + in.copied()}
	if os.Geteuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		in.Errorf("%s: %v\n%s", command, err, out)
	}
	return string(out)
}

// copied is a folder with what the commands read, which anybody may read.
func (in *installation) copied() string {
	in.Helper()
	to := filepath.Join(filepath.Dir(in.home), "testdata")
	if _, err := os.Stat(to); err != nil {
		if err := os.CopyFS(to, os.DirFS(filepath.Join(tree, "testdata"))); err != nil {
			in.Fatal(err)
		}
	}
	return to
}

func TestInstalled(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.run(`archivestream extract --input $TESTDATA/captures.cdxj --archives $TESTDATA/archives --output picked && [[ -s picked/index.cdxj ]]`)
	in.run(`archivestream index --input $TESTDATA/archives --output index && [[ -s index/index.cdxj ]]`)
	in.run(`archivestream select --cdx index/index.cdxj --archives $TESTDATA/archives --where 'status == 200' --save csv --columns 'url, title = payload.string.html.title' --output rows && [[ -n $(ls rows/*.csv*) ]]`)
	in.run(`ln -s ` + in.prefix + `/lib/archivestream/jobs/summary.sh mine && ./mine --input index/index.cdxj --output summary && [[ -s summary/summary.json ]]`)
	in.run(`ln -s ` + in.prefix + `/bin/archivestream ext && ./ext canonicalize-urls <<<http://a.example/b | grep -q '^example,a)/b'`)
	if help := in.run(`archivestream extract --help`); strings.Contains(help, "jobs/") || !strings.Contains(help, "Usage: archivestream extract ") {
		t.Errorf("the help of an installed job does not say how it is called: %.300s", help)
	}
	if said := in.run(`archivestream extrakt; [[ $? == 2 ]]`); !strings.Contains(said, "did you mean extract?") {
		t.Error(said)
	}
	if said := in.run(`archivestream --version; archivestream index --version; archivestream extract-records --version`); strings.Count(said, "\n") != 3 || strings.Contains(said, "unversioned") {
		t.Errorf("versions: %q", said)
	}
	list := in.run(`archivestream`)
	for _, dir := range mains(t) {
		if name := filepath.Base(dir); !strings.HasPrefix(dir, "scripts/") && name != "archivestream" && !strings.Contains(list, "   "+name+" ") {
			t.Errorf("archivestream does not list %s", name)
		}
	}
	scripts, err := filepath.Glob(filepath.Join(tree, "jobs", "*.sh"))
	if err != nil {
		t.Fatal(err)
	}
	for _, script := range scripts {
		name := strings.TrimSuffix(filepath.Base(script), ".sh")
		if !strings.Contains(list, "\n"+name+" ") {
			t.Errorf("archivestream does not list the job %s", name)
		}
		if page := in.read("share/man/man1/archivestream-" + name + ".1"); !strings.Contains(page, ".SH OPTIONS") {
			t.Errorf("the manual page of %s has no options", name)
		}
	}
}

func (in *installation) read(name string) string {
	in.Helper()
	content, err := os.ReadFile(filepath.Join(in.prefix, name))
	if err != nil {
		in.Error(err)
	}
	return string(content)
}

// TestManualPages has the formatter of man(1) read every page, where that is there.
func TestManualPages(t *testing.T) {
	t.Parallel()
	in := install(t)
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not on the PATH")
	}
	pages, err := filepath.Glob(filepath.Join(in.prefix, "share/man/man1/*.1"))
	if err != nil || len(pages) < 90 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	out, err := exec.Command(groff, append([]string{"-man", "-ww", "-z", "-Tutf8"}, pages...)...).CombinedOutput()
	if err != nil || len(bytes.TrimSpace(out)) > 0 {
		t.Errorf("%v\n%.2000s", err, out)
	}
}

// TestCompletions asks bash for what it would offer.
func TestCompletions(t *testing.T) {
	t.Parallel()
	in := install(t)
	offered := func(words ...string) []string {
		command := `. ` + in.prefix + `/share/bash-completion/completions/archivestream
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _archivestream; printf '%s\n' "${COMPREPLY[@]}"`
		out, err := exec.Command("bash", append([]string{"-c", command, "bash", "archivestream"}, words...)...).CombinedOutput()
		if err != nil {
			t.Errorf("%v: %v\n%s", words, err, out)
		}
		return strings.Fields(string(out))
	}
	for _, test := range []struct {
		words, want []string
	}{
		{[]string{"extr"}, []string{"extract", "extract-records"}},
		{[]string{"extract", "--arch"}, []string{"--archives"}},
		{[]string{"extract", "--verify", ""}, []string{"none", "url", "digest"}},
		{[]string{"extract-records", "--form"}, []string{"--format"}},
		{[]string{"extract", "--input", "file"}, nil},
	} {
		if got := offered(test.words...); !slices.Equal(got, test.want) {
			t.Errorf("%q: offered %q, expected %q", test.words, got, test.want)
		}
	}
	for _, name := range []string{"share/zsh/site-functions/_archivestream", "share/fish/vendor_completions.d/archivestream.fish"} {
		if text := in.read(name); !strings.Contains(text, "max-size") {
			t.Errorf("%s does not know --max-size", name)
		}
	}
}

// TestUninstall leaves what others have put below the prefix.
func TestUninstall(t *testing.T) {
	t.Parallel()
	in := &installation{T: t, root: t.TempDir()}
	other := filepath.Join(in.root, "usr/share/man/man1/other.1")
	if err := os.MkdirAll(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	in.make("install")
	in.make("install")
	in.make("uninstall")
	var left []string
	err := filepath.WalkDir(in.root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			left = append(left, path)
		}
		return err
	})
	if err != nil || !slices.Equal(left, []string{other}) {
		t.Errorf("left: %q, %v", left, err)
	}
}

// TestDist makes the tarballs and packages twice: they are the same, and what is in a
// tarball works.
func TestDist(t *testing.T) {
	if os.Getenv("ARCHIVESTREAM_SLOW") == "" {
		t.Skip("ARCHIVESTREAM_SLOW is not set: it compiles for two kinds of machines")
	}
	sums := func() string {
		if out, err := exec.Command("make", "-s", "-C", tree, "dist").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		content, err := os.ReadFile(filepath.Join(tree, "build/dist/SHA256SUMS"))
		if err != nil {
			t.Fatal(err)
		}
		return string(content)
	}
	first := sums()
	if second := sums(); second != first || strings.Count(first, "\n") != 6 {
		t.Errorf("two builds differ:\n%s\n%s", first, second)
	}
	dir := t.TempDir()
	command := `tar -xzf ` + tree + `/build/dist/archivestream-*-linux-amd64.tar.gz && archivestream-*/bin/archivestream extract --input ` +
		tree + `/testdata/captures.cdxj --archives ` + tree + `/testdata/archives --output picked && [[ -s picked/index.cdxj ]]`
	cmd := exec.Command("bash", "-c", command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
