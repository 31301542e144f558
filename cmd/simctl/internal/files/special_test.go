//go:build unix

package files

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestWriteKeepsWhatIsThere: a rename over a device would put a file in its place, for
// all who use it.
func TestWriteKeepsWhatIsThere(t *testing.T) {
	t.Run("pipe", func(t *testing.T) {
		pipe := filepath.Join(t.TempDir(), "pipe")
		require.NoError(t, syscall.Mkfifo(pipe, 0o600))
		end, err := os.OpenFile(pipe, os.O_RDWR, 0) // so that nobody waits for a reader
		require.NoError(t, err)
		defer end.Close()
		require.NoError(t, Check(pipe))
		require.NoError(t, Write(pipe, says("text")))
		got := make([]byte, 8)
		n, err := end.Read(got)
		require.NoError(t, err)
		assert.Equal(t, "text", string(got[:n]))
		assert.Equal(t, []string{"pipe"}, entries(t, filepath.Dir(pipe)))
	})
	t.Run("link", func(t *testing.T) {
		dir := t.TempDir()
		file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
		require.NoError(t, os.WriteFile(file, []byte("before"), 0o600))
		require.NoError(t, os.Symlink("file", link))
		require.NoError(t, Write(link, says("after")))
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		assert.Equal(t, "after", string(data))
		to, err := os.Readlink(link)
		require.NoError(t, err)
		assert.Equal(t, "file", to)
	})
}

// TestDirFollowsNoLink: a link in a folder that is resumed says
// which other file is to be written over, or taken away.
func TestDirFollowsNoLink(t *testing.T) {
	for _, root := range []string{".", "results", "link"} {
		t.Run(root, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			require.NoError(t, os.Mkdir("home", 0o755))
			theirs := filepath.Join(dir, "home", "theirs")
			require.NoError(t, os.WriteFile(theirs, []byte("theirs"), 0o600))
			require.NoError(t, os.MkdirAll("results", 0o755))
			if root == "link" {
				require.NoError(t, os.Symlink("results", "link"))
			}
			require.NoError(t, os.Symlink(theirs, filepath.Join(root, "report.json")))
			require.NoError(t, os.Symlink("missing", filepath.Join(root, "report.txt")))
			require.NoError(t, os.Symlink(filepath.Dir(theirs), filepath.Join(root, "sub")))
			require.NoError(t, syscall.Mkfifo(filepath.Join(root, "pipe"), 0o600))

			d, found, err := OpenDir(root, true)
			require.NoError(t, err)
			require.True(t, found)
			for _, name := range []string{"report.json", "report.txt", "pipe"} {
				require.NoError(t, d.Write(name, says("ours")))
				info, err := os.Lstat(filepath.Join(root, name))
				require.NoError(t, err)
				require.True(t, info.Mode().IsRegular(), name)
			}
			require.NoFileExists(t, filepath.Join(root, "missing"))
			require.ErrorContains(t, d.Write("sub/theirs", says("ours")), "is a symbolic link")
			require.ErrorContains(t, d.Write("sub/deep/theirs", says("ours")), "is a symbolic link")
			require.ErrorContains(t, d.Remove("sub/theirs"), "is a symbolic link")
			data, err := os.ReadFile(theirs)
			require.NoError(t, err)
			require.Equal(t, "theirs", string(data))
			require.Equal(t, []string{"theirs"}, entries(t, filepath.Dir(theirs)))
		})
	}
}

// TestLinksToNowhere: what a link promises is not there, and is not made.
func TestLinksToNowhere(t *testing.T) {
	dir := t.TempDir()
	link, folder := filepath.Join(dir, "link"), filepath.Join(dir, "folder")
	require.NoError(t, os.Symlink("nowhere", link))
	want := link + " is a symbolic link to nowhere, and there is nothing"
	_, err := NewDir(link)
	assert.EqualError(t, err, want)
	_, _, err = OpenDir(link, true)
	assert.EqualError(t, err, want)
	assert.EqualError(t, Check(link), want)
	assert.EqualError(t, Write(link, says("text")), want)
	assert.Equal(t, []string{"link"}, entries(t, dir))

	require.NoError(t, os.Remove(link))
	require.NoError(t, os.Symlink("folder", link))
	require.NoError(t, os.Mkdir(folder, 0o755))
	d, err := NewDir(link)
	require.NoError(t, err)
	require.NoError(t, d.Write("a.txt", says("a")))
	require.NoError(t, d.Finish())
	to, err := os.Readlink(link)
	require.NoError(t, err)
	assert.Equal(t, "folder", to, "a link to an empty folder stays one")
	assert.FileExists(t, filepath.Join(folder, "a.txt"))
}
