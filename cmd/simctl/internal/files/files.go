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
	if path, err = followed(path); err != nil {
		return err
	}
	return replace(path, fill)
}

// followed is where a symbolic link leads to; any other path is itself.
func followed(path string) (string, error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return path, nil
	}
	to, err := filepath.EvalSymlinks(path)
	if errors.Is(err, fs.ErrNotExist) {
		text, _ := os.Readlink(path)
		return "", fmt.Errorf("%s is a symbolic link to %s, and there is nothing", path, text)
	}
	return to, err
}

// replace makes or replaces a file, whatever there is: of a symbolic link the link, and
// not what it leads to.
func replace(path string, fill func(io.Writer) error) (err error) {
	f, err := createTemporary(filepath.Dir(path), filepath.Base(path))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
		}
	}()
	if err := kept(f, fill); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	settle(filepath.Dir(path))
	return nil
}

// special reports whether there is something that is neither a file nor a folder.
func special(path string) bool {
	info, err := os.Stat(path)
	return err == nil && !info.IsDir() && !info.Mode().IsRegular()
}

// Free says why a file could not be written, before the work for it is done; what is there already is replaced only
// by force. A device or a pipe is written to, and so is always free.
func Free(path string, force bool) error {
	info, err := os.Lstat(path)
	switch {
	case err == nil && !force && !info.IsDir() && !special(path):
		return fmt.Errorf("%s is there already, and is not replaced without --force", path)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	return Check(path)
}

// Check says why a file could not be written, before the work for it is done.
func Check(path string) error {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return fmt.Errorf("%s is a folder: want a file", path)
	}
	if special(path) {
		return nil
	}
	path, err := followed(path)
	if err != nil {
		return err
	}
	return writable(filepath.Dir(path))
}

// writable says why no file could be made in a folder.
func writable(folder string) error {
	switch info, err := os.Stat(folder); {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no folder %s", folder)
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is not a folder", folder)
	}
	f, err := createTemporary(folder, "fencepost")
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("cannot write into %s: %w", folder, p.Err)
	}
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// kept is filled, and what it wrote survives a power cut.
func kept(f *os.File, fill func(io.Writer) error) error {
	return filled(f, func(w io.Writer) error {
		if err := fill(w); err != nil {
			return err
		}
		if err := w.(*bufio.Writer).Flush(); err != nil {
			return err
		}
		return f.Sync()
	})
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
