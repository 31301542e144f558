package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/cmd/simctl/internal/cli"
	"fencepost/cmd/simctl/internal/pages"
	"fencepost/cmd/simctl/internal/version"
	"fencepost/internal/whole"
	"fencepost/models/idempotency/flow"
	"fencepost/scenarios"
)

// TestPages runs every command of the pages and finds its output there. Those that run a scenario as it
// ships are in TestPagesOfRuns of internal/shipped, which has the results, and the families in TestPagesOfFamilies of
// internal/candidates. What is costly takes most of the time of all: without -whole the tests of --rare, certify and advise have smaller ones.
func TestPages(t *testing.T) {
	t.Chdir("../../..") // which is where a reader is
	list, err := pages.All(".")
	require.NoError(t, err)
	for _, v := range list {
		if v.Shipped() != "" || v.Family() != "" {
			continue
		}
		if !whole.Tests() && costly(v.Args) {
			continue
		}
		t.Run(v.String(), func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			require.Equal(t, v.Code, run(v.Args, &stdout, &stderr), stderr.String())
			require.NoError(t, v.Check(stdout.String()))
		})
	}
}

// costly is for estimates and laws, and for advice that is simulated or is a law.
func costly(line []string) bool {
	return slices.Contains(line, "--rare") || slices.Contains(line, "--law") || line[0] == "advise" && !strings.Contains(strings.Join(line, " "), " --runs 0")
}

// TestArchitectureModel finds the model of docs/architecture.md in the engine's example, which is
// compiled and run.
func TestArchitectureModel(t *testing.T) {
	text, err := os.ReadFile("../../../docs/architecture.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	model, _, _ := strings.Cut(rest, "```")
	example, err := os.ReadFile("../../../sim/example_test.go")
	require.NoError(t, err)
	require.Contains(t, string(example), model)
}

// TestREADMETest finds the test of the README on the page that explains it, which a test holds to its code.
func TestREADMETest(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	require.LessOrEqual(t, strings.Count(string(text), "\n"), 150, "lines")
	_, rest, found := strings.Cut(string(text), "```go\n")
	require.True(t, found)
	shown, _, _ := strings.Cut(rest, "```")
	page, err := os.ReadFile("../../../docs/your-own-model.md")
	require.NoError(t, err)
	require.Contains(t, string(page), shown)
}

// TestCommandLinePage: every command has a line.
func TestCommandLinePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/command-line.md")
	require.NoError(t, err)
	for _, c := range newRootCmd(&app{&cli.App{Catalog: cli.Catalog{Catalog: scenarios.Catalog()}}}).Commands() {
		if c.IsAvailableCommand() && c.Name() != "help" && c.Name() != "completion" {
			require.Contains(t, string(page), "| `simctl "+c.Name())
		}
	}
}

// TestVersionIsInTheChangelog: the version is the newest that the changelog dates.
func TestVersionIsInTheChangelog(t *testing.T) {
	text, err := os.ReadFile("../../../CHANGELOG.md")
	require.NoError(t, err)
	newest := regexp.MustCompile(`(?m)^## (\d+\.\d+\.\d+), 20\d\d-\d\d-\d\d$`).FindStringSubmatch(string(text))
	require.NotNil(t, newest, "no heading such as ## 0.1.0, 2026-11-23")
	require.Equal(t, newest[1], version.This().Version)
	require.Contains(t, version.This().String(), "simctl "+newest[1]+" ")
}

var (
	link    = regexp.MustCompile(`\]\(([^)#:" ]*)(#[^)]*)?\)`) // within the repository: file, heading
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	unnamed = regexp.MustCompile(`[^\p{L}\p{N} -]`) // what a link to a heading leaves out
)

// TestLinks: the files and headings to which the pages link are there.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("../../../docs/*.md")
	require.NoError(t, err)
	more, err := filepath.Glob("../../../*.md")
	require.NoError(t, err)
	for _, page := range append(pages, more...) {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			file := page
			if m[1] != "" {
				file = filepath.Join(filepath.Dir(page), filepath.FromSlash(m[1]))
			}
			_, err := os.Stat(file)
			if !assert.NoError(t, err, page) || m[2] == "" {
				continue
			}
			target, err := os.ReadFile(file)
			require.NoError(t, err, page)
			assert.Contains(t, anchors(string(target)), m[2], "%s links to %s%s", page, m[1], m[2])
		}
	}
}

// anchors are the links to the headings of a page.
func anchors(page string) (list []string) {
	for _, h := range heading.FindAllStringSubmatch(page, -1) {
		words := unnamed.ReplaceAllString(strings.ToLower(strings.TrimSpace(h[1])), "")
		list = append(list, "#"+strings.ReplaceAll(words, " ", "-"))
	}
	return list
}

// TestSourcesCommands: the commands that docs/sources.md names parse. (T9)
func TestSourcesCommands(t *testing.T) {
	page, err := os.ReadFile("../../../docs/sources.md")
	require.NoError(t, err)
	commands := regexp.MustCompile("`simctl ([^`]+)`").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(commands), 3)
	for _, m := range commands {
		args := strings.Fields(m[1])
		cmd, rest, err := newRootCmd(&app{&cli.App{Catalog: cli.Catalog{Catalog: scenarios.Catalog()}}}).Find(args)
		require.NoError(t, err, m[0])
		require.Equal(t, args[0], cmd.Name(), m[0])
		require.NoError(t, cmd.ParseFlags(rest), m[0])
	}
}

// TestFlowsPage: the scenarios that docs/flows.md shows are the files beside it, and each
// flow that it shows can be run.
func TestFlowsPage(t *testing.T) {
	text, err := os.ReadFile("../../../docs/flows.md")
	require.NoError(t, err)
	page := strings.ReplaceAll(string(text), "\r\n", "\n")
	file, err := os.ReadFile("../../../docs/flows/webhook.yaml")
	require.NoError(t, err)
	require.True(t, strings.Contains(page, "```yaml\n"+string(file)+"```"), "the page shows the file as it is")
	_, tables, _ := strings.Cut(string(file), "program: |\n")
	tables, _, _ = strings.Cut(tables, "\n\n")
	fixed, err := os.ReadFile("../../../docs/flows/webhook-fixed.yaml")
	require.NoError(t, err)

	shown := regexp.MustCompile("(?s)```flow\n(.*?)```").FindAllStringSubmatch(page, -1)
	require.Len(t, shown, 2)
	require.Contains(t, strings.ReplaceAll(string(fixed), "\n    ", "\n"), shown[0][1], "the fix is the one of the file")
	for _, m := range []string{tables + shown[0][1], shown[1][1]} {
		program, err := flow.Parse("docs/flows.md", m)
		require.NoError(t, err)
		require.NotEmpty(t, program.Effects)
	}
}

// TestFlowsPageErrors: what docs/flows.md says of mistakes is what simctl says.
func TestFlowsPageErrors(t *testing.T) {
	t.Chdir("../../..")
	var stdout, stderr bytes.Buffer
	require.Equal(t, 2, run([]string{"validate", "docs/flows/mistakes.yaml"}, &stdout, &stderr))
	page, err := os.ReadFile("docs/flows.md")
	require.NoError(t, err)
	shown := strings.ReplaceAll("\n"+strings.TrimRight(stderr.String(), "\n"), "\n", "\n    ")
	require.True(t, strings.Contains(string(page), "    $ simctl validate docs/flows/mistakes.yaml"+shown+"\n"), shown)
}
