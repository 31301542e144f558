// Package determinism loads Go packages and finds what makes a run of a model differ from the next, for simctl vet.
package determinism

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

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/analysis/unitchecker"
	"golang.org/x/tools/go/packages"

	"fencepost/sim/vet"
)

// Finding is what a step must not do, and where it does.
type Finding struct {
	File    string `json:"file"`
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Rule    string `json:"rule"`
	Message string `json:"message"`
}

func (f Finding) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// Load loads packages and their tests, with all that they import, and says what
// is wrong with them.
func Load(ctx context.Context, dir string, patterns []string) (pkgs []*packages.Package, errs []string) {
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	std := standard(ctx, dir)
	pkgs, err := packages.Load(&packages.Config{Context: ctx, Dir: dir, Mode: packages.LoadAllSyntax | packages.NeedModule, Tests: true, ParseFile: std.parse}, patterns...)
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return nil, []string{"the go command is not found, and vet needs it"}
	case err != nil:
		return nil, []string{err.Error()}
	case len(pkgs) == 0:
		return nil, []string{"no packages match " + strings.Join(patterns, " ")}
	}
	var found []packages.Error
	packages.Visit(pkgs, nil, func(p *packages.Package) {
		found = append(found, slices.DeleteFunc(p.Errors, std.unused)...)
		p.IllTyped = false // of what has errors nothing is analyzed
	})
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

// Findings is what is found in packages, in the order of files and lines. A package
// and its tests have files in common, whose findings come twice.
func Findings(pkgs []*packages.Package, dir string) ([]Finding, error) {
	graph, err := checker.Analyze([]*analysis.Analyzer{vet.Analyzer}, pkgs, nil)
	if err != nil {
		return nil, err
	}
	list := []Finding{}
	for _, action := range graph.Roots {
		if action.Err != nil {
			return nil, fmt.Errorf("%s: %w", action.Package.PkgPath, action.Err)
		}
		for _, d := range action.Diagnostics {
			p := action.Package.Fset.Position(d.Pos)
			list = append(list, Finding{fileName(p.Filename, dir), p.Line, p.Column, d.Category, d.Message})
		}
	}
	slices.SortFunc(list, func(x, y Finding) int {
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

// IsTool reports whether the go command calls simctl as the tool of go vet: with
// -V=full, with -flags, or with flags and the file of one package.
func IsTool(args []string) bool {
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

// RunTool answers the go command. It ends the program.
func RunTool(args []string) {
	os.Args = append(os.Args[:1:1], args...) // which is where unitchecker looks
	unitchecker.Main(vet.Analyzer)
}
