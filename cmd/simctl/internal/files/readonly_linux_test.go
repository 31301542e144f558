package files

import (
	"os"
	"path/filepath"
	"runtime"
	"syscall"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestReadOnlyFolder asks as nobody, whom a folder's mode binds even where the tests run
// as root. That goes for the thread alone.
func TestReadOnlyFolder(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.Chmod(filepath.Dir(dir), 0o755)) // so that nobody can look into it
	folder := filepath.Join(dir, "ro")
	require.NoError(t, os.Mkdir(folder, 0o555))
	t.Chdir(dir)
	if os.Getuid() == 0 {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		require.NoError(t, syscall.Setfsuid(65534))
		defer func() { require.NoError(t, syscall.Setfsuid(0)) }()
	}
	_, err := NewDir("ro/results")
	require.EqualError(t, err, "cannot write into ro: permission denied")
	_, err = NewDir("ro/new/results")
	require.EqualError(t, err, "cannot write into ro: permission denied")
	_, _, err = OpenDir("ro/results", true)
	require.EqualError(t, err, "cannot write into ro: permission denied")
	require.EqualError(t, Check("ro/figure.svg"), "cannot write into ro: permission denied")
	assert.Empty(t, entries(t, "ro"))
}
