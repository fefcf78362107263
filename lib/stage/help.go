package stage

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/urfave/cli/v2"
)

// Layout of help texts: columns.
const (
	helpWidth  = 80
	helpIndent = 3
	helpColumn = 30 // where what is said of an option or name starts
)

// An Option is what help and manuals say of an option.
type Option struct {
	Name  string // with its dashes
	Value string // what it takes; "" for a switch
	Text  string // with its default, if it has one
}

// Options returns the options of a stage, with those that all have.
func Options(c Command) []Option {
	var all []Option
	for _, flag := range flags(c) {
		o := Option{Name: "--" + flag.Names()[0]}
		f, ok := flag.(cli.DocGenerationFlag)
		if !ok {
			panic("stage: option " + o.Name + " has no help")
		}
		if o.Text = f.GetUsage(); f.TakesValue() {
			o.Value = "VALUE"
			if _, after, found := strings.Cut(o.Text, "`"); found {
				o.Value, _, _ = strings.Cut(after, "`")
			}
			if value := strings.Trim(f.GetDefaultText(), `"`); value != "" && value != "0" && !strings.Contains(o.Text, "(default") {
				o.Text += " (default " + value + ")"
			}
		}
		o.Text = strings.ReplaceAll(o.Text, "`", "")
		all = append(all, o)
	}
	return append(all, Option{"--help, --version", "", ""})
}

// flags returns the flags of a stage, with those that all have.
func flags(c Command) []cli.Flag { return append(withEnvironment(c.Flags), commonFlags()...) }

// help is the text of --help: sections in the order in which a reader needs them.
func help(c Command) string {
	var b strings.Builder
	wrap(&b, c.Name+" - "+c.Summary, 0, 2)
	fmt.Fprintf(&b, "\nUSAGE\n   %s [OPTION]... < LINES > LINES\n", c.Name)
	section := func(title, text string, write func(line string)) {
		if text = strings.TrimSpace(text); text == "" {
			return
		}
		fmt.Fprintf(&b, "\n%s\n", title)
		for line := range strings.SplitSeq(text, "\n") {
			write(strings.TrimSpace(line))
		}
	}
	prose := func(line string) {
		if name, text, found := strings.Cut(line, "  "); found {
			item(&b, name, strings.TrimSpace(text))
			return
		}
		wrap(&b, line, helpIndent, helpIndent)
	}
	section("DESCRIPTION", c.Description, prose)
	section("INPUT", c.Input, prose)
	section("OUTPUT", c.Output, prose)
	b.WriteString("\nOPTIONS\n")
	for _, o := range Options(c) {
		item(&b, strings.TrimSpace(o.Name+" "+o.Value), o.Text)
	}
	b.WriteString("\n   Each can be given as environment variable stage_NAME, with _ for -.\n")
	command := func(line string) { wrapCommand(&b, line) }
	section("EXAMPLE", c.Example, command)
	section("HADOOP", streaming(c.Name), command)
	section("EXIT STATUS", "0  done\n1  failed\n2  usage", func(line string) { b.WriteString("   " + line + "\n") })
	return b.String()
}

// item writes a name and, in a column of its own, what is said of it.
func item(b *strings.Builder, name, text string) {
	b.WriteString(strings.Repeat(" ", helpIndent) + name)
	at := helpIndent + utf8.RuneCountInString(name)
	if text == "" {
		b.WriteString("\n")
		return
	}
	if at+2 > helpColumn {
		b.WriteString("\n")
		at = 0
	}
	b.WriteString(strings.Repeat(" ", helpColumn-at))
	fill(b, strings.Fields(text), helpColumn, helpColumn, "")
}

// wrap writes a text in lines of at most helpWidth columns, the first of which is
// indented by first, the others by rest.
func wrap(b *strings.Builder, text string, first, rest int) {
	b.WriteString(strings.Repeat(" ", first))
	fill(b, strings.Fields(text), first, rest, "")
}

// wrapCommand writes a command line so that a shell takes it as it is printed: breaks
// are at spaces outside of quotes, after a bar or with a backslash.
func wrapCommand(b *strings.Builder, line string) {
	b.WriteString(strings.Repeat(" ", helpIndent))
	var words []string
	for _, word := range shellWords(line) {
		// An option and its value stay together.
		last := len(words) - 1
		if last > 0 && strings.HasPrefix(words[last], "-") && !strings.Contains(words[last], " ") && !strings.HasPrefix(word, "-") && !strings.ContainsAny(word[:1], "<>|&;") {
			words[last] += " " + word
		} else {
			words = append(words, word)
		}
	}
	fill(b, words, helpIndent, helpIndent+2, ` \`)
}

// fill writes words, from column at on.
func fill(b *strings.Builder, words []string, at, rest int, broken string) {
	for i, word := range words {
		width := utf8.RuneCountInString(word)
		if i > 0 {
			if at+1+width > helpWidth-len(broken) {
				if words[i-1] != "|" {
					b.WriteString(broken)
				}
				b.WriteString("\n" + strings.Repeat(" ", rest))
				at = rest
			} else {
				b.WriteString(" ")
				at++
			}
		}
		b.WriteString(word)
		at += width
	}
	b.WriteString("\n")
}

// shellWords cuts a command line at its spaces outside of quotes.
func shellWords(line string) []string {
	var words []string
	var word strings.Builder
	var quote byte
	for i := range len(line) {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '\'' || c == '"':
			quote = c
		case c == ' ':
			if word.Len() > 0 {
				words = append(words, word.String())
				word.Reset()
			}
			continue
		}
		word.WriteByte(c)
	}
	if word.Len() > 0 {
		words = append(words, word.String())
	}
	return words
}
