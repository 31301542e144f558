package main

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/reports/searches"
	"fencepost/result"
	"fencepost/scenarios/record"
	"fencepost/scenarios/words"
	"fencepost/sim/explore"
)

// finding takes what a search found to where it is wanted.
type finding struct {
	app      *app
	options  *exploreOptions
	search   *execute.Search
	found    *execute.Found
	ExitCode *searches.Exploration
	dir      *files.Dir // of --out, nil without
}

func (d *finding) deliver(ctx context.Context) error {
	if d.ExitCode.Found != nil {
		if err := d.tell(ctx); err != nil {
			return err
		}
	}
	return d.app.DeliverTo(&d.options.Subject, d.dir, "explore", d.ExitCode)
}

// storyFor bounds the time that it takes to find out which steps of a run lead to the
// violation; a run of a hundred thousand has a longer story then.
const storyFor = 30 * time.Second

// tell adds how the violation comes about, and how it is seen again.
func (d *finding) tell(ctx context.Context) error {
	k, r := d.found.Shrunk, d.ExitCode.Found
	soon, cancel := context.WithTimeout(ctx, storyFor)
	defer cancel()
	story, err := execute.Explain(soon, d.ExitCode.Scenario, &k.Failure, &k.Subject)
	switch {
	case err == nil:
		r.Story, r.Why = story, story.Why
	case !errors.Is(err, execute.ErrNoEnd) || ctx.Err() != nil:
		return err // and else it is reported without a story: the run is too long for one
	}
	r.Reproduce, r.Redrawn = d.reproduce(k)
	if d.dir == nil {
		return nil
	}
	if story != nil {
		if err := d.dir.Write("story.txt", story.Write); err != nil {
			return err
		}
	}
	record, err := d.app.Record(d.found.Scenario, &k.Failure, record.Options{Version: version.This().Version, Command: d.command()})
	if err != nil {
		return err
	}
	name := recordName(d.ExitCode.Scenario, r.Property)
	r.Replay = terminal.Quote("simctl", "replay", cli.PathArgument(filepath.Join(d.options.Out, name)))
	return d.dir.Write(name, record.Write)
}

// recordName is the name of the replay file for a violation of a property, "" for a
// panic.
func recordName(scenario, property string) string {
	name := path.Base(strings.ReplaceAll(cli.FileName(scenario), "\\", "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	if property == "" {
		property = "panic"
	}
	return name + "-" + property + recordSuffix
}

const recordSuffix = record.Suffix

// command is the search that found it.
func (d *finding) command() string {
	o := d.options
	flags := []string{"--mode", o.Mode.String()}
	if o.Budget != "" {
		flags = append(flags, "--budget", o.Budget)
	}
	for _, p := range o.Properties {
		flags = append(flags, "--property", p)
	}
	if o.Runs > 0 {
		flags = append(flags, "--runs", strconv.Itoa(o.Runs))
	}
	if o.For > 0 {
		flags = append(flags, "--for", o.For.String())
	}
	if o.Depth > 0 {
		flags = append(flags, "--depth", strconv.Itoa(o.Depth))
	}
	return o.Subject.Command("explore", d.search.Seed, flags...)
}

// reproduce is a run command that shows the same violation, "" if there is none, or none
// of a length to be pasted; redrawn says that the run is another.
func (d *finding) reproduce(k *explore.Shrunk) (line string, redrawn bool) {
	faults, err := words.Faults(&k.Subject.Program, k.Faults)
	if err != nil || len(k.Overrides) > 0 {
		return "", false
	}
	sets := d.options.Sets
	if d.found.Scenario.Change != "" {
		sets = d.found.Scenario.Sets
	}
	again := cli.Subject{Name: d.options.Name, Seed: &k.Seed}
	for _, set := range sets {
		if set.Path != "faults" && !strings.HasPrefix(set.Path, "faults.") {
			again.Sets = append(again.Sets, set)
		}
	}
	again.Sets = append(again.Sets, result.Setting{Path: "faults", Value: faults})
	s, err := d.app.LoadPoint(&again)
	if err != nil {
		return "", false
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return "", false
	}
	r := w.Run(k.Seed)
	if !execute.Same(&k.Failure, r) {
		return "", false
	}
	var flags []string
	if s.Runs > 1 {
		flags = []string{"--runs", "1"}
	}
	if line = again.Command("run", k.Seed, flags...); len(line) <= longestCommand {
		return line, r.Digest != k.Failure.Digest
	}
	return "", false
}

// longestCommand is what can still be pasted into a terminal.
const longestCommand = 4000
