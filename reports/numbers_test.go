package reports

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blankInNumber is a number of more than three digits in groups with blanks, or a blank
// before a percent sign. Between columns are two blanks.
var blankInNumber = regexp.MustCompile(`(?m)(^|[^\w.,:/=*#-])\d{1,3}( \d{3})+($|[^\w.])|\d %($|[^\w(])`)

// tags are the markup of SVG, whose paths have blanks between numbers.
var tags = regexp.MustCompile(`<[^>]*>`)

// TestNoBlankInNumbers is T7: awk and grep see a number as one field, in what the program
// prints and in what a person reads. A service's answer after a node's name or the number of a
// call is another number: "client-2 504", "response #1 201".
func TestNoBlankInNumbers(t *testing.T) {
	seen := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && d.Name() != ".." {
			return fs.SkipDir
		}
		golden, kind := strings.Contains(filepath.ToSlash(path), "/testdata/"), filepath.Ext(path)
		switch kind {
		case ".md", ".yaml", ".svg":
		case ".txt", ".json", ".xml":
			if !golden && !strings.HasSuffix(path, ".replay.json") {
				return nil
			}
		default:
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		seen++
		text := string(data)
		if kind == ".svg" {
			text = tags.ReplaceAllString(text, "\n")
		}
		for _, found := range blankInNumber.FindAllString(text, 3) {
			assert.Fail(t, "a blank inside a number", "%s: %q", path, found)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, seen, 300, "files")
}
