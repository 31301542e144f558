package format_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
	"fencepost/sim"
)

// TestEveryModelRefusesAWord: R11. A model takes no parameter with a word that it does not
// know for another, also where no file was read: the caller that makes a world is told.
func TestEveryModelRefusesAWord(t *testing.T) {
	words := 0
	for _, m := range scenarios.Models() {
		fields := reflect.TypeOf(m.New().Target()).Elem()
		for i := range fields.NumField() {
			f := fields.Field(i)
			name, options, _ := strings.Cut(f.Tag.Get("yaml"), ",")
			if f.Type.Kind() != reflect.String || !strings.Contains(options, "oneof=") {
				continue
			}
			words++
			p := m.New()
			reflect.ValueOf(p.Target()).Elem().Field(i).SetString("nonsense")
			_, err := p.Program().NewWorld(sim.Config{Until: 1})
			require.Error(t, err, "%s: %s", m.Name, name)
			assert.Contains(t, err.Error(), name+": want one of ", m.Name)
		}
	}
	assert.Positive(t, words)
}

// A mistake in the text of a flow is reported at its line of the file.
func TestAMistakeInAFlowIsAtItsPlaceInTheFile(t *testing.T) {
	const head = "model: idempotency\nuntil: 1s\nparams:\n  program: "
	for text, want := range map[string]string{
		"|\n    create table t (k int);\n\n    on request {\n      insert into tt values (1);\n    }\n": `fake/x.yaml:8:19: relation "tt" does not exist (SQLSTATE 42P01) (at params.program)`,
		"|\n    on request {\n":         "fake/x.yaml:6:1: want }, got the end (at params.program)",
		"'on request { anser 200; }'\n": "fake/x.yaml:4:12: line 1, column 14: want a statement, got anser (did you mean answer?) (at params.program)",
	} {
		_, err := fake.LoadFrom(fake.Shelf(head+text), format.Options{}, scenarios.Models())
		require.Error(t, err)
		assert.Contains(t, err.Error(), want)
	}
}
