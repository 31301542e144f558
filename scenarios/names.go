package scenarios

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fencepost/scenarios/internal/strict"
)

// embedded holds a folder for each model: its scenarios, and the logs that they name.
//
//go:embed */*.yaml */gc/*.log */logs/*.log
var embedded embed.FS

const suffix = ".yaml"

// Names lists the embedded scenarios, such as "lock/naive-crash", in alphabetical
// order.
func Names() []string { return namesIn(embedded) }

func namesIn(fsys fs.FS) []string {
	files, err := fs.Glob(fsys, "*/*"+suffix)
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for i := range files {
		files[i] = strings.TrimSuffix(files[i], suffix)
	}
	slices.Sort(files)
	return files
}

// Source returns the text of a scenario, as it is; the rules for its name are
// those of [Load].
func Source(name string) ([]byte, error) {
	if isPath(name) {
		return os.ReadFile(name)
	}
	data, err := fs.ReadFile(embedded, name+suffix)
	if err != nil {
		return nil, unknown(name, Names(), err)
	}
	return data, nil
}

// isPath reports whether a scenario is asked for by its path and not by its name.
func isPath(nameOrPath string) bool {
	if strings.HasSuffix(nameOrPath, suffix) || strings.HasSuffix(nameOrPath, ".yml") {
		return true
	}
	if !strings.ContainsAny(nameOrPath, "/"+string(filepath.Separator)) {
		return false
	}
	_, err := os.Stat(nameOrPath)
	return err == nil
}

// find returns the scenario of a name or path, and where the files that it names
// are looked up. An error is an [*Invalid].
func find(nameOrPath string, fsys fs.FS) (*strict.Doc, folder, error) {
	var doc *strict.Doc
	var where folder
	var err error
	if isPath(nameOrPath) {
		where = folder{dir: filepath.Dir(nameOrPath)}
		doc, err = strict.ReadFile(nameOrPath)
	} else {
		where = folder{fsys: fsys, dir: path.Dir(nameOrPath)}
		data, missing := fs.ReadFile(fsys, nameOrPath+suffix)
		if missing != nil {
			return nil, where, unknown(nameOrPath, namesIn(fsys), missing)
		}
		doc, err = strict.Parse(nameOrPath+suffix, data)
	}
	var found findings
	found.add(err, nil)
	return doc, where, found.err()
}

// unknown is the error for a name that no scenario has.
func unknown(name string, names []string, cause error) error {
	if !errors.Is(cause, fs.ErrNotExist) {
		cause = fs.ErrNotExist // the name is not even one that a file could have
	}
	p := Problem{File: name, Text: name, Message: "no scenario has this name, and no file this path"}
	near := nearest(name, names)
	switch {
	case len(near) > 0:
		p.Nearest = near[0]
		p.Message += `; did you mean "` + strings.Join(near, `" or "`) + `"?`
	case len(names) > 0:
		p.Message += "; want one of " + strings.Join(names, ", ")
	}
	return &Invalid{Problems: []Problem{p}, cause: cause}
}

// nearest lists at most five names: the one most like the name that was asked for,
// the one of which the last part is most like its last part, and those that it is
// a part of.
func nearest(name string, names []string) []string {
	lasts := make([]string, len(names))
	for i, n := range names {
		lasts[i] = path.Base(n)
	}
	var near []string
	add := func(n string) {
		if n != "" && !slices.Contains(near, n) && len(near) < 5 {
			near = append(near, n)
		}
	}
	add(strict.Nearest(name, names))
	if last := strict.Nearest(path.Base(name), lasts); last != "" {
		add(names[slices.Index(lasts, last)])
	}
	for _, n := range names {
		if len(name) >= 3 && strings.Contains(n, strings.ToLower(name)) {
			add(n)
		}
	}
	return near
}
