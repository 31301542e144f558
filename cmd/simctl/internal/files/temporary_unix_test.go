//go:build unix

package files

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// Reliability F8: --out made its folder 0755 and its files 0644 whatever the umask.
func TestFilesAndFoldersHaveTheRightsOfTheUmask(t *testing.T) {
	root := t.TempDir()
	defer syscall.Umask(syscall.Umask(0o077))
	d, err := NewDir(filepath.Join(root, "made", "out"))
	require.NoError(t, err)
	require.NoError(t, d.Write("figures/a.svg", says("x")))
	require.NoError(t, d.Finish())
	require.NoError(t, Write(filepath.Join(root, "file"), says("x")))
	for path, want := range map[string]fs.FileMode{
		"made": 0o700, "made/out": 0o700, "made/out/figures": 0o700, "made/out/figures/a.svg": 0o600, "file": 0o600,
	} {
		info, err := os.Stat(filepath.Join(root, path))
		require.NoError(t, err)
		require.Equal(t, want, info.Mode().Perm(), path)
	}
}

// Reliability F7: what a killed process left beside DIR stayed there, also after a
// successful --resume.
func TestWhatAKilledProcessLeftIsTakenAway(t *testing.T) {
	gone := exec.Command(os.Args[0], "-test.run", "^$")
	require.NoError(t, gone.Run())
	for what, write := range map[string]func(path string) error{
		"file": func(path string) error { return Write(path, says("x")) },
		"new folder": func(path string) error {
			d, err := NewDir(path)
			if err != nil {
				return err
			}
			return d.Finish()
		},
		"folder that is resumed": func(path string) error {
			_, _, err := OpenDir(path, true)
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			root := t.TempDir()
			var stay []string
			leave := func(format string, pid int, stays bool) {
				name := fmt.Sprintf(format, pid)
				require.NoError(t, os.MkdirAll(filepath.Join(root, name, "inner"), 0o700))
				if stays {
					stay = append(stay, name)
				}
			}
			leave(".out."+host()+"-%d-3.partial", gone.ProcessState.Pid(), false)
			leave(".out."+host()+"-%d-3.partial", os.Getppid(), true)          // it still writes
			leave(".out.00c0ffee-%d-3.partial", gone.ProcessState.Pid(), true) // the process of another host may live
			leave(".other."+host()+"-%d-3.partial", gone.ProcessState.Pid(), true)
			leave(".out."+host()+"-%d.partial", gone.ProcessState.Pid(), true) // not a name of ours
			require.NoError(t, write(filepath.Join(root, "out")))
			for _, name := range stay {
				require.DirExists(t, filepath.Join(root, name))
			}
			hidden, err := filepath.Glob(filepath.Join(root, ".*"))
			require.NoError(t, err)
			require.Len(t, hidden, len(stay))
		})
	}
}
