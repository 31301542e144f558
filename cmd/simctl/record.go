package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/shipped"
)

// newRecordCmd makes the command behind go generate ./scenarios, which is of no use to
// anybody else.
func newRecordCmd(a *app) *cobra.Command {
	into := ""
	cmd := &cobra.Command{
		Use:    "record --into DIR [PREFIX...]",
		Short:  "Write a replay file of every violation that an embedded scenario expects, or one whose name begins so",
		Hidden: true,
		RunE: func(cmd *cobra.Command, prefixes []string) error {
			if into == "" {
				return usage(errors.New("record: want --into DIR, the folder of the scenarios"))
			}
			return a.recordAll(cmd.Context(), into, prefixes)
		},
	}
	cmd.Flags().StringVar(&into, "into", "", "the folder of the scenarios")
	return cmd
}

// recordAll writes the replay files of all scenarios, or of those whose name begins so.
func (a *app) recordAll(ctx context.Context, into string, prefixes []string) error {
	for _, name := range a.names() {
		begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, begins) {
			continue
		}
		list, err := shipped.Failures(name)
		if err != nil {
			return failure(err)
		}
		for _, f := range list {
			r, err := f.Record(ctx)
			if err != nil {
				return failure(fmt.Errorf("%s, %s: %w", name, f.Property, err))
			}
			file := filepath.Join(into, filepath.FromSlash(f.File()))
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
