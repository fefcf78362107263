package manuals

import (
	"fmt"
	"strings"

	"archivestream/lib/suite"
)

// Man returns the manual page of a job or stage, for man(1): archivestream-NAME.
func (p Page) Man(version string) string {
	var b strings.Builder
	name := "archivestream-" + p.Name
	head(&b, name, p.Summary, version)
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(p.Usage))
	options := func() {
		b.WriteString(".SH OPTIONS\n")
		for _, o := range p.Options {
			fmt.Fprintf(&b, ".TP\n\\fB%s\\fR", roff(o.Name))
			if o.Value != "" {
				fmt.Fprintf(&b, " \\fI%s\\fR", roff(o.Value))
			}
			b.WriteString("\n")
			for _, line := range o.Text {
				b.WriteString(line1(line))
			}
		}
	}
	done := false
	for _, s := range p.Sections {
		// As in other manuals, what it reads and makes comes first, then how.
		if !done && (s.Title == "Example" || s.Title == "Examples" || s.Title == "Exit status") {
			options()
			done = true
		}
		fmt.Fprintf(&b, ".SH %s\n", roff(strings.ToUpper(s.Title)))
		s.man(&b)
	}
	if !done {
		options()
	}
	b.WriteString(".SH SEE ALSO\n.BR archivestream (1)\n")
	return b.String()
}

// man writes a section. Lines that are indented stand as they are, and so do those of
// examples.
func (s Section) man(b *strings.Builder) {
	filled, example := true, s.Title == "Example" || s.Title == "Examples"
	for _, line := range s.Lines {
		fill := !example && !strings.HasPrefix(line, " ")
		if line != "" && fill != filled {
			if filled = fill; filled {
				b.WriteString(".fi\n")
			} else {
				b.WriteString(".nf\n")
			}
		}
		switch {
		case line == "" && filled:
			b.WriteString(".PP\n")
		case example:
			b.WriteString(line1(calledBy.Replace(line)))
		default:
			b.WriteString(line1(line))
		}
	}
	if !filled {
		b.WriteString(".fi\n")
	}
}

func head(b *strings.Builder, name, summary, version string) {
	fmt.Fprintf(b, ".TH %s 1 \"\" \"archivestream %s\"\n.SH NAME\n%s \\- %s\n", roff(strings.ToUpper(name)), roff(version), roff(name), roff(summary))
}

// ManOfSuite returns the page archivestream(1), which lists the others.
func ManOfSuite(pages []Page, version string) string {
	summaries := map[string]string{}
	for _, p := range pages {
		summaries[p.Name] = p.Summary
	}
	var b strings.Builder
	head(&b, "archivestream", "programs for web archives: extract, index, select, derive, map", version)
	b.WriteString(".SH SYNOPSIS\n\\fBarchivestream\\fR \\fIJOB\\fR [\\fIOPTION\\fR]...\n.br\n" +
		"\\fBarchivestream\\fR \\fISTAGE\\fR [\\fIOPTION\\fR]... < LINES > LINES\n" +
		".SH DESCRIPTION\nA job reads archives, indexes or documents, and runs its stages one after the other: on this machine, or on a Hadoop cluster " +
		"by hadoop\\-streaming. A stage reads lines and writes lines.\n")
	for _, f := range suite.Families {
		if f.Jobs == nil {
			continue
		}
		fmt.Fprintf(&b, ".SH %s\n", roff(strings.ToUpper(strings.Join(f.Jobs, ", "))))
		list := func(name string) {
			fmt.Fprintf(&b, ".TP\n.BR archivestream\\-%s (1)\n%s", roff(name), line1(summaries[name]))
		}
		for _, name := range f.Jobs {
			list(name)
		}
		for _, program := range f.Programs {
			list(program.Name)
		}
	}
	return b.String()
}

var roffs = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "`", "\\(ga", "^", `\(ha`, "~", `\(ti`)

// roff escapes a text within a line; what is not ASCII, by its code point.
func roff(text string) string {
	var b strings.Builder
	for _, r := range roffs.Replace(text) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r)
		}
	}
	return b.String()
}

// line1 is a text as a line of its own, which must not look like a request.
func line1(text string) string {
	text = roff(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text + "\n"
}
