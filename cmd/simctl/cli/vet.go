package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/determinism"
	"fencepost/reports"
)

func newVetCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "vet [PACKAGE...]",
		Short: "Find what would make a run of your own model differ from the next",
		Long: `Vet looks through Go packages, ./... if none is named, for nodes whose steps depend
on more than the node and its message: wall clocks, random numbers, goroutines, the
order of a map, variables of a package, addresses, input and output, floating point
that differs between processors. It follows calls, also into other packages, and
needs the go command. Tests are looked through as well.

A comment with a reason allows what stands on its line, or on the line after it:

    started := time.Now() //fencepost:allow it is for the log alone

Exit codes: 0 nothing is found; 1 the packages do not load; 2 usage; 3 something is
found. The same check runs inside go vet, with simctl as its -vettool.`,
		Example: `  $ simctl vet
  $ simctl vet ./models/... --json
  $ go vet -vettool=$(which simctl) ./...`,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(cmd *cobra.Command, patterns []string) error { return a.vet(cmd.Context(), "", patterns, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

// The document of vet.
type vetDoc struct {
	Schema   string                `json:"schema"`
	OK       bool                  `json:"ok"`
	Findings []determinism.Finding `json:"findings"`
	Errors   []string              `json:"errors,omitempty"` // why packages do not build; nothing was looked for
}

// vet looks through the packages of a folder, "" for the present one.
func (a *app) vet(ctx context.Context, dir string, patterns []string, asJSON bool) error {
	doc := vetDoc{Schema: "fencepost/vet/v1", Findings: []determinism.Finding{}}
	pkgs, errs := determinism.Load(ctx, dir, patterns)
	if ctx.Err() != nil {
		return cli.End(cli.ExitInterrupted, errors.New("interrupted; nothing was looked for"))
	}
	if len(errs) == 0 {
		var err error
		if doc.Findings, err = determinism.Findings(pkgs, dir); err != nil {
			return cli.Failure(err)
		}
	}
	doc.OK, doc.Errors = len(errs) == 0 && len(doc.Findings) == 0, errs
	if asJSON {
		if err := reports.WriteJSON(a.Out, doc); err != nil {
			return cli.Failure(err)
		}
	} else {
		for _, f := range doc.Findings {
			fmt.Fprintln(a.Out, f)
		}
		for _, e := range errs {
			fmt.Fprintln(a.ErrOut, e)
		}
	}
	switch {
	case doc.OK:
		return nil
	case len(errs) > 0:
		return cli.Failure(errors.New("the packages do not load; nothing was looked for"))
	}
	return cli.End(cli.ExitNotExpected, nil)
}
