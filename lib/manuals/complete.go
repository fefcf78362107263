package manuals

import (
	"fmt"
	"slices"
	"strings"
)

// Bash returns completions for bash: of the names of jobs and stages, of their options,
// of values that a manual lists, and of files.
func Bash(pages []Page) string {
	var b strings.Builder
	b.WriteString("# bash completion for archivestream\n_archivestream() {\n" +
		"\tlocal word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} words=''\n" +
		"\tCOMPREPLY=()\n\tif ((COMP_CWORD == 1)); then\n")
	fmt.Fprintf(&b, "\t\tmapfile -t COMPREPLY < <(compgen -W '%s' -- \"$word\")\n\t\treturn\n\tfi\n", strings.Join(names(pages), " "))
	b.WriteString("\tcase ${COMP_WORDS[1]}:$before in\n")
	for _, p := range pages {
		for _, o := range p.Options {
			if o.Values != nil {
				fmt.Fprintf(&b, "\t%s:%s) words='%s' ;;\n", p.Name, o.Name, strings.Join(o.Values, " "))
			}
		}
	}
	b.WriteString("\tesac\n\tif [[ -z $words && $word == -* ]]; then\n\t\tcase ${COMP_WORDS[1]} in\n")
	for _, p := range pages {
		fmt.Fprintf(&b, "\t\t%s) words='%s' ;;\n", p.Name, strings.Join(p.optionNames(), " "))
	}
	b.WriteString("\t\tesac\n\tfi\n\tif [[ -n $words ]]; then\n\t\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n\tfi\n}\n" +
		"complete -o default -F _archivestream archivestream\n")
	return b.String()
}

// Zsh returns completions for zsh.
func Zsh(pages []Page) string {
	var b strings.Builder
	b.WriteString("#compdef archivestream\n_archivestream() {\n\tlocal -a programs\n\tif ((CURRENT == 2)); then\n\t\tprograms=(\n")
	for _, p := range pages {
		fmt.Fprintf(&b, "\t\t\t%s\n", quoted(p.Name+":"+strings.ReplaceAll(p.Summary, ":", `\:`)))
	}
	b.WriteString("\t\t)\n\t\t_describe 'job or stage' programs\n\t\treturn\n\tfi\n" +
		"\tlocal name=$words[2]\n\tcase $name in\n")
	for _, p := range pages {
		fmt.Fprintf(&b, "\t%s)\n\t\t_arguments \\\n", p.Name)
		for _, o := range p.Options {
			about := strings.NewReplacer("[", "(", "]", ")", ":", "").Replace(strings.Join(o.Text, " "))
			spec := "*" + o.Name + "[" + about + "]"
			switch {
			case o.Values != nil:
				spec += ":value:(" + strings.Join(o.Values, " ") + ")"
			case o.Value != "":
				spec += ":value:_files"
			}
			fmt.Fprintf(&b, "\t\t\t%s \\\n", quoted(spec))
		}
		b.WriteString("\t\t\t'*:file:_files'\n\t\t;;\n")
	}
	b.WriteString("\tesac\n}\n_archivestream \"$@\"\n")
	return b.String()
}

// Fish returns completions for fish.
func Fish(pages []Page) string {
	var b strings.Builder
	b.WriteString("# fish completion for archivestream\n")
	for _, p := range pages {
		fmt.Fprintf(&b, "complete -c archivestream -n __fish_use_subcommand -f -a %s -d %s\n", p.Name, fishQuoted(p.Summary))
	}
	for _, p := range pages {
		for _, o := range p.Options {
			long := "-l " + strings.TrimPrefix(o.Name, "--")
			if !strings.HasPrefix(o.Name, "--") {
				long = "-s " + strings.TrimPrefix(o.Name, "-")
			}
			value := ""
			if o.Values != nil {
				value = " -x -a " + fishQuoted(strings.Join(o.Values, " "))
			} else if o.Value != "" {
				value = " -r"
			}
			fmt.Fprintf(&b, "complete -c archivestream -n '__fish_seen_subcommand_from %s' %s%s -d %s\n", p.Name, long, value, fishQuoted(strings.Join(o.Text, " ")))
		}
	}
	return b.String()
}

func names(pages []Page) []string {
	var all []string
	for _, p := range pages {
		all = append(all, p.Name)
	}
	slices.Sort(all)
	return all
}

func (p Page) optionNames() []string {
	var all []string
	for _, o := range p.Options {
		all = append(all, o.Name)
	}
	return all
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

func fishQuoted(text string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(text) + "'"
}
