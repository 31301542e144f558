package scenarios

import (
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/scenarios/format"
)

// loads are the scenarios that are loaded: each once, whatever number of tests is about it.
var loads sync.Map // by name: func() (*format.Scenario, error)

// loaded is a scenario, which no test changes.
func loaded(t *testing.T, name string) *format.Scenario {
	t.Helper()
	once, _ := loads.LoadOrStore(name, sync.OnceValues(func() (*format.Scenario, error) { return Load(name, format.Options{}) }))
	s, err := once.(func() (*format.Scenario, error))()
	require.NoError(t, err, name)
	return s
}

// T2: no shipped scenario expects what cannot fail, or says what will not be read.
func TestNoVacuousExpectationShips(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		require.Empty(t, s.Notes, name)
	}
}

// TestWordsOfModels: the schema has the kinds, notes and properties of a model's default
// parameters, and takes these for all that it ever has.
func TestWordsOfModels(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		i := slices.IndexFunc(Models(), func(m format.Model) bool { return m.Name == s.Model })
		p := Models()[i].New().Program()
		for _, one := range append([]format.Variant{{Scenario: s}}, s.Variants...) {
			q := &one.Scenario.Program
			require.Equal(t, p.Kinds, q.Kinds, name)
			require.Equal(t, p.Notes, q.Notes, name)
			require.Equal(t, p.Properties, q.Properties, name)
		}
	}
}
