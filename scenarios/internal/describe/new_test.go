package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// commented is a line of a template that is a comment, and would be a part of the file
// without its #.
var commented = regexp.MustCompile(`(?m)^( *)# ( *(?:- )?[a-z0-9.-]+:(?: .*)?)$`)

// TestNew: each model has a scenario to start from. It is of that model, and stays a
// scenario when all that stands there as a comment is taken in. That it runs, and as it
// says, is a test of simctl.
func TestNew(t *testing.T) {
	v := newValidator(t, scenarios.Catalog().Schema())
	log, err := os.ReadFile("../../redlock/logs/chrony-step.log")
	require.NoError(t, err)
	for _, m := range scenarios.Models() {
		text, err := scenarios.Catalog().New(m.Name)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(string(text), "# yaml-language-server: $schema=scenario.schema.json\n"), m.Name)
		dir := t.TempDir()
		fake.WriteFile(t, dir, "tracking.log", string(log))
		body := string(text)[strings.Index(string(text), "about:"):]
		for _, text := range []string{body, commented.ReplaceAllString(body, "$1$2")} {
			s, err := scenarios.Load(fake.WriteFile(t, dir, "my.yaml", text), format.Options{})
			require.NoError(t, err, "%s\n%s", m.Name, text)
			assert.Equal(t, m.Name, s.Model)
			assert.NotEmpty(t, s.Expect, m.Name)
			assert.Empty(t, v.check(asJSON(t, text)), m.Name)
			_, err = s.Program.NewWorld(s.Config)
			require.NoError(t, err, m.Name)
		}
	}
}

// TestNewOfNoModel: a name that is no model, or a path, is refused with those there are.
func TestNewOfNoModel(t *testing.T) {
	for model, want := range map[string]string{
		"lokc":                   `there is no model "lokc"; did you mean "lock"?`,
		"../../lock/naive-crash": `there is no model "../../lock/naive-crash": want one of lock, ratelimit, `,
		"":                       `there is no model "": want one of lock, ratelimit, `,
	} {
		_, err := scenarios.Catalog().New(model)
		assert.ErrorContains(t, err, want)
	}
}
