package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"fencepost/models/internal/postgres"
)

// files are the schedules of the model's own tests, and those that are only here.
func files(t testing.TB) (list []string) {
	for _, dir := range []string{"testdata/schedules", "../models/internal/postgres/testdata/schedules"} {
		found, err := filepath.Glob(dir + "/*.txt")
		if err != nil || len(found) == 0 {
			t.Fatalf("no schedules in %s: %v", dir, err)
		}
		list = append(list, found...)
	}
	return list
}

// Each schedule leads to what its file says, on the server and in the model.
func TestSchedules(t *testing.T) {
	b := newBoth(t, "schedules")
	statements := 0
	for _, file := range files(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			b.t, b.server.t = t, t
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			script, err := postgres.ParseScript(string(text))
			if err != nil {
				t.Fatal(err)
			}
			if disagree(attempts, func() bool { return b.file(script) }) {
				t.Fatalf("%s:\n%s", file, b)
			}
			statements += len(script.Steps)
		})
	}
	t.Logf("%d statements", statements)
}

// file runs the schedule of a file on both, and reports whether they agree with each other
// and with what it expects.
func (b *both) file(script *postgres.Script) bool {
	b.begin(script.Setup, script.Variables...)
	agree := true
	for _, s := range script.Steps {
		agree = b.run(s) && agree
	}
	return agree
}
