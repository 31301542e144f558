package scenarios

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// reference is the page that the tests below hold to the decoder.
const reference = "../docs/scenario-files.md"

func readReference(t *testing.T) string {
	text, err := os.ReadFile(reference)
	require.NoError(t, err)
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

// TestReferenceLoads loads every YAML block of the page with the real models.
func TestReferenceLoads(t *testing.T) {
	dir := t.TempDir()
	log, err := os.ReadFile("lock/gc/g1-small-heap.log")
	require.NoError(t, err)
	write(t, dir, "gc.log", string(log))
	log, err = os.ReadFile("lock/logs/chrony-step.log")
	require.NoError(t, err)
	write(t, dir, "tracking.log", string(log))
	write(t, dir, "delays.csv", "delay_ms\n1\n2\n")
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readReference(t), -1)
	require.Greater(t, len(blocks), 6)
	for i, b := range blocks {
		text := b[1]
		if !strings.Contains(text, "model:") {
			text = "model: lock\nuntil: 60s\n" + text
		}
		s, err := Load(write(t, dir, fmt.Sprintf("%d.yaml", i), text), Options{})
		require.NoError(t, err, text)
		_, err = s.Program.NewWorld(s.Config)
		require.NoError(t, err, text)
	}
	for _, form := range regexp.MustCompile(`(?m)^    (delay: .*)$`).FindAllStringSubmatch(readReference(t), -1) {
		_, err := Load(write(t, dir, "form.yaml", "model: lock\nuntil: 60s\nnetwork:\n  "+form[1]+"\n"), Options{})
		require.NoError(t, err, form[1])
	}
}

// TestReferenceHasAllKeys: every key that the decoder knows is on the page.
func TestReferenceHasAllKeys(t *testing.T) {
	page := readReference(t)
	keys := append(append(faultKeys(), shapes...), "gclog", "holds", "violated", "unknown", "share")
	for _, f := range []any{format{}, budgetFormat{}, networkFormat{}, linkFormat{}, clockFormat{}, sidesFormat{}, messageFormat{},
		noteFormat{}, effectFormat{}, violationFormat{}, boundFormat{}, lognormalFormat{}, paretoFormat{}, partFormat{}, logFormat{}, clockLogFormat{}, rangeFormat{}, plotFormat{}} {
		rt := reflect.TypeOf(f)
		for i := range rt.NumField() {
			name, options, _ := strings.Cut(rt.Field(i).Tag.Get("yaml"), ",")
			keys = append(keys, name)
			if _, words, ok := strings.Cut(options, "oneof="); ok {
				keys = append(keys, strings.Split(words, "|")...)
			}
		}
	}
	for _, k := range keys {
		assert.Regexp(t, "(?m)(`"+regexp.QuoteMeta(k)+"`|\\b"+regexp.QuoteMeta(k)+":|: "+regexp.QuoteMeta(k)+"\\b|or "+regexp.QuoteMeta(k)+"$)", page, k)
	}
	require.Contains(t, page, verbTable(), "the table of verbs")
	require.Contains(t, page, fmt.Sprintf("At most %d points, and %d axes", maxPoints, maxPaths))
	require.Contains(t, page, fmt.Sprintf("most %d cases, each of at most %d changes", maxCases, maxChanges))
	require.Contains(t, page, fmt.Sprintf("at most %d characters", maxFile))
}

// verbTable is the table of the verbs and their keys.
func verbTable() string {
	var b strings.Builder
	b.WriteString("<!-- verbs -->\n| verb | keys besides `name` |\n|---|---|\n")
	for i := range verbs {
		fmt.Fprintf(&b, "| `%s` | `%s` |\n", verbs[i].do, strings.Join(verbs[i].fields(), "`, `"))
	}
	return b.String() + "<!-- end of verbs -->\n"
}

// TestEveryScenarioIsInTheFolderOfItsModel keeps names such as lock/naive-crash true.
func TestEveryScenarioIsInTheFolderOfItsModel(t *testing.T) {
	for _, name := range Names() {
		s, err := Load(name, Options{})
		require.NoError(t, err)
		i := slices.IndexFunc(catalog, func(m Model) bool { return m.Name == s.Model })
		require.Equal(t, catalog[i].Folder, filepath.Dir(name))
	}
}
