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

// Dir is a folder that appears when it is complete, or one that is there at once and
// in which each file appears when it is complete.
type Dir struct {
	path      string
	temporary string // "" for one that is there at once
	found     bool   // it was there before
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
	return &Dir{path: path, temporary: t}, nil
}

// ErrNotEmpty is why a folder is refused that has something in it.
var ErrNotEmpty = errors.New("is not empty, and nothing in it is overwritten")

func free(path string) error {
	entries, err := os.ReadDir(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil && isFile(path):
		return fmt.Errorf("%s is a file: want a folder", path)
	case err != nil:
		return err
	case len(entries) > 0:
		return fmt.Errorf("%s %w", path, ErrNotEmpty)
	}
	return nil
}

// OpenDir begins a folder that is there at once, for work whose parts are kept as they
// are done. It refuses a path where there is something already, unless that is to be
// gone on with; found says that there is.
func OpenDir(path string, goOn bool) (d *Dir, found bool, err error) {
	path = filepath.Clean(path)
	entries, err := os.ReadDir(path)
	if found = err == nil && len(entries) > 0; !found || !goOn {
		if err := free(path); err != nil {
			return nil, false, err
		}
		if err := os.MkdirAll(path, 0o755); err != nil {
			return nil, false, err
		}
	}
	return &Dir{path: path, found: err == nil}, found, Check(filepath.Join(path, "file"))
}

// Stays reports whether the folder is there at once.
func (d *Dir) Stays() bool { return d.temporary == "" }

// Path is where a file of a folder that is there at once is. Its own folder is made.
func (d *Dir) Path(name string) (string, error) {
	path := filepath.Join(d.path, filepath.FromSlash(name))
	return path, os.MkdirAll(filepath.Dir(path), 0o755)
}

// Remove takes away files of a folder that is there at once, if they are there.
func (d *Dir) Remove(names ...string) error {
	for _, name := range names {
		if err := os.Remove(filepath.Join(d.path, filepath.FromSlash(name))); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// Clear takes away all that is in a folder that is there at once, and the folder if it
// was not there before.
func (d *Dir) Clear() error {
	if !d.found {
		return os.RemoveAll(d.path)
	}
	entries, err := os.ReadDir(d.path)
	for _, e := range entries {
		err = errors.Join(err, os.RemoveAll(filepath.Join(d.path, e.Name())))
	}
	return err
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir()
}

// Write adds a file; its name may have folders in it.
func (d *Dir) Write(name string, fill func(io.Writer) error) error {
	if d.Stays() {
		path, err := d.Path(name)
		if err != nil {
			return err
		}
		return Write(path, fill)
	}
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

// Finish makes the folder appear, unless it is there.
func (d *Dir) Finish() error {
	if d.Stays() {
		return nil
	}
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
