// Package cli is what the commands of simctl share: the scenarios and where output goes, exit codes, standard input, the
// one scenario that a command is about and its flags, and how files that are invalid are refused.
package cli

import (
	"context"
	"io"
	"os"

	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/printable"
	"fencepost/reports/layout"
)

// App is what every command has: the scenarios, where its results and its errors go, and the environment.
type App struct {
	Catalog
	Out      *Output
	ErrOut   *printable.Writer
	Terminal io.Writer // standard error as it is, for progress
	Getenv   func(string) string
}

// New is for commands that read scenarios from a catalog and write to stdout and stderr until ctx is done.
func New(ctx context.Context, c Catalog, stdout, stderr io.Writer) *App {
	errOut := printable.NewWriter(stderr)
	return &App{Catalog: c.renamed(errOut).interruptible(ctx), Out: NewOutput(stdout), ErrOut: errOut, Terminal: stderr, Getenv: os.Getenv}
}

// Color decides whether verdict words are coloured; see [terminal.Color].
func (a *App) Color(flag string) (bool, error) {
	on, err := terminal.Color(flag, a.Out.Terminal, a.Getenv)
	a.Out.text.Colors, a.ErrOut.Colors = on, on
	return on, err
}

// Meter shows how far work has come, on a terminal.
func (a *App) Meter() *terminal.Meter { return terminal.NewMeter(a.Terminal, a.Getenv) }

// LineWidth is how long lines are where there is no terminal.
const LineWidth = 100

// Width is how long lines may be.
func (a *App) Width() int {
	if w := terminal.Width(a.Out.Terminal); w > 0 {
		return w
	}
	return LineWidth
}

// Style is how text is dressed up for standard output.
func (a *App) Style(color bool) layout.Style {
	return layout.Style{Color: color, Width: terminal.Width(a.Out.Terminal)}
}
