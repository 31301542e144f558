package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func says(text string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}
}

func breaks(w io.Writer) error {
	_, _ = io.WriteString(w, "half")
	return errors.New("broken")
}

func entries(t *testing.T, dir string) (names []string) {
	list, err := os.ReadDir(dir)
	require.NoError(t, err)
	for _, e := range list {
		names = append(names, e.Name())
	}
	return names
}

func TestWriteIsWholeOrNot(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.txt")
	require.EqualError(t, Write(file, breaks), "broken")
	require.Empty(t, entries(t, dir))
	require.NoError(t, Write(file, says("one")))
	require.NoError(t, Write(file, says("two")))
	require.Error(t, Write(file, breaks))
	data, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, "two", string(data))
	require.Equal(t, []string{"a.txt"}, entries(t, dir))
}

func TestDirAppearsWhenFinished(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results")
	d, err := NewDir(path)
	require.NoError(t, err)
	require.NoError(t, d.Write("x/a.txt", says("a")))
	require.NoDirExists(t, path)
	require.NoError(t, d.Finish())
	d.Abandon()
	require.FileExists(t, filepath.Join(path, "x", "a.txt"))
	require.Equal(t, []string{"results"}, entries(t, dir))

	_, err = NewDir(path)
	require.ErrorContains(t, err, "is not empty")
	_, err = NewDir(filepath.Join(path, "x", "a.txt"))
	require.Error(t, err)
}

func TestDirIsNotOverwritten(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "results")
	d, err := NewDir(path)
	require.NoError(t, err)
	require.NoError(t, d.Write("a.txt", says("a")))
	require.Error(t, d.Write("a.txt", says("b")))
	require.NoError(t, os.Mkdir(path, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(path, "theirs"), nil, 0o644))
	require.ErrorContains(t, d.Finish(), "is not empty")
	d.Abandon()
	require.Equal(t, []string{"results"}, entries(t, dir))
	require.Equal(t, []string{"theirs"}, entries(t, path))
}

// TestOpenDir: the folder is there at once, and its files are whole.
func TestOpenDir(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a", "b")
	d, found, err := OpenDir(path, false)
	require.NoError(t, err)
	require.False(t, found)
	require.DirExists(t, path)
	require.True(t, d.Stays())
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "hello"); return err }
	require.NoError(t, d.Write("c/d.txt", hello))
	require.NoError(t, d.Write("c/d.txt", hello), "a file of before is replaced")
	require.Error(t, d.Write("e.txt", func(io.Writer) error { return errors.New("no") }))
	require.NoFileExists(t, filepath.Join(path, "e.txt"))
	require.NoError(t, d.Remove("x", "c/y"))
	require.NoError(t, d.Finish())
	d.Abandon()
	require.FileExists(t, filepath.Join(path, "c", "d.txt"))

	_, _, err = OpenDir(path, false)
	require.ErrorIs(t, err, ErrNotEmpty)
	d, found, err = OpenDir(path, true)
	require.NoError(t, err)
	require.True(t, found)
	require.NoError(t, d.Remove("c/d.txt"))
	require.NoFileExists(t, filepath.Join(path, "c", "d.txt"))
	require.NoError(t, d.Clear())
	require.DirExists(t, path, "it was there before")
	d, found, err = OpenDir(path, true)
	require.NoError(t, err)
	require.False(t, found, "there is nothing in it")
	require.NoError(t, d.Clear())
	d, _, err = OpenDir(filepath.Join(path, "new"), true)
	require.NoError(t, err)
	require.NoError(t, d.Clear())
	require.NoDirExists(t, filepath.Join(path, "new"))
	require.NoError(t, os.WriteFile(filepath.Join(path, "file"), nil, 0o644))
	_, _, err = OpenDir(filepath.Join(path, "file"), true)
	require.Error(t, err)
}
