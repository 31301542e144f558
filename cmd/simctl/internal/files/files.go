// Package files writes files that are either complete or not there.
package files

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Write makes or replaces a file with what fill writes. If fill fails, what was
// there stays. A symbolic link stays one, and a device or a pipe is written to.
func Write(path string, fill func(io.Writer) error) (err error) {
	if special(path) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		return filled(f, fill)
	}
	if to, err := filepath.EvalSymlinks(path); err == nil {
		path = to
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err := filled(f, fill); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// special reports whether there is something that is neither a file nor a folder.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// Check says why a file could not be written, before the work for it is done.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: want a file", path)
	}
	if special(path) {
		return nil
	}
	folder := filepath.Dir(path)
	switch info, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", folder)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", folder)
	}
	f, err := os.CreateTemp(folder, ".fencepost.*")
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("cannot write into %s: %w", folder, p.Err)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// filled writes a file and closes it.
func filled(f *os.File, fill func(io.Writer) error) error {
	b := bufio.NewWriter(f)
	err := fill(b)
	if err == nil {
		err = b.Flush() // after a failure it would say the same again
	}
	return errors.Join(err, f.Close())
}

// Dir is a folder that appears when it is complete.
type Dir struct {
	path, temporary string
}

// NewDir begins a folder. It refuses a path where there is something already, other
// than an empty folder.
func NewDir(path string) (*Dir, error) {
	path = filepath.Clean(path)
	if err := free(path); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, err
	}
	t, err := os.MkdirTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	return &Dir{path, t}, nil
}

func free(path string) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty, and nothing in it is overwritten", path)
	}
	return nil
}

// Write adds a file; its name may have folders in it.
func (d *Dir) Write(name string, fill func(io.Writer) error) error {
	path := filepath.Join(d.temporary, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return filled(f, fill)
}

// Finish makes the folder appear.
func (d *Dir) Finish() error {
	if err := os.Chmod(d.temporary, 0o755); err != nil {
		return err
	}
	if err := free(d.path); err != nil {
		return err
	}
	if err := os.Remove(d.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(d.temporary, d.path); err != nil {
		return err
	}
	d.temporary = ""
	return nil
}

// Abandon takes away what has been written, unless the folder is finished.
func (d *Dir) Abandon() {
	if d != nil && d.temporary != "" {
		_ = os.RemoveAll(d.temporary)
	}
}
