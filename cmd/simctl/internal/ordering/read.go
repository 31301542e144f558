package ordering

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/logtext"
	"fencepost/models/clock/eventlog"
	"fencepost/models/clock/script"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
)

// IsScenario reports whether what order is given is a scenario, by name or as a file.
func IsScenario(a *cli.App, name string) bool {
	ending := filepath.Ext(name)
	return ending == ".yaml" || ending == ".yml" || slices.Contains(a.Names(), name)
}

// OfRun is the order of the events of a scenario's first run.
func OfRun(a *cli.App, file string, read eventlog.Options, asJSON bool) (*execute.Ordering, error) {
	if read.Expression != "" || read.Delimiter != "" || read.Execution != "" || read.Format != eventlog.Auto {
		return nil, cli.Usage(errors.New("order: a scenario is run: --format, --regex, --delimiter and --execution are for logs"))
	}
	s, err := a.Load(file, format.Options{})
	switch {
	case err != nil:
		return nil, a.LoadFailed(&cli.Subject{Name: file, JSON: asJSON}, err)
	case len(s.Variants) > 0:
		return nil, cli.Usage(fmt.Errorf("order: %s: the file has a grid of %d points, and this is about one", s.Name, len(s.Variants)))
	case s.Replays():
		return nil, cli.Usage(cli.NoNodes(s, "order"))
	}
	run, err := execute.Order(s)
	if err != nil {
		return nil, cli.Usage(fmt.Errorf("order: %w", err))
	}
	return run, nil
}

// Read reads a log, and says on a terminal how far it has come. Others reads it also if too many of its
// lines are part of no event.
func Read(ctx context.Context, a *cli.App, file string, read eventlog.Options, others bool) (*eventlog.Log, error) {
	meter := a.Meter()
	meter.Start("reading " + file)
	read.Progress = func(done, total int) bool {
		meter.Show(units.Size(int64(done)) + " of " + units.Size(int64(total)))
		return ctx.Err() == nil
	}
	l, err := cli.UntilDone(ctx, func() (*eventlog.Log, error) {
		in, err := cli.OpenInput(file)
		if err != nil {
			return nil, err
		}
		defer in.Close()
		return eventlog.Read(logtext.Reader(cli.Interruptible(ctx, in), logtext.Options{MaxLine: eventlog.MaxBytes, MaxSize: eventlog.MaxBytes}), read)
	})
	meter.Clear()
	if ctx.Err() != nil {
		return nil, cli.End(cli.ExitInterrupted, errors.New("order: interrupted"))
	}
	var executions *eventlog.ExecutionsError
	var layout *eventlog.LayoutError
	switch mistakes := (script.Mistakes)(nil); {
	case err == nil && !others && logtext.TooMany(int64(l.Skipped), int64(l.Lines)):
		return nil, cli.Failure(fmt.Errorf("%s: %d of %d lines are part of no event, the first is line %d: want at most a tenth, or --regex, which says what an event is, or --other-lines",
			file, l.Skipped, l.Lines, l.FirstSkipped))
	case err == nil:
		return l, nil
	case errors.As(err, &mistakes):
		return nil, cli.Failure(placed(file, mistakes))
	case errors.As(err, new(*fs.PathError)):
		return nil, cli.Failure(err)
	case errors.As(err, &executions):
		return nil, cli.Usage(fmt.Errorf("order: %s: --execution: %w", file, err))
	case errors.As(err, &layout):
		return nil, cli.Usage(fmt.Errorf("order: %s: --regex: %w", file, err))
	}
	return nil, cli.Failure(fmt.Errorf("%s: %w", file, err))
}

// placed is mistakes with the file before line and column.
func placed(file string, mistakes script.Mistakes) error {
	var lines []string
	for _, m := range mistakes {
		lines = append(lines, file+":"+m.Error())
	}
	return errors.New(strings.Join(lines, "\n"))
}
