// Command simctl-sweep shares the runs of one simctl command among workers, by NATS
// JetStream. It knows nothing of scenarios: what it hands out are the numbers of shards,
// what it collects are the parts that simctl --shard makes of them, and simctl merge
// proves that they are all and prints the report.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"

	"github.com/spf13/cobra"
)

// The exit codes of simctl.
const (
	exitError       = 1
	exitUsage       = 2
	exitInterrupted = 130
)

// exit is how a command ends other than well. Without an error, everything has been said.
type exit struct {
	code int
	err  error
}

func (e *exit) Error() string { return fmt.Sprint(e.err) }
func (e *exit) Unwrap() error { return e.err }

func usage(err error) error   { return &exit{exitUsage, err} }
func failure(err error) error { return &exit{exitError, err} }

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	root := &cobra.Command{
		Use:   "sweep",
		Short: "Share the runs of one simctl command among workers on several machines",
		Long: `Sweep shares the runs of simctl run, compare or explore among workers. The report is the
one that the command prints on one machine, byte for byte, whatever is killed meanwhile.`,
		Example: `  $ simctl sweep serve --dir night run redlock/gc-pause --runs 1000000
  $ simctl sweep work --nats nats://127.0.0.1:4222`,
		SilenceUsage: true, SilenceErrors: true,
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usage(fmt.Errorf("%w\nsee simctl %s --help", err, cmd.CommandPath()))
	})
	root.AddCommand(newServeCmd(), newWorkCmd())
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return 0
	}
	e := &exit{}
	if !errors.As(err, &e) {
		e = &exit{exitUsage, err}
	}
	if e.err != nil {
		fmt.Fprintf(os.Stderr, "simctl sweep: %s\n", printable(e.err.Error()))
	}
	return e.code
}

// printable is a text with nothing in it that could move a terminal: some of what is said is a
// worker's or a server's.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, text)
}

// program is where simctl is: the one that has started this, or else the one beside it or
// on the PATH.
func program() (string, error) {
	if path := os.Getenv("SIMCTL"); path != "" {
		return path, nil
	}
	if self, err := os.Executable(); err == nil {
		if path := filepath.Join(filepath.Dir(self), "simctl"); isProgram(path) {
			return path, nil
		}
	}
	path, err := exec.LookPath("simctl")
	if err != nil {
		return "", errors.New("there is no simctl on the PATH, nor beside simctl-sweep: want both from one build")
	}
	return path, nil
}

func isProgram(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0
}
