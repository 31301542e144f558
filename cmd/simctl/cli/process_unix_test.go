//go:build unix

package cli

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost"
	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios"
)

// The program of the tests is simctl itself where a test asks for a process of its own:
// signals, pipes and terminals are met only by one.
const asSimctl = "FENCEPOST_TEST_AS_SIMCTL"

func init() {
	if os.Getenv(asSimctl) != "" {
		MainOf(scenarios.Catalog(), fencepost.Sources)
	}
}

// process is simctl as a process of its own.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = append(os.Environ(), asSimctl+"=1")
	return cmd
}

// Reliability F4: a Ctrl-C while simctl waits for standard input or a named pipe did
// nothing; only the second one ended it.
func TestTheFirstInterruptEndsTheWaitForInput(t *testing.T) {
	for _, args := range [][]string{
		{"order", "-"}, {"plot", "-"}, {"order", "PIPE"}, {"plot", "PIPE"}, {"run", "PIPE"}, {"validate", "PIPE"},
		{"show", "PIPE"}, {"linearize", "PIPE"}, {"replay", "PIPE.json"}, {"explain", "PIPE.json"},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			pipe := filepath.Join(t.TempDir(), "pipe"+strings.TrimPrefix(args[1], "PIPE"))
			cmd := process(t, args[0], args[1])
			stdin, err := cmd.StdinPipe()
			require.NoError(t, err)
			defer stdin.Close()
			if args[1] != "-" {
				require.NoError(t, syscall.Mkfifo(pipe, 0o600))
				cmd.Args[2] = pipe
			}
			var stderr strings.Builder
			cmd.Stderr = &stderr
			require.NoError(t, cmd.Start())
			if args[1] == "-" { // more than the pipe holds: it has begun to read
				_, err = io.WriteString(stdin, strings.Repeat("\n", 1<<17))
			} else { // opening it for writing waits until simctl has opened it for reading
				var w *os.File
				w, err = os.OpenFile(pipe, os.O_WRONLY, 0)
				t.Cleanup(func() { _ = w.Close() })
			}
			require.NoError(t, err)
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
			_ = cmd.Wait()
			require.Equal(t, cli.ExitInterrupted, cmd.ProcessState.ExitCode(), stderr.String())
			require.Contains(t, stderr.String(), "interrupted")
		})
	}
}

// Reliability F10: run --all | head -1 went on for all scenarios after the reader had left.
func TestARunOfManyEndsWhenItsReaderLeaves(t *testing.T) {
	cmd := process(t, append([]string{"run", "--quiet"}, scenarios.Names()[:60]...)...)
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	require.Contains(t, line, "ok  ")
	require.NoError(t, out.Close())
	_ = cmd.Wait()
	require.Equal(t, cli.ExitReaderLeft, cmd.ProcessState.ExitCode())
}
