package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/scenarios/format"
)

// export says where the events of a run go, with vector clocks: "" is nowhere.
type export struct {
	To string // a file, or one of those below
}

const (
	shiviz   = "shiviz"     // the one format there is
	toFolder = "/"          // the folder of --out
	logName  = "shiviz.log" // there
)

// defineExport adds the flag; where says which run it is about.
func defineExport(cmd *cobra.Command, text *string, where string) {
	cmd.Flags().StringVar(text, "export", "", "write the events of "+where+" with vector clocks, in the format `shiviz`, to standard output, or to FILE with shiviz=FILE")
	mustRegister(cmd.RegisterFlagCompletionFunc("export", cobra.FixedCompletions([]string{shiviz, shiviz + "="}, cobra.ShellCompDirectiveNoFileComp)))
}

// parse reads the flag; out is the folder of --out.
func (e *export) parse(text, out string, f *pflag.FlagSet) error {
	format, file, given := strings.Cut(text, "=")
	switch {
	case !f.Changed("export"):
		return nil
	case format != shiviz:
		return fmt.Errorf("--export: want %s or %s=FILE, got %q", shiviz, shiviz, text)
	case given && file == "":
		return fmt.Errorf("--export: the path is empty: want %s=FILE, or %s alone", shiviz, shiviz)
	case given:
		e.To = file
	case out != "":
		e.To = toFolder
	default:
		e.To = toStdout
	}
	return nil
}

// toStdout reports whether the log goes to standard output, and the report therefore
// does not.
func (e *export) toStdout() bool { return e.To == toStdout }

// check says what does not go together with an export: other things on standard output,
// and more than one run.
func (e *export) check(trace string, asJSON, several bool) error {
	switch {
	case e.To != "" && several:
		return errors.New("--export is for one run")
	case e.toStdout() && trace == toStdout:
		return fmt.Errorf("want --export or --trace on standard output, not both: --export %s=FILE writes a file", shiviz)
	case e.toStdout() && asJSON:
		return fmt.Errorf("--json prints one document: want the log in a file, as in --export %s=run.log", shiviz)
	}
	return nil
}

// ready says why a run cannot be exported, or a file not be written, before any work.
func (e *export) ready(ctx context.Context, s *format.Scenario) error {
	if e.To == "" {
		return nil
	}
	if !e.toStdout() && e.To != toFolder {
		if err := files.Check(e.To); err != nil {
			return failure(fmt.Errorf("--export: %w", err))
		}
	}
	switch err := execute.Exportable(ctx, s); {
	case errors.Is(err, execute.ErrNoEnd):
		return &exit{exitInterrupted, err}
	case err != nil:
		return failure(err)
	}
	return nil
}

// write writes the log; dir is the folder of --out.
func (e *export) write(s *format.Scenario, stdout io.Writer, dir *files.Dir) error {
	fill := func(w io.Writer) error { return execute.ShiViz(s, w) }
	switch e.To {
	case "":
		return nil
	case toStdout:
		return fill(stdout)
	case toFolder:
		return dir.Write(logName, fill)
	}
	return files.Write(e.To, fill)
}
