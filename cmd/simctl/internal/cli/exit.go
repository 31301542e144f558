package cli

import (
	"errors"
	"fencepost/internal/program"
	"fmt"
	"io"
)

// The exit codes.
const (
	ExitOK          = 0   // no violation, or predicted ones alone
	ExitError       = 1   // something could not be done, or the answer is UNKNOWN
	ExitUsage       = 2   // wrong usage, an invalid scenario, or a question that is not covered
	ExitNotExpected = 3   // a violation, a prediction that did not come, or nothing that was checked
	ExitInterrupted = 130 // by Ctrl-C
	ExitReaderLeft  = 141 // standard output was closed by its reader before all had run
)

// ExitCode prints an error and returns its exit code.
func ExitCode(err error, stderr io.Writer) int {
	if err == nil {
		return ExitOK
	}
	if errors.Is(err, errInputInterrupted) {
		err = End(ExitInterrupted, err)
	}
	e := &exit{}
	if !errors.As(err, &e) {
		e = &exit{ExitUsage, err} // whatever cobra says itself is about usage
	}
	if e.err != nil {
		fmt.Fprintf(stderr, program.Name()+": %v\n", e.err)
	}
	return e.code
}

// exit is how a command ends other than well. Without an error, everything has been
// said.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string { return fmt.Sprint(e.err) }
func (e *exit) Unwrap() error { return e.err }

// End ends a command with one of the codes.
func End(code int, err error) error { return &exit{code, err} }

// EndWith ends a command whose answer has said everything: with the exit code of its verdict.
func EndWith(code int) error {
	if code == ExitOK {
		return nil
	}
	return End(code, nil)
}

// Usage is the end of a command whose arguments or files are invalid.
func Usage(err error) error { return End(ExitUsage, err) }

// Failure is what could not be done; an end with a code of its own keeps it.
func Failure(err error) error {
	if e := (*exit)(nil); errors.As(err, &e) {
		return e
	}
	return End(ExitError, err)
}

// Failed is an error of what a command does, or nil.
func Failed(err error) error {
	if err == nil {
		return nil
	}
	return Failure(err)
}

// ErrInterrupted is that of a command which reports what was done before a Ctrl-C.
var ErrInterrupted = errors.New("interrupted; what was done until then is reported")
