package scenarios

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"

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
	log, err := os.ReadFile("redlock/gc/g1-small-heap.log")
	require.NoError(t, err)
	fake.WriteFile(t, dir, "gc.log", string(log))
	log, err = os.ReadFile("redlock/logs/chrony-step.log")
	require.NoError(t, err)
	fake.WriteFile(t, dir, "tracking.log", string(log))
	fake.WriteFile(t, dir, "delays.csv", "delay_ms\n1\n2\n")
	blocks := regexp.MustCompile("(?s)```yaml\n(.*?)```").FindAllStringSubmatch(readReference(t), -1)
	require.Greater(t, len(blocks), 6)
	for i, b := range blocks {
		text := b[1]
		if !strings.Contains(text, "model:") {
			text = "model: lock\nuntil: 60s\n" + text
		}
		s, err := Load(fake.WriteFile(t, dir, fmt.Sprintf("%d.yaml", i), text), format.Options{})
		require.NoError(t, err, text)
		_, err = s.Program.NewWorld(s.Config)
		require.NoError(t, err, text)
	}
	for _, form := range regexp.MustCompile(`(?m)^    (delay: .*)$`).FindAllStringSubmatch(readReference(t), -1) {
		_, err := Load(fake.WriteFile(t, dir, "form.yaml", "model: lock\nuntil: 60s\nnetwork:\n  "+form[1]+"\n"), format.Options{})
		require.NoError(t, err, form[1])
	}
}
