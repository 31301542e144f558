// Command simctl runs scenarios against distributed algorithms in virtual time and
// says whether their properties hold, what they cost, and how a violation came about.
package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"fencepost/scenarios"
	"fencepost/sim/explore"
)

// The exit codes.
const (
	exitOK          = 0   // every expectation is met
	exitError       = 1   // something could not be done
	exitUsage       = 2   // wrong usage, or an invalid scenario
	exitNotExpected = 3   // an expectation is not met, or something else is violated
	exitInterrupted = 130 // by Ctrl-C
)

func main() {
	if isVetTool(os.Args[1:]) {
		runVetTool(os.Args[1:])
	}
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

func run(args []string, stdout, stderr io.Writer) int {
	// A reader who leaves is no reason to die in the middle: writes then fail.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	return simctl(ctx, catalog{scenarios.Names, scenarios.Load, scenarios.Source, scenarios.NewRecord}, args, stdout, stderr)
}

// catalog is where scenarios come from.
type catalog struct {
	names  func() []string
	load   func(nameOrPath string, o scenarios.Options) (*scenarios.Scenario, error)
	source func(nameOrPath string) ([]byte, error)
	record func(s *scenarios.Scenario, f *explore.Failure, o scenarios.RecordOptions) (*scenarios.Record, error)
}

// simctl carries out one command line.
func simctl(ctx context.Context, c catalog, args []string, stdout, stderr io.Writer) int {
	out := &output{terminal: stdout, buffer: bufio.NewWriterSize(stdout, 1<<16)}
	a := &app{catalog: c, out: out, errOut: stderr, getenv: os.Getenv}
	root := newRootCmd(a)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	if flushed := out.flush(); flushed != nil {
		err = flushed
	}
	return report(err, stderr)
}

// report prints an error and returns its exit code.
func report(err error, stderr io.Writer) int {
	if err == nil {
		return exitOK
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

func usage(err error) *exit   { return &exit{exitUsage, err} }
func failure(err error) *exit { return &exit{exitError, err} }

// app is what the commands share.
type app struct {
	catalog
	out    *output
	errOut io.Writer
	getenv func(string) string
}

// output is standard output. A reader who has gone is no error: the exit code still
// tells the verdict.
type output struct {
	terminal io.Writer // the same without the buffer
	buffer   *bufio.Writer
	err      error
}

func (o *output) Write(b []byte) (int, error) {
	if o.err == nil {
		_, o.err = o.buffer.Write(b)
	}
	return len(b), nil
}

// flush writes what is left, and returns the first error of all writes.
func (o *output) flush() error {
	if o.err == nil {
		o.err = o.buffer.Flush()
	}
	if o.err == nil || errors.Is(o.err, syscall.EPIPE) || errors.Is(o.err, io.ErrClosedPipe) {
		return nil
	}
	return failure(o.err)
}
