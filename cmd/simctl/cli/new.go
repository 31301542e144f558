package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/terminal"
	"fencepost/internal/program"
)

func newNewCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new MODEL [FILE]",
		Short: "Write a scenario to start your own from",
		Long: `New writes a scenario of a model, with comments, to a new file or to standard output. It
runs as it is; simctl list names the models.`,
		Example: newExamples(a),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				var models []string
				for _, m := range a.Models {
					models = append(models, m.Name)
				}
				return fmt.Errorf("new: want a model and perhaps a file, got %d words; the models are %s", len(args), strings.Join(models, ", "))
			}
			return nil
		},
		ValidArgsFunction: func(_ *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			var models []string
			for _, m := range a.Models {
				models = append(models, m.Name+"\t"+m.About)
			}
			return models, cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			text, err := a.New(args[0])
			if err != nil {
				return cli.Usage(fmt.Errorf("new: %w", err))
			}
			if len(args) == 1 {
				_, err = a.Out.Write(text)
				return err
			}
			return a.writeNew(args[1], text)
		},
	}
	if a.Module != nil {
		cmd.AddCommand(newNewModelCmd(a, a.Module))
	}
	return cmd
}

// newExamples are of the first models.
func newExamples(a *app) string {
	var list []string
	for i, m := range a.Models[:min(2, len(a.Models))] {
		list = append(list, fmt.Sprintf("  $ simctl new %s %smy.yaml", m.Name, []string{"", "> "}[i]))
	}
	if a.Module != nil {
		list = append(list, "  $ simctl new model mylock")
	}
	return strings.Join(list, "\n")
}

// writeNew writes a file that is not there yet, and says what can be done with it.
func (a *app) writeNew(path string, text []byte) error {
	if path == "" {
		return cli.Usage(errors.New("new: the path is empty: want one, or leave it out"))
	}
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	switch {
	case errors.Is(err, fs.ErrExist):
		return cli.Usage(fmt.Errorf("new: %s is there already: want the name of a new file", path))
	case err != nil:
		if p := (*fs.PathError)(nil); errors.As(err, &p) {
			err = p.Err
		}
		return cli.Failure(fmt.Errorf("new: cannot write %s: %w", path, err))
	}
	_, err = file.Write(text)
	if closed := file.Close(); err == nil {
		err = closed
	}
	if err != nil {
		_ = os.Remove(path) // a part of it is of no use
		return cli.Failure(fmt.Errorf("new: %w", err))
	}
	fmt.Fprintln(a.Out, "run it:", terminal.Quote(program.Name(), "run", cli.PathArgument(path)))
	return nil
}
