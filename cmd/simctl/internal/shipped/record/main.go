// Command record writes a replay file of every violation that a scenario that ships expects, or one whose name begins
// with a given prefix, as go generate ./scenarios calls it:
//
//	cd scenarios && go run ../cmd/simctl/internal/shipped/record --into . lock/naive
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/shipped"
	"fencepost/scenarios"
)

func main() {
	into := flag.String("into", ".", "the folder of the scenarios")
	flag.Parse()
	if err := record(context.Background(), *into, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "record:", err)
		os.Exit(1)
	}
}

// record writes the replay files of all scenarios, or of those whose name begins with a prefix.
func record(ctx context.Context, into string, prefixes []string) error {
	for _, name := range scenarios.Names() {
		begins := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
		if len(prefixes) > 0 && !slices.ContainsFunc(prefixes, begins) {
			continue
		}
		list, err := shipped.Failures(name)
		if err != nil {
			return err
		}
		for _, f := range list {
			r, err := f.Record(ctx)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, f.Property, err)
			}
			file := filepath.Join(into, filepath.FromSlash(f.File()))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return err
			}
			if err := files.Write(file, r.Write); err != nil {
				return err
			}
			fmt.Println(file)
		}
	}
	return nil
}
