package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/reports"
	"fencepost/sim/vet"
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
	Schema   string       `json:"schema"`
	OK       bool         `json:"ok"`
	Findings []vetFinding `json:"findings"`
	Errors   []string     `json:"errors,omitempty"` // why packages do not build; nothing was looked for
}

// vetFinding is what a step must not do, and where it does.
type vetFinding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func (f vetFinding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// vet looks through the packages of a folder, "" for the present one.
func (a *app) vet(ctx context.Context, dir string, patterns []string, asJSON bool) error {
	doc := vetDoc{Schema: "fencepost/vet/v1", Findings: []vetFinding{}}
	pkgs, errs := loadPackages(ctx, dir, patterns)
	if ctx.Err() != nil {
		return cli.End(cli.ExitInterrupted, errors.New("interrupted; nothing was looked for"))
	}
	if len(errs) == 0 {
		var err error
		if doc.Findings, err = vetPackages(pkgs, dir); err != nil {
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

// loadPackages loads packages and their tests, with all that they import, and says what
// is wrong with them.
func loadPackages(ctx context.Context, dir string, patterns []string) (pkgs []*packages.Package, errs []string) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true}, patterns...)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, []string{"the go command is not found, and vet needs it"}
	case err != nil:
		return nil, []string{err.Error()}
	case len(pkgs) == 0:
		return nil, []string{"no packages match " + strings.Join(patterns, " ")}
	}
	var found []packages.Error
	packages.Visit(pkgs, nil, func(p *packages.Package) { found = append(found, p.Errors...) })
	if slices.ContainsFunc(found, ofTypes) { // the go command says the same in other words
		found = slices.DeleteFunc(found, func(e packages.Error) bool { return !ofTypes(e) })
	}
	for _, e := range found {
		text := e.Msg
		if e.Pos != "" && e.Pos != "-" {
			text = fileName(e.Pos, dir) + ": " + strings.TrimSpace(text)
		}
		errs = append(errs, text)
	}
	slices.Sort(errs)
	return pkgs, slices.Compact(errs)
}

func ofTypes(e packages.Error) bool {
	return e.Kind == packages.ParseError || e.Kind == packages.TypeError
}

// vetPackages is what is found in packages, in the order of files and lines. A package
// and its tests have files in common, whose findings come twice.
func vetPackages(pkgs []*packages.Package, dir string) ([]vetFinding, error) {
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	list := []vetFinding{}
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			p := action.Package.Fset.Position(d.Pos)
			list = append(list, vetFinding{fileName(p.Filename, dir), p.Line, p.Column, d.Category, d.Message})
		}
	}
	slices.SortFunc(list, func(x, y vetFinding) int {
		return cmp.Or(strings.Compare(x.File, y.File), x.Line-y.Line, x.Column-y.Column, strings.Compare(x.Message, y.Message))
	})
	return slices.Compact(list), nil
}

// fileName is a file's name as seen from a folder, if it lies in it.
func fileName(name, dir string) string {
	base, err := filepath.Abs(dir)
	if err != nil {
		return name
	}
	if rel, err := filepath.Rel(base, name); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return name
}

// isVetTool reports whether the go command calls simctl as the tool of go vet: with
// -V=full, with -flags, or with flags and the file of one package.
func isVetTool(args []string) bool {
	if len(args) == 0 {
		return false
	}
	last := args[len(args)-1]
	for _, flag := range args[:len(args)-1] {
		if !strings.HasPrefix(flag, "-") {
			return false
		}
	}
	return last == "-V=full" || last == "-flags" || strings.HasSuffix(last, ".cfg")
}

// runVetTool answers the go command. It ends the program.
func runVetTool(args []string) {
	os.Args = append(os.Args[:1:1], args...) // which is where unitchecker looks
	unitchecker.Main(vet.Analyzer)
}
