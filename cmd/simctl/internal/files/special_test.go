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
