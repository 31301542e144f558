package cli

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/describe"
	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/models/idempotency/flows"
	"fencepost/scenarios/format"
)

func newShowCmd(a *app) *cobra.Command {
	file, flow := false, ""
	cmd := &cobra.Command{
		Use:   "show NAME|FILE",
		Short: "Say in words what a scenario does, or print its file",
		Long: `Show says what a scenario is about, its parameters, its network and clocks, what goes
wrong, what is expected, and which figures it draws. It runs nothing.

--file prints the file instead: a start for one of your own. --flow, without a scenario,
prints one of the flows that ship with the model idempotency, whose name is params.flow.`,
		Example: `  $ simctl show redlock/gc-pause
  $ simctl show redlock/gc-pause --file > my.yaml
  $ simctl show --flow reference`,
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 && flow != "" {
				return nil
			}
			if flow != "" {
				return errors.New("show: --flow prints a flow alone: leave the scenario out")
			}
			if len(args) != 1 {
				return fmt.Errorf("show: want the name or the file of one scenario, got %d; see "+program.Name()+" list", len(args))
			}
			return nil
		},
		ValidArgsFunction: a.CompleteOneName,
		RunE: func(_ *cobra.Command, args []string) error {
			switch {
			case flow != "":
				return a.showFlow(flow)
			case file:
				return a.showFile(args[0])
			}
			return a.show(args[0])
		},
	}
	cmd.Flags().BoolVar(&file, "file", false, "print the file, as it is")
	cmd.Flags().StringVar(&flow, "flow", "", "print the flow of this `NAME` instead of a scenario")
	cli.MustRegister(cmd.RegisterFlagCompletionFunc("flow", cobra.FixedCompletions(flows.Names(), cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}

// showFlow prints the text of a flow that ships with the program.
func (a *app) showFlow(name string) error {
	flow, ok := flows.Text(name)
	near := text.Nearest(name, flows.Names())
	switch {
	case ok:
		_, err := io.WriteString(a.Out, flow)
		return err
	case near != "":
		return cli.Usage(fmt.Errorf("--flow: no flow is called %q; did you mean %q?", name, near))
	}
	return cli.Usage(fmt.Errorf("--flow: no flow is called %q: want one of %s", name, strings.Join(flows.Names(), ", ")))
}

// showFile prints the text of a scenario.
func (a *app) showFile(name string) error {
	text, err := a.Source(name)
	if err != nil {
		return cli.Usage(err)
	}
	_, err = a.Out.Write(text)
	return err
}

// show says what a scenario does.
func (a *app) show(name string) error {
	if err := cli.NoRecord(name); err != nil {
		return cli.Usage(err)
	}
	s, err := a.Load(name, format.Options{})
	if err != nil {
		return a.Refuse([]cli.InvalidFile{{Name: name, Err: err}}, false)
	}
	return cli.Failed(describe.Scenario(&a.Catalog, s).WriteText(a.Out, min(a.Width(), cli.LineWidth)))
}
