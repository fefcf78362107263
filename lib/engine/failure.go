package engine

import (
	"errors"
	"fmt"
	"io"
)

// usageError is a command line that cannot be run: exit status 2.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error {
	return usageError{fmt.Errorf(format, args...)}
}

// hintedError says beside what went wrong what can be done about it.
type hintedError struct {
	error
	hint string
}

func (e hintedError) Unwrap() error { return e.error }

func withHint(err error, format string, args ...any) error {
	return hintedError{err, fmt.Sprintf(format, args...)}
}

// report prints an error in the suite's voice and gives the exit status.
func report(w io.Writer, err error) int {
	if err == nil {
		return 0
	}
	fmt.Fprintf(w, "%s: error: %v\n", programName, err)
	var hinted hintedError
	if errors.As(err, &hinted) {
		fmt.Fprintf(w, "%s: hint: %s\n", programName, hinted.hint)
	}
	var usage usageError
	if errors.As(err, &usage) {
		if hinted.hint == "" {
			fmt.Fprintf(w, "%s: hint: %s -help lists the options\n", programName, programName)
		}
		return 2
	}
	return 1
}
