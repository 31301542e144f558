// Package module writes a module to start a model of one's own from: a small lock with its test, scenarios and program, and beside them
// the sources of fencepost that it is built from.
package module

import (
	"bytes"
	"context"
	"embed"
	"errors"
	"fmt"
	"go/format"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"text/template"

	"fencepost/cmd/simctl/internal/files"
	"fencepost/cmd/simctl/internal/version"
)

//go:embed template
var templates embed.FS

// folder is where the sources of fencepost are in the module: the go command leaves out what begins with a dot.
const folder = ".fencepost"

// elsewhere are the files whose template has another name.
var elsewhere = map[string]string{"ci.yml": ".github/workflows/ci.yml", "gitignore": ".gitignore"}

var (
	valid      = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	modulePath = regexp.MustCompile(`(?m)^module (\S+)`)
	required   = regexp.MustCompile(`(?m)^\t(\S+ v\S+)`)
	goVersion  = regexp.MustCompile(`(?m)^go \S+`)
)

// names are what the templates name.
type names struct {
	Name      string // of the folder, the program and the model
	Module    string // path of the module
	Fencepost string // path of the module that the sources are of
	Version   string
}

// ErrName is why a folder is refused whose name a module cannot have.
var ErrName = errors.New("want a name of small letters, digits and hyphens that begins with a letter, such as mylock; lock and scenarios are folders in it")

// Write writes the module into a folder that is not there, or empty. If a part cannot be written, or it is interrupted, nothing stays.
func Write(ctx context.Context, dir string, sources fs.FS) error {
	full, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	name := filepath.Base(full)
	if here, err := os.Getwd(); err == nil && full == here {
		return errors.New("it is the folder that you are in: want another one, which is made")
	}
	if !valid.MatchString(name) || name == "lock" || name == "scenarios" { // the program would have the name of a folder
		return fmt.Errorf("the folder is called %q: %w", name, ErrName)
	}
	mod, err := fs.ReadFile(sources, "go.mod")
	if err != nil {
		return err
	}
	of := modulePath.FindSubmatch(mod)
	if of == nil {
		return errors.New("the go.mod of the sources names no module")
	}
	d, err := files.NewDir(dir)
	if err != nil {
		return err
	}
	defer d.Abandon()
	n := names{Name: name, Module: "example.com/" + name, Fencepost: string(of[1]), Version: version.This().Version}
	if err := errors.Join(n.start(d), n.requirements(d, mod, sources), unpack(ctx, d, sources)); err != nil {
		return err
	}
	return d.Finish()
}

// start writes the files of the templates.
func (n *names) start(d *files.Dir) error {
	return fs.WalkDir(templates, "template", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name := strings.TrimSuffix(strings.TrimPrefix(file, "template/"), ".tmpl")
		text, err := n.fill(file)
		if err != nil {
			return err
		}
		if other, ok := elsewhere[name]; ok {
			name = other
		}
		return write(d, name, text)
	})
}

// fill is what a template becomes.
func (n *names) fill(file string) ([]byte, error) {
	t, err := template.ParseFS(templates, file)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, n); err != nil || !strings.HasSuffix(file, ".go.tmpl") {
		return b.Bytes(), err
	}
	return format.Source(b.Bytes())
}

// requirements writes go.mod and go.sum. They name the versions of the sources, so that the go command looks up no module.
func (n *names) requirements(d *files.Dir, mod []byte, sources fs.FS) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "module %s\n\n%s\n\nrequire %s v0.0.0\n\nreplace %s => ./%s\n\nrequire (\n",
		n.Module, goVersion.Find(mod), n.Fencepost, n.Fencepost, folder)
	for _, r := range required.FindAllSubmatch(mod, -1) {
		fmt.Fprintf(&b, "\t%s // indirect\n", r[1])
	}
	b.WriteString(")\n")
	sum, err := fs.ReadFile(sources, "go.sum")
	if err != nil {
		return err
	}
	return errors.Join(write(d, "go.mod", b.Bytes()), write(d, "go.sum", sum))
}

// unpack writes the sources, unless it is interrupted.
func unpack(ctx context.Context, d *files.Dir, sources fs.FS) error {
	return fs.WalkDir(sources, ".", func(file string, entry fs.DirEntry, err error) error {
		if err = errors.Join(err, ctx.Err()); err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(sources, file)
		if err != nil {
			return err
		}
		return write(d, path.Join(folder, file), text)
	})
}

func write(d *files.Dir, name string, text []byte) error {
	return d.Write(name, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
