package scenarios

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// private is what nobody outside of the project can look up: a document without a title,
// a number of a document, the id of a vector in a source line.
var (
	private = regexp.MustCompile(`\b[Ss]pecification,? [A-E][0-9]|\b[Dd]ocument 00[0-4]|\b[Ss]pec,? (sections?|vectors?|rate|locks|table|[A-E]?[0-9][0-9.]*\b|[A-Z][0-9]|[A-Z]+-[0-9])|\b[Ss]ources? 00[0-4]\b`)
	vector  = regexp.MustCompile(`\b[A-Z]{1,3}-[0-9]{2}[a-z]?\b|\bissue, `)
)

// mayBePrivate reports whether one of the words of private is in a line: that is asked faster.
func mayBePrivate(line string) bool {
	return strings.Contains(line, "pec") || strings.Contains(line, "ource") || strings.Contains(line, "ocument")
}

// scenarioFiles are all that ship, and the templates of `simctl new`.
func scenarioFiles(t *testing.T) (files []string) {
	require.NoError(t, filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".yaml" {
			files = append(files, path)
		}
		return err
	}))
	require.Greater(t, len(files), 300)
	return files
}

// TestSourcesArePublic: what a scenario cites is a paper, a page, a program or a document
// of docs/sources.md. (T9)
func TestSourcesArePublic(t *testing.T) {
	for _, file := range scenarioFiles(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			assert.Empty(t, private.FindString(line), "%s: %s", file, line)
			if strings.HasPrefix(line, "source:") {
				assert.Empty(t, vector.FindString(line), "%s: %s", file, line)
			}
		}
	}
}

// TestCodeCitesInPublic: so does the code, and so do the pages. Ids of test vectors are
// for tests alone.
func TestCodeCitesInPublic(t *testing.T) {
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		extension := filepath.Ext(path)
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".md", ".flow"}, extension) || filepath.Base(path) == "citation_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if mayBePrivate(line) {
				assert.Empty(t, private.FindString(line), "%s: %s", path, line)
			}
			if comment := strings.TrimSpace(line); strings.HasPrefix(comment, "//") && !strings.HasSuffix(path, "_test.go") && strings.ContainsAny(comment, "-,") {
				assert.Empty(t, vector.FindString(encoding.ReplaceAllString(comment, "")), "%s: %s", path, line)
			}
		}
		return nil
	}))
}

var encoding = regexp.MustCompile(`\b(UTF|CRC)-[0-9]{2}\b`)

// sourcesPage maps every item of the documents S0 to S4 to what shows it.
const sourcesPage = "../docs/sources.md"

var (
	row       = regexp.MustCompile(`(?m)^\| (S[0-4] [^|]*[^| ]) *\| [^|]+ \| [^|]+ \|$`)
	document  = regexp.MustCompile(`\bS[0-4]\b`)
	quoted    = regexp.MustCompile("`([^`\n]+)`")
	goTest    = regexp.MustCompile(`^go test \./(\S+) -run (\w+)$`)
	goDoc     = regexp.MustCompile(`^go doc fencepost/(\S+?)(?:\.(\w+))?$`)
	endOfItem = regexp.MustCompile("[;,()\"`]")
)

// TestCitedItemsAreOnThePage: an item of a document that is cited has a row of its page.
// (T9)
func TestCitedItemsAreOnThePage(t *testing.T) {
	page, err := os.ReadFile(sourcesPage)
	require.NoError(t, err)
	var items []string
	for _, m := range row.FindAllStringSubmatch(string(page), -1) {
		items = append(items, m[1])
	}
	require.Greater(t, len(items), 190)
	cited := 0
	for _, file := range scenarioFiles(t) {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "source:") {
				continue // a comment may name a document as such
			}
			for _, c := range citations(line) {
				cited++
				assert.True(t, isItem(items, c), "%s cites %q, which %s has not", file, c, sourcesPage)
			}
		}
	}
	require.Greater(t, cited, 90)
	require.NoError(t, filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if extension := filepath.Ext(path); err != nil || extension != ".go" && extension != ".flow" || filepath.Base(path) == "citation_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for line := range strings.Lines(string(text)) {
			if _, source, ok := strings.Cut(line, " Source: "); ok {
				for _, c := range citations(source) {
					assert.True(t, isItem(items, c), "%s cites %q, which %s has not", path, c, sourcesPage)
				}
			}
		}
		return nil
	}))
}

// citations are the items of S0 to S4 that a line cites, each with the words behind it.
func citations(line string) (list []string) {
	at := document.FindAllStringIndex(line, -1)
	for i, from := range at {
		text := line[from[0]:]
		if i+1 < len(at) {
			text = line[from[0]:at[i+1][0]]
		}
		list = append(list, strings.TrimSpace(endOfItem.Split(text, 2)[0]))
	}
	return list
}

// isItem reports whether the first words of a citation, two at least, are an item or a
// section that has some.
func isItem(items []string, citation string) bool {
	words := strings.Fields(citation)
	for n := len(words); n >= 2; n-- {
		name := strings.TrimRight(strings.Join(words[:n], " "), ".:")
		for _, item := range items {
			if item == name || strings.HasPrefix(item, name+".") || strings.HasPrefix(item, name+" ") {
				return true
			}
		}
	}
	return false
}

// TestSourcesPage: every scenario, test and package that the page names exists.
func TestSourcesPage(t *testing.T) {
	page, err := os.ReadFile(sourcesPage)
	require.NoError(t, err)
	names := Names()
	shown := 0
	for _, m := range quoted.FindAllStringSubmatch(string(page), -1) {
		what := m[1]
		folder, _, _ := strings.Cut(what, "/")
		switch {
		case slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, folder+"/") }):
			shown++
			assert.Contains(t, names, what)
		case goTest.MatchString(what):
			of := goTest.FindStringSubmatch(what)
			assert.True(t, declared(t, of[1], "func "+of[2]+"("), what)
		case goDoc.MatchString(what):
			of := goDoc.FindStringSubmatch(what)
			assert.True(t, declared(t, of[1], "type "+of[2]), what)
		}
	}
	require.Greater(t, shown, 200)
}

// TestIdempotencyPage: every failure and every fix in the table of the page is a scenario.
func TestIdempotencyPage(t *testing.T) {
	page, err := os.ReadFile("../docs/idempotency.md")
	require.NoError(t, err)
	_, table, _ := strings.Cut(string(page), "## How each flow fails")
	table, _, _ = strings.Cut(table, "All are in the folder")
	names := Names()
	shown := 0
	for line := range strings.Lines(table) {
		cells := strings.Split(line, " | ")
		if len(cells) < 4 {
			continue
		}
		for _, m := range quoted.FindAllStringSubmatch(cells[2]+cells[3], -1) {
			shown++
			assert.Contains(t, names, "idempotency/"+m[1])
		}
	}
	require.Greater(t, shown, 60)
}

// TestStorePage: the page of the key-value store has every scenario of it.
func TestStorePage(t *testing.T) {
	page, err := os.ReadFile("../docs/kv.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "## All scenarios")
	require.True(t, found)
	for _, name := range Names() {
		if short, ok := strings.CutPrefix(name, "kv/"); ok {
			assert.Contains(t, table, "["+short+"](../scenarios/"+name+".yaml)")
		}
	}
}

// declared reports whether a Go file of a folder of the module has a text.
func declared(t *testing.T, folder, text string) bool {
	files, err := filepath.Glob(filepath.Join("..", folder, "*.go"))
	require.NoError(t, err)
	return slices.ContainsFunc(files, func(file string) bool {
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		return strings.Contains(string(code), text)
	})
}
