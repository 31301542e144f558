package cli

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/scenarios/catalog"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// ownParams are those of a model of one's own, which has no sentences.
type ownParams struct {
	Hold time.Duration `yaml:"hold" about:"how long client-1 holds the lock"`
}

var ownModel = format.ModelOf("mine", "a lock of one's own", func() ownParams { return ownParams{20 * time.Millisecond} },
	func(*ownParams) []struct{ Path, Message string } { return nil },
	func(p *ownParams) sim.System[msg] {
		s := sim.System[msg]{Kinds: kinds, Notes: []sim.Kind{acquired, released}, Properties: []sim.Property[msg]{&exclusion{}},
			States:   []sim.State[msg]{{Name: "holds", Enter: []sim.Kind{acquired}, Leave: []sim.Kind{released}}},
			Measures: []sim.Measure{{Name: "acquired-at", Unit: sim.Duration}, {Name: "acquisitions", Total: true}}}
		s.Nodes = append(s.Nodes, sim.Place[msg]("client-1", client{Hold: sim.Constant(p.Hold)}),
			sim.Place[msg]("client-2", client{Wait: sim.Constant(10 * time.Millisecond), Hold: sim.Constant(5 * time.Millisecond)}))
		return s
	})

// own runs a command line of a program with that model.
func own(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = runOf(&catalog.Catalog{Models: []format.Model{ownModel}}, nil, args, &out, &err)
	return code, out.String(), err.String()
}

// TestOwnModel: every command that a program of one's own has works for its model, by files.
func TestOwnModel(t *testing.T) {
	t.Chdir(t.TempDir())
	code, _, stderr := own("new", "mine", "my.yaml")
	require.Equal(t, cli.ExitOK, code, stderr)
	text, err := os.ReadFile("my.yaml")
	require.NoError(t, err)
	violated := strings.Replace(string(text), "mutual-exclusion: holds", "mutual-exclusion: violated", 1) + "plots:\n  - {title: t, file: held, kind: timeline}\n"
	require.NoError(t, os.WriteFile("my.yaml", []byte(violated), 0o644))
	require.NoError(t, os.WriteFile("other.yaml", []byte(strings.Replace(violated, "hold: 20ms", "hold: 5ms ", 1)), 0o644))
	for _, v := range []struct{ line, want string }{
		{"list", "mine: a lock of one's own"},
		{"list mine", "simctl new mine my.yaml"},
		{"validate my.yaml", "my.yaml"},
		{"show my.yaml", "how long client-1 holds the lock: 20ms"},
		{"schema", "how long client-1 holds the lock: 20ms"},
		{"run my.yaml", "client-1 notes acquired"},
		{"run my.yaml --out out", "REPRODUCED"},
		{"explain my.yaml", "client-2 notes acquired"},
		{"compare my.yaml other.yaml", "mutual"},
		{"plot out/report.json", "<svg"},
		{"view my.yaml --out a.html", "a.html shows my.yaml"},
		{"explore my.yaml --runs 20 --set params.hold=5ms --set expect.mutual-exclusion=holds --budget pauses=1", "simctl replay"},
		{"boundary my.yaml --vary params.hold=1ms..20ms --property mutual-exclusion", "10"},
	} {
		code, stdout, stderr := own(strings.Fields(v.line)...)
		assert.NotEqual(t, cli.ExitUsage, code, "%s: %s", v.line, stderr)
		assert.NotEqual(t, cli.ExitError, code, "%s: %s", v.line, stderr)
		assert.Contains(t, stdout, v.want, v.line)
	}
}

// TestOwnModelHasNoOther: what is about models that ship is not there.
func TestOwnModelHasNoOther(t *testing.T) {
	_, help, _ := own("--help")
	for _, command := range []string{"advise", "reach"} {
		code, _, stderr := own(command)
		require.Equal(t, cli.ExitUsage, code)
		require.Contains(t, stderr, "unknown command")
		require.NotContains(t, help, command)
	}
	code, _, stderr := own("new", "model", "x")
	require.Equal(t, cli.ExitUsage, code)
	require.Contains(t, stderr, "want one of mine", "the sources are not in such a program")
	_, _, stderr = own("run", "redlock/gc-pause")
	require.Contains(t, stderr, "no scenario has this name")
}

// TestRename: help has the name of the program, and examples of nothing that it does not have.
func TestRename(t *testing.T) {
	cmd := newRootCmd(&app{&cli.App{Catalog: cli.CatalogOf(&catalog.Catalog{Models: []format.Model{ownModel}}, strings.NewReader(""))}})
	rename(cmd, "minectl", nil)
	for _, c := range append(cmd.Commands(), cmd) {
		for _, text := range []string{c.Use, c.Short, c.Long, c.Example} {
			assert.NotContains(t, text, "simctl", c.Name())
			assert.NotContains(t, text, "redlock/gc-pause", c.Name())
		}
	}
	assert.Contains(t, cmd.Example, "  $ minectl new mine my.yaml\n")
}

// TestNewModel: the command says where its module is and what it needs, and why there is none.
func TestNewModel(t *testing.T) {
	t.Chdir(t.TempDir())
	code, stdout, stderr := real(t, "new", "model", "mylock")
	require.Equal(t, cli.ExitOK, code, stderr)
	require.Contains(t, stdout, "cd mylock && go test ./...")
	require.FileExists(t, "mylock/.fencepost/sim/world.go")
	require.NoFileExists(t, "mylock/.fencepost/sim/world_test.go")
	for _, v := range []struct {
		args string
		code int
		want string
	}{
		{"new model mylock", cli.ExitError, "new model: mylock is not empty"},
		{"new model My_Lock", cli.ExitUsage, `new model: the folder is called "My_Lock": want a name`},
		{"new model", cli.ExitUsage, "new model: want one folder, got 0 words"},
		{"new model a b", cli.ExitUsage, "new model: want one folder, got 2 words"},
	} {
		code, _, stderr := real(t, strings.Fields(v.args)...)
		require.Equal(t, v.code, code, v.args)
		require.Contains(t, stderr, v.want)
	}
}
