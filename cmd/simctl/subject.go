package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/text"
	"fencepost/reports"
	"fencepost/reports/layout"
	"fencepost/result"
	"fencepost/scenarios/format"
)

// subject is one scenario that a command asks about, and how it is to answer.
type subject struct {
	Name     string
	Seed     *uint64 // nil is as the file says
	Sets     []result.Setting
	NoFaults bool
	Jobs     int
	JSON     bool
	Quiet    bool
	Out      string
	Color    bool
}

// subjectFlags are flags that are not options as they stand.
type subjectFlags struct {
	seed  uint64
	sets  []string
	color string
}

func (g *subjectFlags) define(cmd *cobra.Command, a *app, o *subject, seed, out string) {
	f := cmd.Flags()
	f.Uint64Var(&g.seed, "seed", 0, seed)
	f.StringArrayVar(&g.sets, "set", nil, "replace a value of the file, as in params.ttl=5s; may be repeated")
	f.BoolVar(&o.NoFaults, "no-faults", false, "leave out the faults of the file")
	f.IntVar(&o.Jobs, "jobs", 0, "runs at the same time; 0 is one per processor. Results do not depend on it")
	f.BoolVar(&o.JSON, "json", false, "print one JSON document")
	f.BoolVar(&o.Quiet, "quiet", false, "print only the line of verdict")
	f.StringVar(&o.Out, "out", "", out)
	f.StringVar(&g.color, "color", "auto", "colour verdicts: `auto`, always or never")
	a.completeSubjectFlags(cmd)
}

// mustRegister panics on an error that only a misspelt flag gives.
func mustRegister(err error) {
	if err != nil {
		panic(err) // there is no such flag
	}
}

func (a *app) completeSubjectFlags(cmd *cobra.Command) {
	mustRegister(cmd.RegisterFlagCompletionFunc("color", cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp)))
	mustRegister(cmd.RegisterFlagCompletionFunc("set", a.completeSet))
	mustRegister(cmd.MarkFlagDirname("out"))
}

// Bounds of flags.
const (
	maxJobs = 4096          // worlds at the same time: each has its memory
	maxRuns = 1_000_000_000 // as in a scenario
)

// checkRuns says what is wrong with --runs, nil if it is not given.
func checkRuns(runs *int) error {
	if runs != nil && (*runs < 1 || *runs > maxRuns) {
		return fmt.Errorf("--runs: want 1 to %d, got %d", maxRuns, *runs)
	}
	return nil
}

// complete makes options of the flags, and checks them.
func (g *subjectFlags) complete(a *app, o *subject, names []string, f *pflag.FlagSet) (err error) {
	if len(names) != 1 {
		return fmt.Errorf("want the name or the file of one scenario, got %d; see simctl list", len(names))
	}
	o.Name = names[0]
	if f.Changed("seed") {
		o.Seed = &g.seed
	}
	switch {
	case f.Changed("out") && o.Out == "":
		return errors.New("--out: the path is empty: want one, or leave the flag out")
	case o.Jobs < 0 || o.Jobs > maxJobs:
		return fmt.Errorf("--jobs: want 0 to %d, got %d", maxJobs, o.Jobs)
	case o.JSON && o.Quiet:
		return errors.New("want --json or --quiet, not both")
	}
	if o.Sets, err = parseSets(g.sets); err != nil {
		return err
	}
	o.Color, err = a.color(g.color)
	return err
}

// completeProperty completes the properties of the scenario that is named already.
func (a *app) completeProperty(_ *cobra.Command, names []string, _ string) ([]string, cobra.ShellCompDirective) {
	var list []string
	for _, name := range names {
		if s, err := a.load(name, format.Options{}); err == nil {
			list = append(list, s.Program.Properties...)
		}
	}
	return list, cobra.ShellCompDirectiveNoFileComp
}

// completeOneName completes the name of the one scenario of a command.
func (a *app) completeOneName(cmd *cobra.Command, args []string, to string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return a.completeNames(cmd, args, to)
}

// loadPoint loads the scenario with further settings: a whole one, or one point of a grid.
func (a *app) loadPoint(o *subject, more ...result.Setting) (*format.Scenario, error) {
	if err := noRecord(o.Name); err != nil {
		return nil, err
	}
	sets := slices.Concat(o.Sets, more)
	s, err := a.load(o.Name, format.Options{Sets: sets, NoFaults: o.NoFaults})
	if err != nil {
		return nil, err
	}
	if s.Replays() {
		return nil, usage(noNodes(s, "this"))
	}
	if err := pickPoints(s, sets); err != nil {
		return nil, err
	}
	switch len(s.Variants) {
	case 0:
	case 1:
		s = s.Variants[0].Scenario
	default:
		return nil, usage(fmt.Errorf("%s: the file has a grid of %d points, and this is about one: pick it with --set %s",
			s.Name, len(s.Variants), pointOf(s)))
	}
	if o.Seed != nil {
		s.Seed = *o.Seed
	}
	s.Runs = max(s.Runs, 1)
	return s, nil
}

// noNodes is the error for a scenario without nodes where they are what it is about.
func noNodes(s *format.Scenario, what string) error {
	return fmt.Errorf("%s: model %s has no nodes, which %s is about: simctl run shows all there is", s.Name, s.Model, what)
}

// noRecord is the error for a replay file where a scenario is wanted.
func noRecord(name string) error {
	if !isRecord(name) {
		return nil
	}
	return fmt.Errorf("%s is no scenario: simctl replay and simctl explain take replay files", name)
}

// pointOf is how --set picks the first point of a grid.
func pointOf(s *format.Scenario) string {
	var words []string
	for _, set := range s.Variants[0].Settings {
		words = append(words, terminal.Quote(set.Path+"="+set.Value))
	}
	return strings.Join(words, " --set ")
}

// loadFailed is the end of a command whose scenario could not be loaded.
func (a *app) loadFailed(o *subject, err error) error {
	if e := (*exit)(nil); errors.As(err, &e) {
		return e
	}
	return a.refuse([]invalidFile{{name: o.Name, err: err}}, o.JSON)
}

// findProperty is the index of a property of the scenario.
func findProperty(s *format.Scenario, name string) (int, error) {
	if i := slices.Index(s.Program.Properties, name); i >= 0 {
		return i, nil
	}
	if near := text.Nearest(name, s.Program.Properties); near != "" {
		return 0, usage(fmt.Errorf("--property: %s has no property %q; did you mean %q?", s.Name, name, near))
	}
	return 0, usage(fmt.Errorf("--property: %s has no property %q: want one of %s", s.Name, name, strings.Join(s.Program.Properties, ", ")))
}

func (o *subject) mode() string {
	if o.NoFaults {
		return reports.NoFaults
	}
	return ""
}

// command is the command line that asks the same of this subject.
func (o *subject) command(verb string, seed uint64, flags ...string) string {
	words := []string{"simctl", verb, pathArgument(o.Name), "--seed", strconv.FormatUint(seed, 10)}
	if o.NoFaults {
		words = append(words, "--no-faults")
	}
	for _, s := range o.Sets {
		words = append(words, "--set", s.Path+"="+s.Value)
	}
	return terminal.Quote(append(words, flags...)...)
}

// pathArgument is a path that is not taken for a flag.
func pathArgument(name string) string {
	if strings.HasPrefix(name, "-") && name != fromStdin {
		return "./" + name
	}
	return name
}

// document is a finished report.
type finished interface {
	WriteText(io.Writer, layout.Style) error
	WriteVerdict(io.Writer, layout.Style) error
}

// style is how text is dressed up for standard output.
func (a *app) style(color bool) layout.Style {
	return layout.Style{Color: color, Width: terminal.Width(a.out.terminal)}
}

// deliver prints a report as the options want it.
func (a *app) deliver(o *subject, r finished) error {
	style := a.style(o.Color)
	switch {
	case o.JSON:
		return reports.WriteJSON(a.out, r)
	case o.Quiet:
		return r.WriteVerdict(a.out, style)
	}
	return r.WriteText(a.out, style)
}

// newOut begins the folder of --out; it is nil without.
func newOut(path string) (*files.Dir, error) {
	if path == "" {
		return nil, nil
	}
	dir, err := files.NewDir(path)
	if err != nil {
		return nil, failure(fmt.Errorf("--out: %w", err))
	}
	return dir, nil
}

// deliverTo prints a report, and lets the folder of --out appear with it.
func (a *app) deliverTo(o *subject, dir *files.Dir, name string, r finished) error {
	if err := a.deliver(o, r); err != nil || dir == nil {
		return err
	}
	if err := writeReport(dir, name, r); err != nil {
		return err
	}
	return dir.Finish()
}

// writeReport adds a report to the folder of --out, as text and as a document.
func writeReport(dir *files.Dir, name string, r finished) error {
	err := dir.Write(name+".txt", func(w io.Writer) error { return r.WriteText(w, layout.Style{}) })
	if err != nil {
		return err
	}
	return dir.Write(name+".json", func(w io.Writer) error { return reports.WriteJSON(w, r) })
}

var errInterrupted = errors.New("interrupted; what was done until then is reported")
