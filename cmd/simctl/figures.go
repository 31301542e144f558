package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/reports/figure"
	"fencepost/reports/plot"
	"fencepost/scenarios"
)

// newFiguresCmd makes the command behind go generate ./docs, which is of no use to
// anybody else.
func newFiguresCmd(a *app) *cobra.Command {
	into := ""
	cmd := &cobra.Command{
		Use:    "figures --into DIR",
		Short:  "Draw the plots of all embedded scenarios",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if into == "" {
				return usage(errors.New("figures: want --into DIR"))
			}
			if err := a.drawAll(cmd.Context(), into); err != nil {
				return failure(err)
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&into, "into", "", "the folder of the figures")
	return cmd
}

// drawAll draws the figures of all scenarios.
func (a *app) drawAll(ctx context.Context, into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	return a.eachFigure(ctx, func(file string, f *figure.Figure) error {
		path := filepath.Join(into, file+".svg")
		fmt.Fprintln(a.out, path)
		return files.Write(path, f.WriteSVG)
	})
}

// eachFigure runs the scenarios that have plots, and draws them.
func (a *app) eachFigure(ctx context.Context, do func(file string, f *figure.Figure) error) error {
	for _, name := range a.names() {
		s, err := a.load(name, scenarios.Options{})
		if err != nil {
			return err
		}
		if len(s.Plots) == 0 {
			continue
		}
		r, err := execute.Run(ctx, &execute.Plan{Scenario: s})
		switch {
		case err != nil:
			return err
		case !r.OK:
			return fmt.Errorf("%s is not as expected: see simctl run %s", name, name)
		}
		for i := range r.Plots {
			f, err := plot.Figure(r, &r.Plots[i])
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			if err := do(r.Plots[i].File, f); err != nil {
				return err
			}
		}
	}
	return nil
}
