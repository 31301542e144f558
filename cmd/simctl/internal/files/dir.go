package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

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
	path, err := followed(filepath.Clean(path))
	if err != nil {
		return nil, err
	}
	if err := free(path); err != nil {
		return nil, err
	}
	if err := makeFolders(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if err := writable(filepath.Dir(path)); err != nil {
		return nil, err
	}
	d := &Dir{path: path}
	err = newTemporary(filepath.Dir(path), filepath.Base(path), func(path string) error {
		d.temporary = path
		return os.Mkdir(path, 0o777)
	})
	if err != nil {
		return nil, err
	}
	return d, nil
}

// makeFolders makes a folder and those that it is in, where they are not there.
func makeFolders(path string) error {
	err := os.MkdirAll(path, 0o777)
	if p := (*fs.PathError)(nil); errors.As(err, &p) && errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("cannot write into %s: %w", filepath.Dir(p.Path), p.Err)
	}
	return err
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
	if path, err = followed(filepath.Clean(path)); err != nil {
		return nil, false, err
	}
	entries, err := os.ReadDir(path)
	if found = err == nil && len(entries) > 0; !found || !goOn {
		if err := free(path); err != nil {
			return nil, false, err
		}
		if err := makeFolders(path); err != nil {
			return nil, false, err
		}
	}
	sweep(filepath.Dir(path), filepath.Base(path))
	return &Dir{path: path, found: err == nil}, found, writable(path)
}

// Stays reports whether the folder is there at once.
func (d *Dir) Stays() bool { return d.temporary == "" }

// Path is where a file of a folder that is there at once is. Its own folder is made. A
// folder in it that is a symbolic link is refused: it leads to wherever it was made to lead.
func (d *Dir) Path(name string) (string, error) {
	file := filepath.Join(d.path, filepath.FromSlash(name))
	for inner := path.Dir(name); inner != "."; inner = path.Dir(inner) {
		folder := filepath.Join(d.path, filepath.FromSlash(inner))
		if info, err := os.Lstat(folder); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return "", fmt.Errorf("%s is a symbolic link: want a folder of its own", folder)
		}
	}
	return file, os.MkdirAll(filepath.Dir(file), 0o777)
}

// Replaceable refuses the name of a file of a folder that is there at once, if a folder
// has it.
func (d *Dir) Replaceable(name string) error {
	path, err := d.Path(name)
	if err != nil {
		return err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: want it out of the way, as a file is written there", path)
	}
	return nil
}

// Remove takes away files of a folder that is there at once, if they are there.
func (d *Dir) Remove(names ...string) error {
	for _, name := range names {
		path, err := d.Path(name)
		if err != nil {
			return err
		}
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
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

// Write adds a file; its name may have folders in it. In a folder that is there at once
// it takes the place of whatever has its name.
func (d *Dir) Write(name string, fill func(io.Writer) error) error {
	if d.Stays() {
		path, err := d.Path(name)
		if err != nil {
			return err
		}
		return replace(path, fill)
	}
	path := filepath.Join(d.temporary, filepath.FromSlash(name))
	if err := makeFolders(filepath.Dir(path)); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	return kept(f, fill)
}

// Finish makes the folder appear, unless it is there.
func (d *Dir) Finish() error {
	if d.Stays() {
		return nil
	}
	if err := free(d.path); err != nil {
		return err
	}
	settle(d.temporary)
	if err := os.Remove(d.path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Rename(d.temporary, d.path); err != nil {
		return err
	}
	d.temporary = ""
	settle(filepath.Dir(d.path))
	return nil
}

// Abandon takes away what has been written, unless the folder is finished.
func (d *Dir) Abandon() {
	if d != nil && d.temporary != "" {
		_ = os.RemoveAll(d.temporary)
	}
}
