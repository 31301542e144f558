package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"fencepost/reports"
	"fencepost/scenarios/format"
)

func newValidateCmd(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "validate NAME|FILE...",
		Short: "Check scenario files and report every mistake in them",
		Long: `Validate reads scenarios, with every point of their grids and their control blocks,
and reports all mistakes with line and column. It runs nothing. The exit code is 2 if
there is any mistake.`,
		Example: `  $ simctl validate my.yaml
  $ simctl validate scenarios/*/*.yaml --json
  $ simctl new lock | simctl validate -`,
		Args:              atLeastOne("the name or the file of a scenario"),
		ValidArgsFunction: a.completeNames,
		RunE:              func(_ *cobra.Command, names []string) error { return a.validate(names, asJSON) },
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return cmd
}

func atLeastOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return fmt.Errorf("%s: want %s", cmd.Name(), what)
		}
		return nil
	}
}

func (a *app) validate(names []string, asJSON bool) error {
	var files []invalidFile
	bad := false
	for _, name := range names {
		f := invalidFile{name: name, err: noRecord(name)}
		if f.err == nil {
			var s *format.Scenario
			if s, f.err = a.load(name, format.Options{}); f.err == nil {
				f.notes, f.err = s.Notes, tryWorlds(s)
			}
		}
		bad = bad || f.err != nil
		files = append(files, f)
		if !asJSON && f.err == nil {
			fmt.Fprintf(a.out, "%s: valid\n", name)
			writeNotes(a.out, f.notes)
		}
	}
	switch {
	case bad:
		return a.refuse(files, asJSON)
	case asJSON:
		return reports.WriteJSON(a.out, validation(files))
	}
	return nil
}

// writeNotes writes what a scenario should say otherwise.
func writeNotes(out io.Writer, notes []string) {
	for _, n := range notes {
		fmt.Fprintf(out, "  note: %s\n", n)
	}
}

// tryWorlds lets the engine check what only it can.
func tryWorlds(s *format.Scenario) error {
	all := []*format.Scenario{s}
	for _, v := range s.Variants {
		all = append(all, v.Scenario)
	}
	for _, one := range all {
		if _, err := one.Program.NewWorld(one.Config); err != nil {
			return fmt.Errorf("%s: %w", s.Name, err)
		}
	}
	return nil
}

// invalidFile is a scenario and what is wrong with it, nil if nothing is.
type invalidFile struct {
	name  string
	err   error
	notes []string // on one that is valid
}

// interruptedAmong is the error of a file for which nobody waits any more: nothing is
// known of it.
func interruptedAmong(files []invalidFile) error {
	for _, f := range files {
		if errors.Is(f.err, errInputInterrupted) {
			return fmt.Errorf("%s: %w", f.name, f.err)
		}
	}
	return nil
}

// refuse reports scenarios that cannot be run.
func (a *app) refuse(files []invalidFile, asJSON bool) error {
	if err := interruptedAmong(files); err != nil {
		return err
	}
	if asJSON {
		if err := reports.WriteJSON(a.out, validation(files)); err != nil {
			return failure(err)
		}
		return &exit{exitUsage, nil}
	}
	bad := 0
	for _, f := range files {
		if f.err == nil {
			continue
		}
		bad++
		fmt.Fprintf(a.errOut, "%v\n", f.err)
	}
	what := "1 scenario is invalid; nothing was run"
	if bad > 1 {
		what = fmt.Sprintf("%d scenarios are invalid; nothing was run", bad)
	}
	return usage(errors.New(what))
}

// The document of validate, and of a run that was refused.
type validationDoc struct {
	Schema string         `json:"schema"`
	OK     bool           `json:"ok"`
	Files  []validatedDoc `json:"files"`
}

type validatedDoc struct {
	File     string           `json:"file"`
	OK       bool             `json:"ok"`
	Problems []format.Problem `json:"problems"`
	Notes    []string         `json:"notes,omitempty"`
	More     int              `json:"more,omitempty"` // problems beyond those
}

func validation(files []invalidFile) validationDoc {
	doc := validationDoc{Schema: "fencepost/validate/v1", OK: true, Files: []validatedDoc{}}
	for _, f := range files {
		v := validatedDoc{File: f.name, OK: f.err == nil, Problems: []format.Problem{}, Notes: f.notes}
		doc.OK = doc.OK && v.OK
		if e := (*format.Invalid)(nil); errors.As(f.err, &e) {
			v.Problems, v.More = append(v.Problems, e.Problems...), e.More
		} else if f.err != nil {
			v.Problems = append(v.Problems, format.Problem{File: f.name, Message: f.err.Error()})
		}
		doc.Files = append(doc.Files, v)
	}
	return doc
}
