package catalog

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"fencepost/internal/program"
	"fencepost/internal/text"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/strict"
)

// Names lists the built-in scenarios, such as "lock/naive-crash", in alphabetical
// order.
func (c *Catalog) Names() []string {
	files, err := fs.Glob(c.files(), "*/*"+format.Suffix)
	if err != nil {
		panic(err) // the pattern is wrong
	}
	for i := range files {
		files[i] = strings.TrimSuffix(files[i], format.Suffix)
	}
	slices.Sort(files)
	return files
}

// Source returns the text of a scenario, as it is; the rules for its name are
// those of [Catalog.Load].
func (c *Catalog) Source(name string) ([]byte, error) {
	if isPath(name) {
		return os.ReadFile(name)
	}
	data, err := fs.ReadFile(c.files(), c.current(name)+format.Suffix)
	if err != nil {
		return nil, unknown(name, c.Names(), err)
	}
	return data, nil
}

// isPath reports whether a scenario is asked for by its path and not by its name.
func isPath(nameOrPath string) bool {
	if strings.HasSuffix(nameOrPath, format.Suffix) || strings.HasSuffix(nameOrPath, ".yml") {
		return true
	}
	if !strings.ContainsAny(nameOrPath, "/"+string(filepath.Separator)) {
		return false
	}
	_, err := os.Stat(nameOrPath)
	return err == nil
}

// find returns the scenario of a name or path, and where the files that it names
// are looked up. An error is an [*format.Invalid].
func (c *Catalog) find(nameOrPath string) (*strict.Doc, format.Folder, error) {
	var doc *strict.Doc
	var where format.Folder
	var err error
	if isPath(nameOrPath) {
		where = format.Folder{Dir: filepath.Dir(nameOrPath), Shipped: c.files()}
		doc, err = strict.ReadFile(nameOrPath)
	} else {
		where = format.Folder{FS: c.files(), Dir: path.Dir(nameOrPath), Shipped: c.files()}
		data, missing := fs.ReadFile(c.files(), nameOrPath+format.Suffix)
		if missing != nil {
			return nil, where, unknown(nameOrPath, c.Names(), missing)
		}
		doc, err = strict.Parse(nameOrPath+format.Suffix, data)
	}
	return doc, where, format.InvalidOf(err)
}

// unknown is the error for a name that no scenario has.
func unknown(name string, names []string, cause error) error {
	if !errors.Is(cause, fs.ErrNotExist) {
		cause = fs.ErrNotExist // the name is not even one that a file could have
	}
	p := format.Problem{File: name, Text: name, Message: "no scenario has this name, and no file this path"}
	near := nearest(name, names)
	switch folder := strings.TrimSuffix(name, "/"); {
	case slices.ContainsFunc(names, func(n string) bool { return path.Dir(n) == folder }):
		p.Message = "it is a folder of scenarios: " + program.Name() + " list " + folder + " names them"
		return &format.Invalid{Problems: []format.Problem{p}, Cause: cause}
	case len(near) > 0:
		p.Nearest = near[0]
		p.Message += `; did you mean "` + strings.Join(near, `" or "`) + `"?`
	case len(names) > 0 && len(names) <= fewNames:
		p.Message += "; want one of " + strings.Join(names, ", ")
	}
	if len(names) > fewNames {
		p.Message += "; see " + program.Name() + " list"
		p.Message = strings.Replace(p.Message, "?; see", "? See", 1)
	}
	return &format.Invalid{Problems: []format.Problem{p}, Cause: cause}
}

// fewNames is how many names a message has at most.
const fewNames = 5

// nearest lists at most a few names: the one most like the name that was asked for, the
// one of which the last part is most like its last part, those that it is a part of, and
// those that have all of its words.
func nearest(name string, names []string) []string {
	lasts := make([]string, len(names))
	for i, n := range names {
		lasts[i] = path.Base(n)
	}
	var near []string
	add := func(n string) {
		if n != "" && !slices.Contains(near, n) && len(near) < fewNames {
			near = append(near, n)
		}
	}
	add(text.Nearest(name, names))
	if last := text.Nearest(path.Base(name), lasts); last != "" {
		add(names[slices.Index(lasts, last)])
	}
	if len(name) < 3 {
		return near
	}
	words := strings.FieldsFunc(strings.ToLower(name), apart)
	for i, n := range names {
		if strings.Contains(joined(lasts[i]), strings.Join(words, "")) {
			add(n)
		}
	}
	for _, n := range names {
		if len(words) > 1 && hasAll(n, words) {
			add(n)
		}
	}
	return near
}

// hasAll reports whether each of some words begins one of a name's.
func hasAll(name string, words []string) bool {
	of := strings.FieldsFunc(name, apart)
	return !slices.ContainsFunc(words, func(w string) bool {
		return !slices.ContainsFunc(of, func(o string) bool { return strings.HasPrefix(o, w) })
	})
}

// apart reports whether a character stands between words.
func apart(r rune) bool { return strings.ContainsRune("/-_. \\", r) }

// joined is a name without what stands between its words.
func joined(name string) string { return strings.Join(strings.FieldsFunc(name, apart), "") }
