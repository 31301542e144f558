package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/internal/program"
)

// sweepProgram is the program that has the command. It has a NATS server in it, which who
// runs scenarios on one machine does not need.
const sweepProgram = "simctl-sweep"

func newSweepCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "sweep serve|work",
		Short: "Share the runs of a command among workers on several machines, by NATS JetStream",
		Long: `Sweep hands out the runs of a command to workers and prints the report of one machine.
It is a program of its own, simctl-sweep, that has a NATS server in it: go build in the
folder sweep/ makes it. Put it beside simctl or on the PATH.

--shard and simctl merge do the same without a server; see simctl run --help.`,
		Example: `  $ simctl sweep serve --dir night redlock/gc-pause --runs 1000000
  $ simctl sweep work --nats nats://127.0.0.1:4222`,
		DisableFlagParsing: true,
		ValidArgsFunction:  cobra.NoFileCompletions,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 || args[0] == "--help" || args[0] == "-h" {
				return cmd.Help()
			}
			return a.sweep(args)
		},
	}
}

// sweep runs the program with this simctl.
func (a *app) sweep(args []string) error {
	self, err := os.Executable()
	if err != nil {
		return cli.Failure(err)
	}
	path := filepath.Join(filepath.Dir(self), sweepProgram)
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		if path, err = exec.LookPath(sweepProgram); err != nil {
			return cli.Failure(fmt.Errorf("sweep: there is no program %s beside "+program.Name()+" or on the PATH: cd sweep && go build -o DIR/%s . makes it", sweepProgram, sweepProgram))
		}
	}
	a.Out.Sync()
	cmd := exec.Command(path, args...) // Ctrl-C reaches it by itself
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, a.Out.Terminal, a.Terminal
	cmd.Env = append(os.Environ(), "SIMCTL="+self)
	err = cmd.Run()
	if e := (*exec.ExitError)(nil); errors.As(err, &e) && e.ExitCode() > 0 {
		return cli.End(e.ExitCode(), nil)
	}
	return cli.Failed(err)
}
