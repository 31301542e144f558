// Command sources writes sources.go, the list of what simctl new model unpacks, as go generate calls it in the root: the sources of
// the packages that a model of one's own, its tests and its program are built from.
package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// roots are the packages that a model imports; what they are built from comes with them.
var roots = []string{"./cmd/messages", "./cmd/simctl/cli", "./sim/simtest", "./sim/model/modeltest"}

func main() {
	text, err := sources(".")
	if err == nil {
		err = os.WriteFile("sources.go", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "sources:", err)
		os.Exit(1)
	}
}

const head = `// Package fencepost has the sources that simctl new model unpacks.
package fencepost

import "embed"

//go:generate go run ./internal/sources

// Sources is the module without what only its own tests and scenarios need. A pattern leaves out what ends in t.go, as tests do;
// other files that end so have a pattern of their own.
//
`

// sources is the text of sources.go for the module at root.
func sources(root string) ([]byte, error) {
	b := bytes.NewBufferString(head)
	fmt.Fprintln(b, "//go:embed go.mod go.sum LICENSE")
	packages, err := list(root)
	if err != nil {
		return nil, err
	}
	for _, p := range packages {
		dir, embedded, _ := strings.Cut(p, " ")
		patterns, err := patternsOf(root, dir)
		if err != nil {
			return nil, err
		}
		for _, file := range strings.Fields(embedded) {
			patterns = append(patterns, path.Join(dir, file))
		}
		fmt.Fprintln(b, "//go:embed", strings.Join(patterns, " "))
	}
	fmt.Fprintln(b, "var Sources embed.FS")
	return b.Bytes(), nil
}

// list lists the folders of the packages, each with the patterns of the files that it embeds.
func list(root string) ([]string, error) {
	const format = `{{if not .Standard}}{{if .Module.Main}}{{.ImportPath}}{{range .EmbedPatterns}} {{.}}{{end}}{{end}}{{end}}`
	cmd := exec.Command("go", append([]string{"list", "-deps", "-f", format}, roots...)...)
	cmd.Dir = root
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var packages []string
	for line := range strings.Lines(string(text)) {
		if _, dir, ok := strings.Cut(strings.TrimSpace(line), "/"); ok { // behind the name of the module
			packages = append(packages, dir)
		}
	}
	slices.Sort(packages)
	return packages, nil
}

// patternsOf match the Go files of a folder, for all systems, without tests.
func patternsOf(root, dir string) (patterns []string, err error) {
	files, err := filepath.Glob(filepath.Join(root, dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		name := filepath.Base(file)
		switch all := path.Join(dir, "*[^t].go"); {
		case strings.HasSuffix(name, "_test.go"):
		case strings.HasSuffix(name, "t.go"):
			patterns = append(patterns, path.Join(dir, name))
		case !slices.Contains(patterns, all):
			patterns = append(patterns, all)
		}
	}
	return patterns, nil
}
