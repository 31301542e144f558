package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/shipped"
	"fencepost/reports/figure"
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
	return shipped.EachFigure(ctx, func(file string, f *figure.Figure) error {
		path := filepath.Join(into, file+".svg")
		fmt.Fprintln(a.out, path)
		return files.Write(path, f.WriteSVG)
	})
}
