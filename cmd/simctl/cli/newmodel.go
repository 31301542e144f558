package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/module"
	"fencepost/cmd/simctl/internal/terminal"
)

// newNewModelCmd unpacks sources, the module that simctl is built from.
func newNewModelCmd(a *app, sources fs.FS) *cobra.Command {
	return &cobra.Command{
		Use:   "model DIR",
		Short: "Write a module to start a model of your own from",
		Long: `Model writes a Go module: a small lock with its test and two scenarios, a program that
has every command of simctl for it, and a CI file. DIR is a new folder, whose name the
program gets. The sources of fencepost are unpacked to DIR/.fencepost, so neither a clone
nor a public module is needed. To build it takes the go command, and the modules that
simctl is built from: from the module cache, or downloaded by go.`,
		Example: "  $ simctl new model mylock",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 {
				return fmt.Errorf("new model: want one folder, got %d words", len(args))
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return a.newModel(cmd.Context(), args[0], sources) },
	}
}

// newModel writes the module, and says what can be done with it.
func (a *app) newModel(ctx context.Context, dir string, sources fs.FS) error {
	err := module.Write(ctx, dir, sources)
	switch path := (*fs.PathError)(nil); {
	case errors.Is(err, context.Canceled):
		return cli.End(cli.ExitInterrupted, errors.New("new model: interrupted; nothing was written"))
	case errors.Is(err, module.ErrName):
		return cli.Usage(fmt.Errorf("new model: %w", err))
	case errors.As(err, &path):
		return cli.Failure(fmt.Errorf("new model: cannot write %s: %w", path.Path, path.Err))
	case err != nil:
		return cli.Failure(fmt.Errorf("new model: %w", err))
	}
	fmt.Fprintf(a.Out, "%s: a lock of your own is in lock/lock.go; README.md has the commands\n"+
		"it needs go and the modules that simctl is built from: from the module cache, or downloaded by go\n"+
		"test it: %s && go test ./...\n", dir, terminal.Quote("cd", dir))
	return nil
}
