// Package finding takes what a search found to where it is wanted: explained, with a replay file and a command that
// shows it again.
package finding

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/internal/program"
	"fencepost/reports/searches"
	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/scenarios/record"
	"fencepost/sim/explore"
)

// Finding takes what a search found to where it is wanted.
type Finding struct {
	App     *cli.App
	Subject *cli.Subject
	Command string // that found it
	Found   *execute.Found
	Report  *searches.Exploration
	Dir     *files.Dir // of --out, nil without
}

// Write adds how the violation comes about, and writes the report and the files of --out.
func (d *Finding) Write(ctx context.Context) error {
	if d.Report.Found != nil {
		if err := d.explain(ctx); err != nil {
			return err
		}
	}
	return d.App.DeliverTo(d.Subject, d.Dir, "explore", d.Report)
}

// explainFor bounds the time that it takes to find out which steps of a run lead to the
// violation; that of a run of a hundred thousand steps then has more than it needs.
const explainFor = 30 * time.Second

// explain adds how the violation comes about, and how it is seen again.
func (d *Finding) explain(ctx context.Context) error {
	k, r := d.Found.Shrunk, d.Report.Found
	soon, cancel := context.WithTimeout(ctx, explainFor)
	defer cancel()
	explanation, err := execute.Explain(soon, d.Report.Scenario, &k.Failure, &k.Subject)
	switch {
	case err == nil:
		r.Explanation, r.Why = explanation, explanation.Why
	case !errors.Is(err, execute.ErrNoEnd) || ctx.Err() != nil:
		return err // and else it is reported without an explanation: the run is too long for one
	}
	r.Reproduce, r.Redrawn = d.reproduce(k)
	if d.Dir == nil {
		return nil
	}
	if explanation != nil {
		if err := d.Dir.Write("explanation.txt", explanation.Write); err != nil {
			return err
		}
	}
	record, err := d.App.Record(d.Found.Scenario, &k.Failure, record.Options{Version: version.This().Version, Command: d.Command})
	if err != nil {
		return err
	}
	property := r.Property
	if k.Subject.Program.Aims(k.Property) {
		property = "reach-" + d.Report.Goal.Measure
	}
	name := RecordName(d.Report.Scenario, property)
	r.Replay = terminal.Quote(program.Name(), "replay", cli.PathArgument(filepath.Join(d.Subject.Out, name)))
	return d.Dir.Write(name, record.Write)
}

// RecordName is the name of the replay file for a violation of a property, "" for a
// panic.
func RecordName(scenario, property string) string {
	name := path.Base(strings.ReplaceAll(cli.FileName(scenario), "\\", "/"))
	name = strings.TrimSuffix(name, path.Ext(name))
	if property == "" {
		property = "panic"
	}
	return name + "-" + property + record.Suffix
}

// reproduce is a run command that shows the same violation, "" if there is none, or none
// of a length to be pasted; redrawn says that the run is another.
func (d *Finding) reproduce(k *explore.Shrunk) (line string, redrawn bool) {
	faults, err := format.WriteFaults(&k.Subject.Program, k.Faults)
	if err != nil || len(k.Overrides) > 0 {
		return "", false
	}
	sets := d.Subject.Sets
	if d.Found.Scenario.Change != "" {
		sets = d.Found.Scenario.Sets
	}
	again := cli.Subject{Name: d.Subject.Name, Seed: &k.Seed}
	for _, set := range sets {
		if set.Path != "faults" && !strings.HasPrefix(set.Path, "faults.") {
			again.Sets = append(again.Sets, set)
		}
	}
	again.Sets = append(again.Sets, result.Setting{Path: "faults", Value: faults})
	s, err := d.App.LoadPoint(&again)
	if g := k.Subject.Program.Goal; err == nil && g != nil {
		s, err = s.Reaching(g.Text)
	}
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
