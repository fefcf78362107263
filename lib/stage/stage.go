package stage

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"archivestream/lib/lines"
)

// Version is the suite's version, set when the binaries are built.
var Version = "unversioned"

// A Command is one stage: what its help says, its options, and the function
// that does its work.
type Command struct {
	Name        string // VERB-NOUN, unique among all stages
	Summary     string // one line, no full stop
	Description string // what it does, for --help
	Input       string // the lines that it reads, for --help
	Output      string // the lines and files that it makes, for --help
	Example     string // one command line, for --help
	Flags       []cli.Flag
	Run         func(*Task) error
}

// Exit statuses of every stage.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// Main runs a stage as the process, and exits with its status.
func Main(c Command) { os.Exit(Run(c, os.Args)) }

// Run runs a stage on the process's own streams and returns its exit status.
func Run(c Command, args []string) int {
	collectLate()
	return Execute(c, args, os.Stdin, os.Stdout, os.Stderr)
}

// Execute runs a stage: args[0] is its name, the rest its options. It gives the
// exit status: 0 done, 1 failed, 2 usage.
func Execute(c Command, args []string, in io.Reader, out, errw io.Writer) int {
	app := &cli.App{
		Name:                      c.Name,
		Usage:                     c.Summary,
		Version:                   Version,
		Flags:                     flags(c),
		HideHelpCommand:           true,
		Writer:                    out,
		ErrWriter:                 io.Discard,
		CustomAppHelpTemplate:     "{{index ExtraInfo \"help\"}}",
		ExtraInfo:                 func() map[string]string { return map[string]string{"help": help(c)} },
		ExitErrHandler:            func(*cli.Context, error) {},
		DisableSliceFlagSeparator: true,
		OnUsageError: func(_ *cli.Context, err error, _ bool) error {
			return wrongOption(c, err)
		},
		Action: func(ctx *cli.Context) error {
			if ctx.Args().Present() {
				return unexpected(c, ctx.Args().First())
			}
			return run(c, ctx, in, out, errw)
		},
	}
	return report(c.Name, app.Run(args), errw)
}

// wrongOption is the error of an option that cannot be taken.
func wrongOption(c Command, err error) error {
	message := strings.TrimSuffix(err.Error(), ".")
	name, unknown := strings.CutPrefix(message, "flag provided but not defined: -")
	if !unknown {
		return Usage("%s", message)
	}
	var names []string
	for _, f := range flags(c) {
		names = append(names, f.Names()[0])
	}
	if near := Nearest(name, names); near != "" {
		return Usage("unknown option --%s: did you mean --%s?", name, near)
	}
	return Usage("unknown option --%s", name)
}

// unexpected is the error of an argument: stages read what they work on from standard
// input, paths as well.
func unexpected(c Command, argument string) error {
	err := Usage("unexpected argument %q", argument)
	first := strings.ToLower(strings.SplitN(c.Input, ",", 2)[0])
	switch {
	case strings.HasPrefix(first, "nothing"):
		return err
	case strings.HasPrefix(first, "paths"):
		return Hint(err, fmt.Sprintf("paths are read from standard input: echo %s | %s", argument, c.Name))
	}
	return Hint(err, fmt.Sprintf("lines are read from standard input: %s < %s", c.Name, argument))
}

// run makes the task, runs the stage and sees that everything written arrives.
func run(c Command, ctx *cli.Context, in io.Reader, out, errw io.Writer) error {
	t := newTask(c.Name, ctx, in, out, errw)
	defer t.stopKeepalive()
	err := c.Run(t)
	if e := t.close(err == nil); err == nil {
		err = e
	}
	return err
}

// report prints an error in the suite's voice and gives the exit status.
func report(name string, err error, errw io.Writer) int {
	if err == nil {
		return exitDone
	}
	fmt.Fprintf(errw, "%s: error: %v\n", name, err)
	var h *hinted
	var u *usageError
	isUsage := errors.As(err, &u)
	if errors.As(err, &h) {
		fmt.Fprintf(errw, "%s: hint: %s\n", name, h.hint)
	} else if isUsage {
		fmt.Fprintf(errw, "%s: hint: try %s --help\n", name, name)
	}
	if isUsage {
		return exitUsage
	}
	return exitFailed
}

type usageError struct{ message string }

func (e *usageError) Error() string { return e.message }

// Usage is an error of the one who called the stage: exit status 2.
func Usage(format string, args ...any) error {
	return &usageError{fmt.Sprintf(format, args...)}
}

type hinted struct {
	error
	hint string
}

func (h *hinted) Unwrap() error { return h.error }

// Hint adds to an error what the user can do about it.
func Hint(err error, hint string) error {
	if err == nil {
		return nil
	}
	return &hinted{err, hint}
}

// EnvironmentName is the variable in which a stage finds the option that a job
// gives as -D stage.NAME=VALUE: hadoop-streaming turns every byte of a property
// name that is not a letter or digit into "_".
func EnvironmentName(option string) string {
	return "stage_" + strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, option)
}

// withEnvironment lets each option also be read from its variable.
func withEnvironment(flags []cli.Flag) []cli.Flag {
	for _, flag := range flags {
		env := []string{EnvironmentName(flag.Names()[0])}
		switch f := flag.(type) {
		case *cli.StringFlag:
			f.EnvVars = env
		case *cli.StringSliceFlag:
			f.EnvVars = env
		case *cli.BoolFlag:
			f.EnvVars = env
		case *cli.IntFlag:
			f.EnvVars = env
		case *cli.Int64Flag:
			f.EnvVars = env
		case *cli.Float64Flag:
			f.EnvVars = env
		case *cli.GenericFlag:
			f.EnvVars = env
		default:
			panic(fmt.Sprintf("stage: option %s has a type without an environment variable", flag.Names()[0]))
		}
	}
	return flags
}

func commonFlags() []cli.Flag {
	return withEnvironment([]cli.Flag{
		&cli.StringFlag{Name: "output", Value: ".", Usage: "`FOLDER` for side files when no engine gives one"},
		&cli.IntFlag{Name: "max-line", Value: lines.Max, Usage: "`BYTES` of the longest line that is read; a longer one is rejected"},
		&cli.StringFlag{Name: "rejects", Usage: "`FILE` for rejected records when no engine collects them (default: standard error)"},
		&cli.IntFlag{Name: "keep-rejects", Value: keptRejects, Usage: "keep the first `N` rejected records of a task; the others are counted by reason"},
		&cli.IntFlag{Name: "keep-reject-bytes", Value: keptRejectBytes, Usage: "or about so many `BYTES` of them"},
	})
}

// streaming is what hadoop-streaming has to be told for each pair of a stage.
func streaming(name string) string {
	var lines []string
	for _, p := range PairsOf(name) {
		lines = append(lines, p.Line())
	}
	return strings.Join(lines, "\n")
}
