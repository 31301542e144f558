// Package viewing has what simctl view does: it loads and runs what a page is to show.
package viewing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
	"fencepost/reports/page"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
)

// PageName is what the page of a scenario or a replay file is called.
func PageName(name string) string {
	name = strings.TrimSuffix(path.Base(filepath.ToSlash(name)), record.Suffix)
	if name == cli.FromStdin {
		name = "run"
	}
	return strings.TrimSuffix(name, filepath.Ext(name)) + ".html"
}

// Run is a run that a page is to show.
type Run struct {
	Scenario *format.Scenario
	Command  string // that runs it
	Record   bool   // it is that of a replay file
}

// Load loads the runs of a page and looks whether it can be written to out, and says all that is wrong at once. Force
// replaces a file, and takes a replay file that was edited.
func Load(ctx context.Context, a *cli.App, subjects []cli.Subject, out string, force bool) (loaded []Run, err error) {
	var wrong []error
	var first *cli.Subject // that is wrong
	for i := range subjects {
		s, command, err := loadOne(ctx, a, &subjects[i], force)
		if err != nil {
			first = cmp.Or(first, &subjects[i])
			wrong = append(wrong, err)
			continue
		}
		loaded = append(loaded, Run{s, command, cli.IsRecord(subjects[i].Name)})
	}
	var taken error
	if out != cli.ToStdout {
		if taken = files.Free(out, force); taken != nil {
			taken = fmt.Errorf("--out: %w", taken)
		}
	}
	switch {
	case len(wrong) == 0 && taken == nil:
		return loaded, nil
	case len(wrong) == 0:
		return nil, cli.Failure(taken)
	case len(wrong) == 1 && taken == nil && cli.IsRecord(first.Name):
		return nil, a.RefuseReplays([]cli.InvalidFile{{Name: first.Name, Err: wrong[0]}}, false)
	case len(wrong) == 1 && taken == nil:
		return nil, a.LoadFailed(first, wrong[0])
	case ctx.Err() != nil:
		return nil, a.LoadFailed(first, wrong[0])
	}
	for _, err := range append(wrong, taken) {
		if err != nil {
			fmt.Fprintf(a.ErrOut, "%v\n", err)
		}
	}
	return nil, cli.Usage(errors.New("nothing was run, and no page is written"))
}

// Shown says in a line what the page has.
func Shown(runs []*page.Run) string {
	if first, last := runs[0], runs[len(runs)-1]; first.Vary != "" {
		return fmt.Sprintf("%s, seed %d: %d runs, %s from %s to %s", first.Scenario, first.Seed, len(runs), first.Vary, first.Value, last.Value)
	}
	var parts []string
	for _, r := range runs {
		part := fmt.Sprintf("%s, seed %d: %s", r.Scenario, r.Seed, r.Counted)
		if l := r.Left; l != nil {
			part += fmt.Sprintf("; of %d events, those around the first violation", l.Before+r.Events.Count+l.After)
			if len(r.Violations) == 0 {
				part = strings.Replace(part, "those around the first violation", "the first ones", 1)
			}
		}
		parts = append(parts, part)
	}
	return strings.Join(parts, "; ")
}

// Runs runs what was loaded, for the page.
func Runs(ctx context.Context, loaded []Run) (runs []*page.Run, err error) {
	for _, l := range loaded {
		r, err := execute.Page(ctx, l.Scenario, l.Command, page.MaxEvents)
		if err == nil && !l.Record {
			r.Figures, err = execute.PageFigures(ctx, l.Scenario)
		}
		if err != nil {
			return nil, Failed(ctx, err)
		}
		runs = append(runs, r)
	}
	return runs, nil
}

// Failed is the end of a command whose run could not be shown.
func Failed(ctx context.Context, err error) error {
	if errors.Is(err, execute.ErrNoEnd) || ctx.Err() != nil {
		return cli.End(cli.ExitInterrupted, err)
	}
	return cli.Failure(err)
}

// loadOne loads the scenario or the replay file of a run, with the command that runs it.
func loadOne(ctx context.Context, a *cli.App, o *cli.Subject, force bool) (*format.Scenario, string, error) {
	if cli.IsRecord(o.Name) {
		r, _, err := cli.ReadRecord(ctx, o.Name, force)
		if err != nil {
			return nil, "", err
		}
		s, err := r.Load(a.Models)
		return s, terminal.Quote(program.Name(), "replay", cli.PathArgument(o.Name)), err
	}
	s, err := a.LoadPoint(o)
	if err != nil {
		return nil, "", err
	}
	if len(o.Changed) > 0 { // the file's expectations then excuse nothing
		s.Expect = nil
	}
	return s, o.Command("run", s.Seed, "--runs", "1"), nil
}

// Browse shows a file in the browser.
func Browse(ctx context.Context, file string) error {
	whole, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	program := map[string][]string{"darwin": {"open"}, "windows": {"rundll32", "url.dll,FileProtocolHandler"}}[runtime.GOOS]
	if program == nil {
		program = []string{"xdg-open"}
	}
	return exec.CommandContext(ctx, program[0], append(program[1:], whole)...).Run()
}
