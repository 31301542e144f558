package format

import (
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"fencepost/scenarios/grid"
	"fencepost/sim"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReferenceHasAllKeys: every key that the decoder knows is on the page. Those of faults and budgets are in the reference,
// which is generated from their rows.
func TestReferenceHasAllKeys(t *testing.T) {
	text, err := os.ReadFile("../../docs/scenario-files.md")
	require.NoError(t, err)
	page := strings.ReplaceAll(string(text), "\r\n", "\n")
	reference, err := os.ReadFile("../../docs/scenarios.md")
	require.NoError(t, err)
	for _, k := range append(allFaultKeys(), budgetNames()...) {
		assert.Contains(t, string(reference), "`"+k+"`", k)
	}
	keys := append(slices.Clone(shapes), "gclog", "holds", "violated", "unknown", "share")
	for _, f := range []any{File{}, networkFormat{}, linkFormat{}, clockFormat{}, SidesFormat{}, MessageFormat{},
		NoteFormat{}, EffectFormat{}, AfterFormat{}, ViolationFormat{}, BoundFormat{}, LognormalFormat{}, ParetoFormat{}, PartFormat{}, LogFormat{}, ClockLogFormat{}, grid.Range{}, plotFormat{}} {
		rt := reflect.TypeOf(f)
		for i := range rt.NumField() {
			name, options, _ := strings.Cut(rt.Field(i).Tag.Get("yaml"), ",")
			keys = append(keys, name)
			if _, words, ok := strings.Cut(options, "oneof="); ok {
				keys = append(keys, strings.Split(words, "|")...)
			}
		}
	}
	for _, k := range keys {
		assert.Regexp(t, "(?m)(`"+regexp.QuoteMeta(k)+"`|\\b"+regexp.QuoteMeta(k)+":|: "+regexp.QuoteMeta(k)+"\\b|or "+regexp.QuoteMeta(k)+"$)", page, k)
	}
	require.Contains(t, page, fmt.Sprintf("At most %d points, and %d axes", grid.MaxPoints, grid.MaxPaths))
	require.Contains(t, page, fmt.Sprintf("most %d cases, each of at most %d changes", grid.MaxCases, grid.MaxChanges))
	require.Contains(t, page, fmt.Sprintf("at most %d characters", MaxFile))
}

// TestFaultTable: every key of a verb is one that errors, the schema and the reference list, and what a verb must
// have is one of its keys and has an example for the error.
func TestFaultTable(t *testing.T) {
	for i := range Verbs {
		v := &Verbs[i]
		require.Equal(t, sim.Action(i), v.Do, "as the engine lists them")
		require.NotEmpty(t, v.Subject.Form)
		for _, k := range v.Keys {
			require.Contains(t, KeyNames(FaultKeys), k.Name, v.Do)
			require.NotEmpty(t, k.About, k.Name)
		}
		if v.Needs != nil {
			require.Contains(t, v.Keys, v.Needs, v.Do)
			require.Contains(t, v.Needs.example, v.Needs.Name+": ", v.Do)
		}
		if v.Trigger {
			require.NotEmpty(t, TriggerNames(v.Keys), v.Do)
		}
	}
}
