package catalog

import (
	"io/fs"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"
)

func TestNameOrPath(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	files := &Catalog{Models: fake.Models, Scenarios: fake.Shelf(fake.Minimal + "about: embedded\n")}
	get := func(name string) string {
		s, err := files.Load(name, format.Options{})
		require.NoError(t, err, name)
		require.Equal(t, name, s.Name)
		return s.About
	}
	require.Equal(t, "embedded", get("fake/x"))
	fake.WriteFile(t, dir, "fake/x.yaml", fake.Minimal+"about: file\n")
	require.Equal(t, "embedded", get("fake/x"), "fake/x is no file")
	require.Equal(t, "file", get("fake/x.yaml"))
	require.Equal(t, "file", get(filepath.Join(dir, "fake", "x.yaml")))
	fake.WriteFile(t, dir, "fake/x", fake.Minimal+"about: bare\n")
	require.Equal(t, "bare", get("fake/x"))
	require.Equal(t, "bare", get("./fake/x"))
	fake.WriteFile(t, dir, "z.yml", fake.Minimal+"about: yml\n")
	require.Equal(t, "yml", get("z.yml"))
}

func TestUnknownName(t *testing.T) {
	files := &Catalog{Models: fake.Models, Scenarios: fake.Shelf(fake.Minimal)}
	for name, want := range map[string]string{
		"lock/naive-crush": `lock/naive-crush: no scenario has this name, and no file this path; did you mean "lock/naive-crash"?`,
		"naive-crsh":       `naive-crsh: no scenario has this name, and no file this path; did you mean "lock/naive-crash"?`,
		"crash":            `crash: no scenario has this name, and no file this path; did you mean "lock/naive-crash"?`,
		"fake/":            `fake/: it is a folder of scenarios: simctl list fake names them`,
		"lock":             `lock: it is a folder of scenarios: simctl list lock names them`,
		"lock/crash-naive": `lock/crash-naive: no scenario has this name, and no file this path; did you mean "lock/naive-crash"?`,
		"NaiveCrash":       `NaiveCrash: no scenario has this name, and no file this path; did you mean "lock/naive-crash"?`,
		"../x":             `../x: no scenario has this name, and no file this path; did you mean "fake/x"?`,
		"":                 `: no scenario has this name, and no file this path; want one of fake/x, fake/y, lock/naive-crash`,
	} {
		_, err := files.Load(name, format.Options{})
		require.EqualError(t, err, want)
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
}

// TestScalar: a value as YAML reads it, plain or in either kind of quotes.
func TestScalar(t *testing.T) {
	for value, want := range map[string]string{
		"plain: text\n": "plain: text", `"in \"quotes\""`: `in "quotes"`, "'it''s'": "it's", "'a \"b\"'": `a "b"`, "": "",
	} {
		assert.Equal(t, want, scalar(value), value)
	}
}
