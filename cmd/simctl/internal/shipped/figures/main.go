// Command figures draws the plots of all scenarios that ship, as go generate ./docs calls it.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/shipped"
	"fencepost/reports/figure"
)

func main() {
	into := flag.String("into", "figures", "the folder of the figures")
	flag.Parse()
	if err := draw(context.Background(), *into); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// draw draws the figures of all scenarios.
func draw(ctx context.Context, into string) error {
	if err := os.MkdirAll(into, 0o755); err != nil {
		return err
	}
	return shipped.EachFigure(ctx, func(file string, f *figure.Figure) error {
		path := filepath.Join(into, file+".svg")
		fmt.Println(path)
		return files.Write(path, f.WriteSVG)
	})
}
