// Package cli is the commands of simctl. A program with models of its own has all of them:
//
//	func main() { cli.Main(mymodel.Model) }
package cli

import (
	"context"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"runtime"
	"runtime/debug"
	"syscall"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/determinism"
	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
)

// Main is the whole of a program that has the commands of simctl for some models. It ends the program.
func Main(models ...format.Model) { MainOf(&catalog.Catalog{Models: models}, nil) }

// MainOf is [Main] for a program that has scenarios, too. The command new model unpacks sources; without them there is none.
func MainOf(c *catalog.Catalog, sources fs.FS) {
	if determinism.IsTool(os.Args[1:]) {
		determinism.RunTool(os.Args[1:])
	}
	collectLater()
	os.Exit(runOf(c, sources, os.Args[1:], os.Stdout, os.Stderr))
}

// collectLater lets the heap grow to 32 MB, in place of 4, before garbage is collected for the first time, unless GOGC
// is set: most commands end before that. Once it was collected, the heap may double, as usual.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	const megabytes = 32
	debug.SetGCPercent(100 * megabytes / 4)
	runtime.AddCleanup(new([megabytes]byte), func(int) { debug.SetGCPercent(100) }, 0)
}

func runOf(c *catalog.Catalog, sources fs.FS, args []string, stdout, stderr io.Writer) int {
	// A reader who leaves is no reason to die in the middle: writes then fail.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends the program at once
	in := cli.CatalogOf(c, os.Stdin)
	in.Module = sources
	return simctl(ctx, in, args, stdout, stderr)
}

// simctl carries out one command line.
func simctl(ctx context.Context, c cli.Catalog, args []string, stdout, stderr io.Writer) int {
	a := &app{cli.New(ctx, c, stdout, stderr)}
	root := newRootCmd(a, args...)
	root.SetArgs(args)
	root.SetOut(a.Out)
	root.SetErr(a.ErrOut)
	addCompletionCmd(root)
	err := root.ExecuteContext(ctx)
	if flushed := a.Out.Flush(); flushed != nil {
		err = flushed
	}
	return cli.ExitCode(err, a.ErrOut)
}

// app has the commands.
type app struct{ *cli.App }
