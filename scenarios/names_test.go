package scenarios

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"

	"github.com/stretchr/testify/require"
)

// Of many names a few are in the message.
func TestUnknownNameOfMany(t *testing.T) {
	for name, want := range map[string]string{
		"zzz":              `zzz: no scenario has this name, and no file this path; see simctl list`,
		"lock/naive-crush": `lock/naive-crush: no scenario has this name, and no file this path; did you mean "lock/naive-crash"? See simctl list`,
	} {
		_, err := Load(name, format.Options{})
		require.EqualError(t, err, want)
	}
	_, err := Load("token", format.Options{})
	require.ErrorContains(t, err, `"limiter/token-bucket-`)
	require.Less(t, len(err.Error()), 300)
	for _, name := range []string{"-", "///", strings.Repeat("a", 10_000), "\x00", "a\nb", "***"} {
		_, err := Load(name, format.Options{})
		require.Error(t, err)
	}
}

func TestEmbedded(t *testing.T) {
	for _, name := range Names() {
		s := loaded(t, name)
		require.Equal(t, name, s.Name)
		text, err := Source(name)
		require.NoError(t, err)
		require.NotEmpty(t, text)
		if len(s.Control) > 0 {
			_, err = Load(name, format.Options{Control: true})
			require.NoError(t, err, name)
		}
		_, err = s.Program.NewWorld(s.Config)
		require.NoError(t, err, name)
	}
	_, err := Source("lock/no-such-scenario")
	require.ErrorIs(t, err, fs.ErrNotExist)
	path := fake.WriteFile(t, t.TempDir(), "a.yaml", "any: thing\n")
	text, err := Source(path)
	require.NoError(t, err)
	require.Equal(t, "any: thing\n", string(text))
}

func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	large := fake.WriteFile(t, dir, "large.yaml", fake.Minimal)
	require.NoError(t, os.Truncate(large, 100<<20))
	for path, want := range map[string]string{
		large:                                ": the file is too large: want at most 1024 KiB",
		fake.WriteFile(t, dir, "e.yaml", ""): `: the file is empty: want lines such as "key: value"`,
		fake.WriteFile(t, dir, "b.yaml", "\x7fELF\x00\x01"): `:1:1: control character '\x7f': want a text file`,
		fake.WriteFile(t, dir, "d.yaml/x", ""):              "",
		filepath.Join(dir, "d.yaml"):                        ": this is a directory: want a YAML file",
		dir:                                                 ": this is a directory: want a YAML file",
	} {
		if want == "" {
			continue
		}
		_, err := Load(path, format.Options{})
		require.Equal(t, []string{path + want}, fake.LinesOf(err))
	}
	_, err := Load(filepath.Join(dir, "no.yaml"), format.Options{})
	require.ErrorContains(t, err, "no.yaml: cannot read the file: ") // the rest is the operating system's
	require.ErrorIs(t, err, fs.ErrNotExist)
}

func TestModels(t *testing.T) {
	for _, m := range Models() {
		p := m.New()
		require.Empty(t, p.Validate(), m.Name)
		require.Equal(t, m.Name == "compare" || m.Name == "pbs", len(p.Program().Nodes) == 0, m.Name)
		require.NotEmpty(t, m.About)
		require.NotSame(t, p.Target(), m.New().Target())
	}
}
