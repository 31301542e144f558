package docs_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deep are the folders of which CONTRIBUTING names each folder within.
var deep = []string{".", "sim", "models", "models/clock", "models/lock", "models/ratelimit", "models/idempotency", "models/kv", "models/internal",
	"scenarios", "reports", "cmd/simctl/internal", "internal"}

// TestLayoutIsTheTree: the folders that CONTRIBUTING names are there, and it names those that are.
func TestLayoutIsTheTree(t *testing.T) {
	root := os.DirFS("..")
	named := layout(t, root)
	for _, folder := range named {
		if info, err := fs.Stat(root, folder); err != nil || !info.IsDir() {
			t.Errorf("CONTRIBUTING.md names the folder %s, which is not there", folder)
		}
	}
	for _, parent := range deep {
		list, err := fs.ReadDir(root, parent)
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range list {
			folder := path.Join(parent, entry.Name())
			within := slices.ContainsFunc(named, func(n string) bool { return n == folder || strings.HasPrefix(n, folder+"/") })
			if entry.IsDir() && !strings.HasPrefix(entry.Name(), ".") && entry.Name() != "testdata" && !within {
				t.Errorf("the layout in CONTRIBUTING.md does not name the folder %s", folder)
			}
		}
	}
}

// layout are the folders of the tree in CONTRIBUTING, which is indented by two for each level.
func layout(t *testing.T, root fs.FS) (folders []string) {
	text, err := fs.ReadFile(root, "CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, tree, _ := strings.Cut(strings.ReplaceAll(string(text), "\r\n", "\n"), "## Layout\n")
	tree, _, _ = strings.Cut(tree, "\n## ")
	var parents []string
	for line := range strings.Lines(tree) {
		rest, indented := strings.CutPrefix(line, "    ")
		if !indented {
			continue
		}
		level := (len(rest) - len(strings.TrimLeft(rest, " "))) / 2
		parents = parents[:level]
		names, _, _ := strings.Cut(strings.TrimSpace(rest), "  ")
		parent := path.Join(parents...)
		for name := range strings.FieldsSeq(names) {
			if strings.HasSuffix(name, "/") {
				folders = append(folders, path.Join(parent, name))
				parents = append(parents[:level], strings.TrimSuffix(name, "/"))
			}
		}
	}
	return folders
}

// TestDocCommentsNameFilesThatAreThere: a file that the comment of a package names, without a folder, is one of it.
func TestDocCommentsNameFilesThatAreThere(t *testing.T) {
	named := 0
	for _, root := range []string{"sim", "models", "scenarios", "reports"} {
		err := filepath.WalkDir(filepath.Join("..", root), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.Name() != "doc.go" {
				return err
			}
			text, err := os.ReadFile(file)
			for _, name := range regexp.MustCompile(`[\w/]+\.go\b`).FindAllString(string(text), -1) {
				if !strings.Contains(name, "/") {
					assert.FileExists(t, filepath.Join(filepath.Dir(file), name), file)
					named++
				}
			}
			return err
		})
		require.NoError(t, err)
	}
	require.Greater(t, named, 50)
}
