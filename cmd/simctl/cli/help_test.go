package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/candidates"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios"
)

// examples lists the command lines of simctl in the examples of all help texts.
func examples(t *testing.T) (list []string) {
	root := newRootCmd(&app{&cli.App{Catalog: cli.Catalog{Catalog: scenarios.Catalog(), Names: scenarios.Names}}})
	for _, cmd := range append(root.Commands(), root) {
		if cmd.Hidden {
			continue
		}
		text := strings.ReplaceAll(cmd.Example, "\\\n", " ")
		require.NotEmpty(t, text, "%s has no example", cmd.Name())
		for line := range strings.Lines(text) {
			_, line, found := strings.Cut(line, "$ ")
			require.True(t, found, "%s: an example begins with $", cmd.Name())
			for _, part := range strings.Split(line, " | ") {
				if part = strings.TrimSpace(part); strings.HasPrefix(part, "simctl ") {
					list = append(list, part)
				}
			}
		}
	}
	return list
}

// readers are the files of the examples that a reader brings along, and a file of the
// repository that is of the same kind.
var readers = map[string]string{
	"my.yaml":     "scenarios/redlock/gc-pause.yaml",
	"mine.yaml":   "scenarios/redlock/gc-pause.yaml",
	"theirs.yaml": "scenarios/redlock/gc-pause-fenced.yaml",
	"grid.yaml":   "scenarios/lock/compare.yaml",
	"gc.json":     "", "gc.log": "", "history.log": "", "etcd.log": "", "locks.json": "", "logs/*.log": "",
	"service.log": "", "runs.log": "", "app.log": "",
	"found/*.replay.json":                               "scenarios/redlock/replays/gc-pause.no-lost-update.replay.json",
	"found/x.replay.json":                               "scenarios/redlock/replays/gc-pause.no-lost-update.replay.json",
	"found/redlock-gc-pause-no-lost-update.replay.json": "scenarios/redlock/replays/gc-pause.no-lost-update.replay.json",
}

// shellWords splits a command line as a shell does, as far as examples need it, and
// expands patterns in the repository.
func shellWords(t *testing.T, line string) (list []string) {
	line, _, _ = strings.Cut(line, " > ")
	for i, part := range strings.Split(strings.ReplaceAll(line, `"`, "'"), "'") {
		if i%2 == 1 {
			list = append(list, part)
			continue
		}
		for _, word := range strings.Fields(part) {
			file, mine := readers[word]
			switch {
			case mine && file != "":
				word = file
			case mine:
			case strings.ContainsAny(word, "*"):
				files, err := filepath.Glob(word)
				require.NoError(t, err)
				assert.NotEmpty(t, files, "%s: no file matches %s in a clone", line, word)
				list = append(list, files...)
				continue
			}
			list = append(list, word)
		}
	}
	return list
}

// TestCalledCommand: the command that is called is built alone and by its own name, whatever else needs to know of all commands.
func TestCalledCommand(t *testing.T) {
	a := &app{&cli.App{Catalog: cli.Catalog{Catalog: scenarios.Catalog()}}}
	for _, c := range commands {
		for _, args := range [][]string{{c.name}, {c.name, "--help"}, {cobra.ShellCompRequestCmd, c.name, ""}, {cobra.ShellCompNoDescRequestCmd, c.name, "x"}} {
			built := newRootCmd(a, args...).Commands()
			require.Len(t, built, 1, args)
			require.Equal(t, c.name, built[0].Name())
		}
	}
	for _, args := range [][]string{nil, {"help", "run"}, {"--version"}, {"rum"}, {cobra.ShellCompRequestCmd, "re"}, {cobra.ShellCompRequestCmd, "run"}} {
		require.Len(t, newRootCmd(a, args...).Commands(), len(commands), args)
	}
}

// TestHelpExamples is F9: in a clone, every example of every help text names commands, flags,
// scenarios and files that are there, and those that take no time work.
func TestHelpExamples(t *testing.T) {
	t.Chdir("../../..")
	quick := map[string]bool{"list": true, "show": true, "schema": true, "help": true, "version": true, "validate": true}
	lines := examples(t)
	require.Greater(t, len(lines), 40)
	for _, line := range lines {
		t.Run(line, func(t *testing.T) {
			args := shellWords(t, line)[1:]
			root := newRootCmd(&app{&cli.App{Catalog: cli.Catalog{Catalog: scenarios.Catalog(), Names: scenarios.Names}}})
			cmd, rest, err := root.Find(args)
			require.NoError(t, err)
			require.NoError(t, cmd.ParseFlags(rest))
			require.NoError(t, cmd.ValidateArgs(cmd.Flags().Args()))
			for _, name := range cmd.Flags().Args() {
				requireThere(t, cmd, name)
			}
			if !quick[cmd.Name()] {
				return
			}
			if cmd.Name() == "validate" {
				args = some(args)
			}
			piped, err := scenarios.Catalog().New("lock")
			require.NoError(t, err)
			code, _, stderr := fed(string(piped), args...)
			require.Equal(t, cli.ExitOK, code, stderr)
		})
	}
}

// some are the flags of a command line, and one of eight of its other words if they are many: CI validates all files.
func some(args []string) (list []string) {
	for i, arg := range args {
		if len(args) < 50 || i%8 == 0 || strings.HasPrefix(arg, "-") {
			list = append(list, arg)
		}
	}
	return list
}

// requireThere is for an argument that names a scenario or a file of the clone.
func requireThere(t *testing.T, cmd *cobra.Command, name string) {
	_, mine := readers[name]
	switch cmd.Name() {
	case "run", "show", "validate", "explore", "replay", "explain", "boundary", "certify", "compare", "order", "linearize", "view":
		if mine || name == cli.FromStdin || cmd.Name() == "compare" && candidates.Find(name) != nil {
			return
		}
		if _, err := os.Stat(name); err != nil {
			require.Contains(t, scenarios.Names(), name)
		}
	}
}
