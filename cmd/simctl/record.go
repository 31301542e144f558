package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/scenarios"
	"fencepost/sim"
)

// newRecordCmd makes the command behind go generate ./scenarios, which is of no use to
// anybody else.
func newRecordCmd(a *app) *cobra.Command {
	into := ""
	cmd := &cobra.Command{
		Use:    "record --into DIR",
		Short:  "Write a replay file of every violation that an embedded scenario expects",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if into == "" {
				return usage(errors.New("record: want --into DIR, the folder of the scenarios"))
			}
			return a.recordAll(cmd.Context(), into)
		},
	}
	cmd.Flags().StringVar(&into, "into", "", "the folder of the scenarios")
	return cmd
}

// recordAll writes the replay files of all scenarios.
func (a *app) recordAll(ctx context.Context, into string) error {
	for _, name := range a.names() {
		list, err := a.failures(name)
		if err != nil {
			return failure(err)
		}
		for _, f := range list {
			r, err := a.recorded(ctx, f)
			if err != nil {
				return failure(fmt.Errorf("%s, %s: %w", name, f.property, err))
			}
			file := filepath.Join(into, filepath.FromSlash(f.file()))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return failure(err)
			}
			if err := files.Write(file, r.Write); err != nil {
				return failure(err)
			}
			fmt.Fprintln(a.out, file)
		}
	}
	return nil
}

// expected is a violation that a scenario expects.
type expected struct {
	scenario *scenarios.Scenario // of a grid, the first point that expects it
	property string
}

// file is the replay file of a violation, below the folder of the scenarios.
func (f *expected) file() string {
	folder, name := path.Split(f.scenario.Name)
	return path.Join(folder, "replays", name+"."+f.property+recordSuffix)
}

// failures lists the violations that an embedded scenario expects.
func (a *app) failures(name string) (list []expected, err error) {
	s, err := a.load(name, scenarios.Options{})
	if err != nil {
		return nil, err
	}
	points := []*scenarios.Scenario{s}
	if len(s.Variants) > 0 {
		points = nil
		for _, v := range s.Variants {
			points = append(points, v.Scenario)
		}
	}
	known := map[string]bool{}
	for _, p := range points {
		for i := range p.Expect {
			e := &p.Expect[i]
			wanted := e.Verdict == sim.Violated || e.Low != nil && *e.Low > 0
			if e.Property != "" && wanted && !known[e.Property] {
				known[e.Property] = true
				list = append(list, expected{p, e.Property})
			}
		}
	}
	return list, nil
}

// shippedTrail is how many steps the replay files in the repository say in words: enough
// to see where a changed model parts from them.
const shippedTrail = 150

// recorded finds the violation, makes it small, and records it.
func (a *app) recorded(ctx context.Context, f expected) (*scenarios.Record, error) {
	targets := execute.TargetsOf(&f.scenario.Program, []string{f.property})
	r, err := execute.First(ctx, f.scenario, targets, 0, nil)
	switch {
	case err != nil:
		return nil, err
	case r.Found == nil:
		return nil, errors.New("it is not violated")
	}
	shrunk, small, err := execute.Shrink(ctx, f.scenario, r.Found, nil)
	switch {
	case err != nil:
		return nil, err
	case !shrunk.Whole:
		return nil, errors.New("interrupted")
	}
	command := []string{"simctl", "explain", f.scenario.Name, "--property", f.property}
	return a.record(small, &shrunk.Failure, scenarios.RecordOptions{Command: strings.Join(command, " "), Trail: shippedTrail})
}
