// Package export is the flag --export: in which format the events of a run are written, and where.
package export

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	nearest "fencepost/internal/text"
	"fencepost/scenarios/format"
)

// Request says in which format the events of a run are written, and where: "" is nowhere.
type Request struct {
	Format string
	To     string // a file, or the one below
	Force  bool   // replace the file
}

const toFolder = "/" // the folder of --out

// Files are the files of the formats there.
var Files = map[string]string{
	execute.ShiVizLog: "shiviz.log", execute.Perfetto: "perfetto.json", execute.Mermaid: "sequence.mmd", execute.CSV: "trace.csv",
}

// Define adds the flag; where says which run it is about.
func Define(cmd *cobra.Command, text *string, where string) {
	cmd.Flags().StringVar(text, "export", "", "write the events of "+where+" in a `FORMAT`, shiviz, perfetto, mermaid or csv, to standard output, or with FORMAT=FILE to a file")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("export", cobra.FixedCompletions(execute.ExportFormats, cobra.ShellCompDirectiveNoFileComp)))
}

// Parse reads the flag; out is the folder of --out.
func (e *Request) Parse(text, out string, f *pflag.FlagSet) error {
	format, file, given := strings.Cut(text, "=")
	switch {
	case !f.Changed("export"):
		return nil
	case !slices.Contains(execute.ExportFormats, format):
		last := len(execute.ExportFormats) - 1
		message := fmt.Sprintf("--export: want %s or %s, alone or with =FILE, got %q", strings.Join(execute.ExportFormats[:last], ", "), execute.ExportFormats[last], text)
		if near := nearest.Nearest(format, execute.ExportFormats); near != "" {
			message += fmt.Sprintf("; did you mean %q?", near)
		}
		return errors.New(message)
	case given && file == "":
		return fmt.Errorf("--export: the path is empty: want %s=FILE, or %s alone", format, format)
	case given:
		e.To = file
	case out != "":
		e.To = toFolder
	default:
		e.To = cli.ToStdout
	}
	e.Format = format
	return nil
}

// ToStdout reports whether the events go to standard output, and the report therefore
// does not.
func (e *Request) ToStdout() bool { return e.To == cli.ToStdout }

// Check says what does not go together with an export: other things on standard output,
// and more than one run.
func (e *Request) Check(trace string, asJSON, several bool) error {
	switch {
	case e.To != "" && several:
		return errors.New("--export is for one run")
	case e.ToStdout() && trace == cli.ToStdout:
		return fmt.Errorf("want --export or --trace on standard output, not both: --export %s=FILE writes a file", e.Format)
	case e.ToStdout() && asJSON:
		return fmt.Errorf("--json prints one document: want the events in a file, as in --export %s=FILE", e.Format)
	}
	return nil
}

// Free says why the file cannot be written, before any work.
func (e *Request) Free() error {
	if e.To == "" || e.ToStdout() || e.To == toFolder {
		return nil
	}
	if err := files.Free(e.To, e.Force); err != nil {
		return fmt.Errorf("--export: %w", err)
	}
	return nil
}

// Ready says why a run cannot be exported, before anything of it is kept.
func (e *Request) Ready(ctx context.Context, s *format.Scenario) error {
	if e.To == "" {
		return nil
	}
	switch err := execute.Exportable(ctx, s); {
	case errors.Is(err, execute.ErrNoEnd):
		return cli.End(cli.ExitInterrupted, err)
	case err != nil:
		return cli.Failure(err)
	}
	return nil
}

// Write writes the events; dir is the folder of --out.
func (e *Request) Write(s *format.Scenario, stdout io.Writer, dir *files.Dir) error {
	fill := func(w io.Writer) error { return execute.Export(s, e.Format, w) }
	switch e.To {
	case "":
		return nil
	case cli.ToStdout:
		return fill(stdout)
	case toFolder:
		return dir.Write(Files[e.Format], fill)
	}
	return files.Write(e.To, fill)
}
