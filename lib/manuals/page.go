// Package manuals makes manual pages, and completions for bash, zsh and fish, out of
// what the programs say of themselves: the flags of stages and the comments at the head
// of the job scripts. Nothing of it is written by hand.
package manuals

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"archivestream/lib/stage"
	"archivestream/lib/suite"
)

// A Page is the manual of a job or a stage.
type Page struct {
	Name     string // NAME of `archivestream NAME`
	Summary  string // one line, no full stop
	Usage    string // its command line
	Sections []Section
	Options  []Option
}

// A Section is a part of a manual, as it was written.
type Section struct {
	Title string
	Lines []string
}

// An Option of a job or stage.
type Option struct {
	Name   string   // with its dashes
	Value  string   // of its value: NAME, FILE, a|b; "" for a switch
	Text   []string // lines
	Values []string // that can be given, where the manual lists them
}

// Pages returns the manuals of all jobs, whose scripts lie in a folder, and stages.
func Pages(jobs string) ([]Page, error) {
	var pages []Page
	for _, f := range suite.Families {
		for _, name := range f.Jobs {
			p, err := ofJob(name, filepath.Join(jobs, name+".sh"))
			if err != nil {
				return nil, err
			}
			pages = append(pages, p)
		}
		for _, p := range f.Programs {
			if p.Command != nil {
				pages = append(pages, ofStage(p.Command()))
			}
		}
	}
	return pages, nil
}

var (
	heading     = regexp.MustCompile(`^([A-Z][A-Za-z ]*)(, in [A-Z]+)?:( .*)?$`)
	optionLine  = regexp.MustCompile(`^  (--?[A-Za-z][a-z-]*),?(?: ([^ ].*?))?(?:  +(.*))?$`)
	choiceValue = regexp.MustCompile(`^[a-z0-9-]+(\|[a-z0-9-]+)+$`)
	calledBy    = strings.NewReplacer("jobs/", "archivestream ", ".sh", "", "bin/", "archivestream ")
)

// ofJob reads the comment at the head of a job script.
func ofJob(name, script string) (Page, error) {
	p := Page{Name: name}
	f, err := os.Open(script)
	if err != nil {
		return p, err
	}
	defer f.Close()
	var lines []string
	in := bufio.NewScanner(f)
	for in.Scan() && strings.HasPrefix(in.Text(), "#") {
		lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(in.Text(), "#"), " "))
	}
	if err := in.Err(); err != nil {
		return p, err
	}
	if len(lines) < 3 {
		return p, fmt.Errorf("%s has no manual", script)
	}
	lines = lines[1:] // #!
	for len(lines) > 0 && lines[0] != "" {
		p.Summary += " " + lines[0]
		lines = lines[1:]
	}
	p.Summary = strings.TrimSuffix(strings.TrimSpace(p.Summary), ".")
	p.sections(lines)
	if p.Usage == "" || len(p.Options) == 0 {
		return p, fmt.Errorf("%s: no usage or no options in its manual", script)
	}
	return p, nil
}

// sections takes over what follows the summary.
func (p *Page) sections(lines []string) {
	section := &Section{Title: "Description"}
	finish := func() {
		section.Lines = trimmed(section.Lines)
		switch {
		case section.Title == "Usage":
			p.Usage = usage(section.Lines)
		case section.Title == "Options":
			p.options(section.Lines)
		case len(section.Lines) > 0:
			p.Sections = append(p.Sections, *section)
		}
	}
	for _, line := range lines {
		if m := heading.FindStringSubmatch(line); m != nil {
			finish()
			section = &Section{Title: m[1] + m[2]}
			line = strings.TrimSpace(m[3])
		}
		section.Lines = append(section.Lines, line)
	}
	finish()
}

// usage returns command lines, a line each. In the manual they are broken where they are
// long; each starts with the script.
func usage(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		switch line = strings.TrimSpace(line); {
		case b.Len() == 0:
		case strings.HasPrefix(line, "jobs/"):
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(line)
	}
	return calledBy.Replace(b.String())
}

// options reads the lines of a manual's options.
func (p *Page) options(lines []string) {
	for _, line := range lines {
		m := optionLine.FindStringSubmatch(line)
		if m == nil {
			if n := len(p.Options); n > 0 {
				p.Options[n-1].Text = append(p.Options[n-1].Text, strings.TrimSpace(line))
			}
			continue
		}
		value := m[2]
		if strings.HasPrefix(line, "  --help, --version") {
			p.Options = append(p.Options, Option{Name: "--help"}, Option{Name: "--version"})
			continue
		}
		o := Option{Name: m[1], Value: value}
		if m[3] != "" {
			o.Text = []string{m[3]}
		}
		if choiceValue.MatchString(value) {
			o.Values = strings.Split(value, "|")
		}
		p.Options = append(p.Options, o)
	}
}

// trimmed is lines without empty ones at both ends.
func trimmed(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// ofStage takes over what a stage's help says.
func ofStage(c stage.Command) Page {
	p := Page{Name: c.Name, Summary: c.Summary, Usage: "archivestream " + c.Name + " [OPTION]... < LINES > LINES"}
	add := func(title, text string) {
		if text = strings.TrimSpace(text); text != "" {
			p.Sections = append(p.Sections, Section{title, strings.Split(text, "\n")})
		}
	}
	add("Description", c.Description)
	add("Input", c.Input)
	add("Output", c.Output)
	add("Example", c.Example)
	add("Exit status", "0 done; 1 failed; 2 usage.")
	for _, o := range stage.Options(c) {
		text := []string{o.Text}
		if o.Text == "" {
			text = nil
		}
		for name := range strings.SplitSeq(o.Name, ", ") {
			p.Options = append(p.Options, Option{Name: name, Value: o.Value, Text: text})
		}
	}
	return p
}
