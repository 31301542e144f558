// Command simctl runs scenarios against distributed algorithms in virtual time and
// says whether their properties hold, what they cost, and how a violation came about.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/printable"
	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim/explore"
)

// The exit codes.
const (
	exitOK          = 0   // every expectation is met
	exitError       = 1   // something could not be done
	exitUsage       = 2   // wrong usage, or an invalid scenario
	exitNotExpected = 3   // an expectation is not met, or something else is violated
	exitInterrupted = 130 // by Ctrl-C
	exitReaderLeft  = 141 // nobody reads standard output any more, and there was more to run
)

func main() {
	if isVetTool(os.Args[1:]) {
		runVetTool(os.Args[1:])
	}
	collectLater()
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// collectLater lets the heap grow to 32 MB, in place of 4, before garbage is collected for the first time, unless GOGC
// is set: most commands end before that. Once it was collected, the heap may double, as usual.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const megabytes = 32
	debug.SetGCPercent(100 * megabytes / 4)
	runtime.AddCleanup(new([megabytes]byte), func(int) { debug.SetGCPercent(100) }, 0)
}

func run(args []string, stdout, stderr io.Writer) int {
	// A reader who leaves is no reason to die in the middle: writes then fail.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	return simctl(ctx, catalog{scenarios.Names, scenarios.Load, scenarios.Source, record.New}.withInput(os.Stdin), args, stdout, stderr)
}

// catalog is where scenarios come from.
type catalog struct {
	names  func() []string
	load   func(nameOrPath string, o format.Options) (*format.Scenario, error)
	source func(nameOrPath string) ([]byte, error)
	record func(s *format.Scenario, f *explore.Failure, o record.Options) (*record.Record, error)
}

// simctl carries out one command line.
func simctl(ctx context.Context, c catalog, args []string, stdout, stderr io.Writer) int {
	errOut := printable.NewWriter(stderr)
	a := &app{catalog: c.renamed(errOut).interruptible(ctx), out: newOutput(stdout), errOut: errOut, terminal: stderr, getenv: os.Getenv}
	root := newRootCmd(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.errOut)
	addCompletionCmd(root)
	err := root.ExecuteContext(ctx)
	if flushed := a.out.flush(); flushed != nil {
		err = flushed
	}
	return report(err, a.errOut)
}

// report prints an error and returns its exit code.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
	}
	if errors.Is(err, errInputInterrupted) {
		err = &exit{exitInterrupted, err}
	}
	e := &exit{}
	if !errors.As(err, &e) {
		e = usage(err) // whatever cobra says itself is about usage
	}
	if e.err != nil {
		fmt.Fprintf(stderr, "simctl: %v\n", e.err)
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

func usage(err error) *exit { return &exit{exitUsage, err} }

// failure is what could not be done; an end with a code of its own keeps it.
func failure(err error) *exit {
	if e := (*exit)(nil); errors.As(err, &e) {
		return e
	}
	return &exit{exitError, err}
}

// app is what the commands share.
type app struct {
	catalog
	out      *output
	errOut   *printable.Writer
	terminal io.Writer // standard error as it is, for progress
	getenv   func(string) string
}

// color decides whether verdict words are coloured; see [terminal.Color].
func (a *app) color(flag string) (bool, error) {
	on, err := terminal.Color(flag, a.out.terminal, a.getenv)
	a.out.text.Colors, a.errOut.Colors = on, on
	return on, err
}

// meter shows how far work has come, on a terminal.
func (a *app) meter() *terminal.Meter { return terminal.NewMeter(a.terminal, a.getenv) }
