package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// words are those that a user does not see, and what is written in place of each.
var words = []struct{ old, better string }{
	{`struck|strikes?`, "injected"},
	{`deeds?`, "fault choice"},
	{`calm(er)?`, "fault-free, minimal or simpler"},
	{`judge[sd]?|nothing to judge`, "check, evaluate; not exercised"},
	{`came to nothing|comes to nothing`, "none"},
	{`c[oa]mes? out|must come out`, "is, results in; expected"},
	{`comes? to rest`, "settles"},
	{`for ever`, "forever"},
	{`the begin`, "the start"},
	{`go(es)? on`, "continues, resumes"},
	{`so many|so long`, "N; this many, this long"},
	{`whoever|nobody|somebody`, "the caller, no client, another node"},
	{`contestants?|rivals?`, "candidate; overlapping holder"},
	{`makes? sure`, "checks"},
	{`br(ings?|ought) along`, "built-in, ships with"},
	{`moody`, "flaky"},
	{`thaw|revive`, "unsuspend, restart"},
	{`as coded`, "as written"},
	{`tellers?`, "describe, description"},
	{`tempts?|betrays?|afflicts?|forestalls?`, "before step, on send, apply fault, before effect"},
	{`doctors?`, "validate"},
	{`retimed`, "clock changed"},
	{`greedy`, "charges rejected requests"},
	{`its checksum is another`, "checksum mismatch"},
	{`his problem|is called nobody|here is called`, "not this node's concern; no scenario named"},
	{`the gate`, "CI"},
	{`held back|holds? back`, "buffered, buffers"},
	{`just before \S+ \S+ \S+ leaves`, "is emitted"},
	{`story\.txt|stor(y|ies)`, "explanation"},
	{`desks?`, "handler executor"},
	{`unmoved`, "unchanged"},
	{`the machine of \S+ sleeps`, "the host of X is suspended"},
}

// kept are names that a file format or a title has.
var kept = strings.NewReplacer(" judge/ ", "", "judge: ", "", "client-go on", "", "query, judge, then increment atomically", "", "as `nobody`", "")

// inComments are those that no comment of the code has either.
var inComments = regexp.MustCompile(`(?i)\b(whoever|nobody|somebody|so many|so long|struck|deeds?|for ever|the begin|held back|c[oa]mes? out|moody|contestants?)\b`)

// TestNoOldWords: pages, scenarios, and what programs print, use the words of the field.
func TestNoOldWords(t *testing.T) {
	var list []string
	for _, w := range words {
		list = append(list, w.old)
	}
	any := regexp.MustCompile(`(?i)\b(` + strings.Join(list, "|") + `)\b|[0-9] %(\W|$)`)
	seen := 0
	check := func(where, text string) {
		seen++
		for i, line := range strings.Split(kept.Replace(text), "\n") {
			if found := any.FindString(line); found != "" {
				t.Errorf("%s, line %d: %q: write %s: %s", where, i+1, found, betterFor(found), strings.TrimSpace(line))
			}
		}
	}
	err := fs.WalkDir(os.DirFS(".."), ".", func(file string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "testdata" || entry.Name() == "bench" || strings.HasPrefix(entry.Name(), ".") && file != "."):
			return fs.SkipDir
		case path.Ext(file) == ".md" || path.Ext(file) == ".yaml":
			check(file, readText(t, "../"+file))
		case path.Ext(file) == ".go" && !strings.HasSuffix(file, "_test.go"):
			texts, comments := textsOf(t, "../"+file)
			for place, text := range texts {
				check(place, text)
			}
			for place, text := range comments {
				if found := inComments.FindString(text); found != "" {
					t.Errorf("%s: %q: write %s", place, found, betterFor(found))
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen < 5000 {
		t.Fatalf("%d texts were seen: fewer than there are", seen)
	}
}

// betterFor is what is written in place of a word.
func betterFor(found string) string {
	for _, w := range words {
		if regexp.MustCompile(`(?i)^(` + w.old + `)$`).MatchString(found) {
			return w.better
		}
	}
	return "5%, without a blank"
}

// textsOf are the texts and the comments that a file of Go holds, by their place.
func textsOf(t *testing.T, file string) (texts, comments map[string]string) {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, file, nil, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	texts, comments = map[string]string{}, map[string]string{}
	for _, c := range f.Comments {
		comments[fset.Position(c.Pos()).String()] = c.Text()
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				texts[fset.Position(n.Pos()).String()] = text
			}
		}
		return true
	})
	return texts, comments
}
