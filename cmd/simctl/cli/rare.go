package cli

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/division"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/finding"
	"fencepost/cmd/simctl/internal/output"
	"fencepost/cmd/simctl/internal/plan"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/reports/searches"
	"fencepost/reports/units"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim/explore"
	"fencepost/sim/rare"
)

// rareOptions say what of run --rare is not of run.
type rareOptions struct {
	On         bool
	Property   string // "" is the only one that has a level
	Repeat     int
	Population int
}

const rareLong = `--rare estimates how probable a violation is that runs are too few to show: below 1e-5,
say. It reaches it in steps, by multilevel splitting: a population of runs, of which those
that come nearest are continued with other draws, and so on. It needs a property that
says how near a run came; without --property that is the only one which does. The
estimate is the mean of --repeat independent repetitions, with the 95% interval of a log-normal
distribution's mean; fewer than 5, or some that are 0, have none. What the file expects is not
checked. --out writes rare.txt, rare.json and a replay file of a run that violates the property.`

// notRare are the flags of run that --rare refuses.
var notRare = []string{"all", "runs", "measure", "memory", "trace", "export", "force", "headers", "resume"}

// onlyRare are those that it alone has.
var onlyRare = []string{"property", "repeat", "population"}

func (o *rareOptions) define(f *pflag.FlagSet) {
	f.BoolVar(&o.On, "rare", false, "estimate a probability that is too small for plain runs")
	f.StringVar(&o.Property, "property", "", "of --rare: the property")
	f.IntVar(&o.Repeat, "repeat", rare.UsualRepetitions, "of --rare: how many independent estimates; 5 and more have an interval")
	f.IntVar(&o.Population, "population", rare.UsualPopulation, "of --rare: runs at each threshold; more make a better estimate")
}

// check says what is wrong with the options as such.
func (o *rareOptions) check(f *pflag.FlagSet) error {
	if !o.On {
		for _, name := range onlyRare {
			if f.Changed(name) {
				return fmt.Errorf("--%s is for --rare", name)
			}
		}
		return nil
	}
	for _, name := range notRare {
		if f.Changed(name) {
			return fmt.Errorf("--rare estimates a probability of one scenario: --%s is for plain runs", name)
		}
	}
	switch form := f.Lookup("output").Value.String(); {
	case form != output.Table && form != output.JSON:
		return fmt.Errorf("--rare: want --output %s or %s, got %q", output.Table, output.JSON, form)
	case o.Repeat < 1 || o.Repeat > rare.MaxRepetitions:
		return fmt.Errorf("--repeat: want 1 to %d, got %d", rare.MaxRepetitions, o.Repeat)
	case o.Population < 2 || o.Population > rare.MaxPopulation:
		return fmt.Errorf("--population: want 2 to %d, got %d", rare.MaxPopulation, o.Population)
	}
	return nil
}

// rare estimates, and delivers the estimate.
func (a *app) rare(ctx context.Context, o *runOptions) error {
	if len(o.Names) != 1 {
		return cli.Usage(fmt.Errorf("run: --rare is for one scenario, got %d", len(o.Names)))
	}
	p, err := plan.Load(&a.Catalog, o.Names[0], &o.Request)
	if err != nil {
		return a.Refuse([]cli.InvalidFile{{Name: o.Names[0], Err: err}}, o.Output == output.JSON)
	}
	cli.WriteNotes(a.ErrOut, p.Scenario.Notes)
	e, err := rareOf(p, &o.Rare)
	if err != nil {
		return cli.Usage(err)
	}
	meter := a.Meter()
	meter.Start(p.Scenario.Name)
	meter.Show("choosing thresholds")
	e.Progress = func(done, total int) {
		meter.Show(fmt.Sprintf("%s of %s repetitions", units.Number(done), units.Number(total)))
	}
	dir, done, err := division.Begin(ctx, a.App, &o.Division, e, p.Scenario, o.Out)
	if done {
		meter.Clear()
		return err
	}
	defer dir.Abandon()
	r, f, err := e.Do(ctx)
	meter.Clear()
	switch {
	case err != nil && ctx.Err() == nil:
		return cli.Failure(err)
	case r == nil:
		return cli.End(cli.ExitInterrupted, err)
	}
	r.Interrupted, r.Mode, r.Settings = err != nil, p.Mode, p.Settings
	if err := a.keepFound(o, e, r, f, dir); err != nil {
		return cli.Failure(err)
	}
	subject := cli.Subject{JSON: o.Output == output.JSON, Quiet: o.Quiet, Color: o.Color}
	if err := a.DeliverTo(&subject, dir, "rare", r); err != nil {
		return cli.Failure(err)
	}
	switch {
	case r.Interrupted:
		return cli.End(cli.ExitInterrupted, cli.ErrInterrupted)
	case !r.OK:
		return cli.End(cli.ExitNotExpected, nil)
	}
	return nil
}

// rareOf is what to estimate of a scenario.
func rareOf(p *execute.Plan, o *rareOptions) (*execute.Rare, error) {
	s := p.Scenario
	switch {
	case s.Replays():
		return nil, cli.NoNodes(s, "--rare")
	case len(s.Variants) > 0:
		return nil, fmt.Errorf("%s: --rare is for one point of the grid: pick it with --set %s", s.Name, cli.PointOf(s))
	}
	property, err := leveled(s, o.Property)
	if err != nil {
		return nil, err
	}
	e := &execute.Rare{Scenario: s, Repetitions: o.Repeat, Options: rare.Options{
		Program: s.Program, Config: s.Config, Property: property, Seed: s.Seed,
		Population: o.Population, Moves: rare.UsualMoves, Jobs: p.Jobs,
	}}
	if err := e.Check(); err != nil {
		return nil, fmt.Errorf("%s: --rare: %w", s.Name, err)
	}
	return e, nil
}

// leveled is the property with a name, or the only one, that has a level.
func leveled(s *format.Scenario, name string) (int, error) {
	var with []string
	for i, p := range s.Program.Properties {
		if s.Program.Levels[i].Text != "" {
			with = append(with, p)
		}
	}
	if len(with) == 0 {
		return 0, fmt.Errorf("%s: --rare: no property of model %s says how near a run came to violating it", s.Name, s.Model)
	}
	if name == "" {
		if len(with) > 1 {
			return 0, fmt.Errorf("%s: --rare: want --property %s", s.Name, text.Either(with))
		}
		name = with[0]
	}
	i, err := cli.FindProperty(s, name)
	if err == nil && !slices.Contains(with, name) {
		err = fmt.Errorf("%s: --rare: %s does not say how near a run came to violating it: want %s", s.Name, name, text.Either(with))
	}
	return i, err
}

// keepFound writes the replay file of the run that was found, if there is a folder for it.
func (a *app) keepFound(o *runOptions, e *execute.Rare, r *searches.Rarity, f *explore.Failure, dir *files.Dir) error {
	if f == nil || dir == nil {
		return nil
	}
	k, err := a.Record(e.Scenario, f, record.Options{Version: version.This().Version, Command: rareCommand(o)})
	if err != nil {
		r.Found.NoReplay = strings.ReplaceAll(err.Error(), "\n", "; ")
		return nil
	}
	name := finding.RecordName(r.Scenario, r.Property)
	r.Found.Replay = terminal.Quote(program.Name(), "replay", cli.PathArgument(o.Out+"/"+name))
	return dir.Write(name, k.Write)
}

// rareCommand is the command line that estimates the same.
func rareCommand(o *runOptions) string {
	words := []string{program.Name(), "run", cli.PathArgument(o.Names[0]), "--rare"}
	if o.Rare.Property != "" {
		words = append(words, "--property", o.Rare.Property)
	}
	words = append(words, "--repeat", strconv.Itoa(o.Rare.Repeat), "--population", strconv.Itoa(o.Rare.Population))
	if o.Seed != nil {
		words = append(words, "--seed", strconv.FormatUint(*o.Seed, 10))
	}
	switch {
	case o.Control:
		words = append(words, "--control")
	case o.NoFaults:
		words = append(words, "--no-faults")
	}
	for _, s := range o.Sets {
		words = append(words, "--set", s.Path+"="+s.Value)
	}
	return terminal.Quote(words...)
}
