//go:build unix

package cli

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// recipes give the shell command of each file below docs/cluster, and what its scheduler
// sets for shard i, from 1.
var recipes = map[string]struct {
	command func(t *testing.T, text string) string
	setting func(i int) string
}{
	"slurm.sh": {
		func(t *testing.T, text string) string {
			require.Contains(t, text, "#SBATCH --array=1-8\n")
			return text
		},
		func(i int) string { return fmt.Sprintf("SLURM_ARRAY_TASK_ID=%d", i) },
	},
	"job.yaml": {
		func(t *testing.T, text string) string {
			var job struct {
				Spec struct {
					Completions int
					Template    struct {
						Spec struct {
							Containers []struct{ Command, Args []string }
						}
					}
				}
			}
			require.NoError(t, yaml.Unmarshal([]byte(text), &job))
			require.Equal(t, 8, job.Spec.Completions)
			c := job.Spec.Template.Spec.Containers[0]
			require.Equal(t, []string{"sh", "-c"}, c.Command)
			return c.Args[0]
		},
		func(i int) string { return fmt.Sprintf("JOB_COMPLETION_INDEX=%d", i-1) },
	},
	"workflow.yaml": {
		func(t *testing.T, text string) string {
			var flow struct {
				Jobs struct {
					Shard struct {
						Strategy struct{ Matrix struct{ Shard []int } }
						Steps    []struct{ Run string }
					}
				}
			}
			require.NoError(t, yaml.Unmarshal([]byte(text), &flow))
			require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8}, flow.Jobs.Shard.Strategy.Matrix.Shard)
			for _, step := range flow.Jobs.Shard.Steps {
				if strings.Contains(step.Run, "--shard") {
					return strings.ReplaceAll(step.Run, "${{ matrix.shard }}", "$MATRIX_SHARD")
				}
			}
			t.Fatal("no step has --shard")
			return ""
		},
		func(i int) string { return fmt.Sprintf("MATRIX_SHARD=%d", i) },
	},
}

// TestRecipes runs the commands of the files that the page shows, as each scheduler would, and
// one of them twice, and compares what is merged with one machine.
func TestRecipes(t *testing.T) {
	page, err := os.ReadFile("../../../docs/cluster.md")
	require.NoError(t, err)
	whole := regexp.MustCompile(`simctl (run .*) --shard`)
	for name, recipe := range recipes {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile("../../../docs/cluster/" + name)
			require.NoError(t, err)
			require.Contains(t, string(page), "\n"+string(text)+"```\n", "the page shows the file as it is")
			command, folder, path := recipe.command(t, string(text)), t.TempDir(), simctlOnPath(t)
			for _, i := range []int{1, 2, 3, 4, 5, 6, 7, 8, 1} {
				cmd := exec.CommandContext(t.Context(), "sh", "-c", command)
				cmd.Dir = folder
				cmd.Env = append(os.Environ(), "PATH="+path+":"+os.Getenv("PATH"), "RUNNER_TEMP="+path, recipe.setting(i))
				output, err := cmd.CombinedOutput()
				require.NoError(t, err, string(output))
			}
			code, got, stderr := callReal(t, "merge", filepath.Join(folder, "parts"))
			require.Empty(t, stderr)
			wantCode, want, _ := callReal(t, strings.Fields(whole.FindStringSubmatch(string(text))[1])...)
			require.Equal(t, want, got)
			require.Equal(t, wantCode, code)
		})
	}
}

// simctlOnPath is a folder with a program simctl, which is that of the tests.
func simctlOnPath(t *testing.T) string {
	program, err := filepath.Abs(os.Args[0])
	require.NoError(t, err)
	dir := t.TempDir()
	script := "#!/bin/sh\n" + asSimctl + "=1 exec '" + program + "' \"$@\"\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "simctl"), []byte(script), 0o755))
	return dir
}

// TestPartsOnStandardOutput: a worker that is asked for one part after another first says of
// which job they are, and its parts are those of --out.
func TestPartsOnStandardOutput(t *testing.T) {
	folder := t.TempDir()
	cmd := process(t, "run", "redlock/gc-pause", "--runs", "9", "--shard", "-/3")
	cmd.Stdin = strings.NewReader("3\n1\n")
	text, err := cmd.Output()
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	require.Len(t, lines, 4)
	require.Contains(t, string(lines[0]), `"command":["run","redlock/gc-pause","--runs=9"]`)
	for i, number := range []string{"3", "1"} {
		_, _, stderr := callReal(t, "run", "redlock/gc-pause", "--runs", "9", "--shard", number+"/3", "--out", folder)
		require.Empty(t, stderr)
		want, err := os.ReadFile(filepath.Join(folder, "part-"+number+"-of-3.json"))
		require.NoError(t, err)
		require.Equal(t, string(want), string(lines[1+i]))
	}
	cmd = process(t, "run", "redlock/gc-pause", "--runs", "9", "--shard", "-/3")
	cmd.Stdin = strings.NewReader("4\n")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	require.Error(t, cmd.Run())
	require.Contains(t, stderr.String(), `want the number of a shard on each line, 1 to 3, got "4"`)
}

// TestActionsArePinned: a tag of an action can be moved to other code, a commit cannot.
func TestActionsArePinned(t *testing.T) {
	pinned := regexp.MustCompile(`^actions/[a-z-]+@[0-9a-f]{40} # v[0-9.]+$`)
	for _, file := range []string{"../../../.github/workflows/ci.yml", "../../../docs/cluster/workflow.yaml", "../../../docs/cluster.md"} {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		found := 0
		for line := range strings.Lines(string(text)) {
			if _, action, ok := strings.Cut(line, "- uses: "); ok {
				found++
				require.Regexp(t, pinned, strings.TrimSpace(action), file)
			}
		}
		require.Positive(t, found, file)
	}
}
