package catalog

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
)

// own is the catalog of a program that has a model and nothing else.
var own = &Catalog{Models: fake.Models[:1]}

// TestSchemaOfModels: a program without a schema makes it of its models and their tags, and the keys of a file keep their meaning.
func TestSchemaOfModels(t *testing.T) {
	var all struct {
		Properties  map[string]struct{ Description string }
		Definitions map[string]json.RawMessage
		AllOf       []json.RawMessage
	}
	require.NoError(t, json.Unmarshal(own.Schema(), &all))
	require.Len(t, all.AllOf, 1)
	require.NotEmpty(t, all.Properties["until"].Description)
	dense := func(s string) string { return strings.NewReplacer("\n", "", " ", "").Replace(s) }
	require.Contains(t, dense(string(all.Definitions["model"])), `"const":"fake"`)
	params := dense(string(all.Definitions["fake.params"]))
	for _, want := range []string{`"description":"how many write: 2"`, `"ttl":{"description":"10s"`, `"enum":["calm","wild"]`} {
		require.Contains(t, params, dense(want))
	}
	s, err := own.LoadText("x", []byte(fake.Minimal+"params: {clients: 3}\n"), format.Options{})
	require.NoError(t, err)
	require.Equal(t, []Given{{Path: "clients", Value: "3", Meaning: "how many write: 2"}}, own.Meanings().GivenIn(s, "params"))
}

// TestNewOfAModelWithoutTemplate: the scenario is made of the parameters, and loads.
func TestNewOfAModelWithoutTemplate(t *testing.T) {
	text, err := own.New("fake")
	require.NoError(t, err)
	s, err := own.LoadText("x", text, format.Options{})
	require.NoError(t, err, string(text))
	assert.Equal(t, "on-time", s.Expect[0].Property)
	for _, line := range []string{"  clients: 2                         # how many write\n", "  ttl: 10s\n", "  # work:\n", "#   - pause: client-1 ", "\nexpect:  "} {
		assert.Contains(t, string(text), line)
	}
	_, err = own.New("lock")
	require.ErrorContains(t, err, `there is no model "lock": want one of fake`)
}

// TestCatalogOfModelsOnly: there is no scenario by name, and files load.
func TestCatalogOfModelsOnly(t *testing.T) {
	require.Empty(t, own.Names())
	_, err := own.Load("fake/x", format.Options{})
	require.EqualError(t, err, "fake/x: no scenario has this name, and no file this path")
	_, err = own.Load(fake.WriteFile(t, t.TempDir(), "a.yaml", fake.Minimal), format.Options{})
	require.NoError(t, err)
	_, ok := own.HeadlineOf("fake/x")
	require.False(t, ok)
	_, ok = own.Now("fake/x")
	require.False(t, ok)
}
