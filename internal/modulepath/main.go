// Command modulepath gives the module another path, in each import, module file and page:
//
//	go run ./internal/modulepath example.com/you/fencepost
//
// It is run once, from the root: for a fork, or when the module gets a public path. The modules
// below the root get a path below the new one. Names of formats, such as fencepost/run/v1, are no
// paths of packages and stay.
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go run ./internal/modulepath PATH")
		os.Exit(2)
	}
	changed, err := rename(".", os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "modulepath:", err)
		os.Exit(1)
	}
	fmt.Printf("%d files changed\n", changed)
}

var (
	modulePath = regexp.MustCompile(`(?m)^module (\S+)$`)
	valid      = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]*\.[a-z]+(/[A-Za-z0-9._~-]+)+$`)
	renamed    = []string{".go", ".md", ".mod", ".sh"} // kinds of files
	elsewhere  = []string{".git", "testdata"}          // folders that name no package of the module
)

// rename renames the module at root, and returns how many files it has changed.
func rename(root, to string) (changed int, err error) {
	if !valid.MatchString(to) {
		return 0, fmt.Errorf("%q is no module path: want one such as example.com/you/fencepost", to)
	}
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		return 0, err
	}
	found := modulePath.FindSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("go.mod has no line that begins with module")
	}
	folders, err := foldersOf(root)
	if err != nil {
		return 0, err
	}
	rules := rules(string(found[1]), to, folders)
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && slices.Contains(elsewhere, entry.Name()):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !slices.Contains(renamed, filepath.Ext(file)):
			return nil
		}
		done, err := rewrite(file, rules)
		if done {
			changed++
		}
		return err
	})
	return changed, err
}

// rule is what is replaced, and by what.
type rule struct {
	what *regexp.Regexp
	by   string
}

// foldersOf are the names of the folders at root, as alternatives of an expression: what follows the path of the
// module in an import is one of these, and in the name of a format it is none.
func foldersOf(root string) (string, error) {
	entries, err := os.ReadDir(root)
	var names []string
	for _, e := range entries {
		if e.IsDir() && !strings.HasPrefix(e.Name(), ".") {
			names = append(names, regexp.QuoteMeta(e.Name()))
		}
	}
	return strings.Join(names, "|"), err
}

// rules are those that give the module from the path to.
func rules(from, to, folders string) []rule {
	folders = `/(?:` + folders + `)\b`
	old := regexp.QuoteMeta(from)
	return []rule{
		{regexp.MustCompile(`(^|[^\w./-]|\\n)` + old + `(` + folders + `)`), "${1}" + to + "${2}"}, // an import, or a page that names a package
		{regexp.MustCompile(`(?m)^((?:module|require|replace|\t) ?)` + old + `( |$)`), "${1}" + to + "${2}"},
		{regexp.MustCompile(`(?m)^(\t"|import ")` + old + `("$)`), "${1}" + to + "${2}"}, // an import of the root
		{regexp.MustCompile(`(const module = "|Module: +"|go doc )` + old + `("|/)`), "${1}" + to + "${2}"},
	}
}

// rewrite applies the rules to a file, and reports whether anything has changed.
func rewrite(file string, rules []rule) (bool, error) {
	old, err := os.ReadFile(file)
	if err != nil {
		return false, err
	}
	text := old
	for _, r := range rules {
		text = r.what.ReplaceAll(text, []byte(r.by))
	}
	if bytes.Equal(old, text) {
		return false, nil
	}
	if strings.HasSuffix(file, ".go") { // imports are sorted by path
		if text, err = format.Source(text); err != nil {
			return false, fmt.Errorf("%s: %w", file, err)
		}
	}
	return true, os.WriteFile(file, text, 0o644)
}
