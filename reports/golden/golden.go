// Package golden compares what a test produced with a file that was read and
// accepted before. Run the test with -update to write the file, then read the diff.
package golden

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden files instead of comparing")

// Require compares got with testdata/<name of the test>, or the same with a suffix
// such as ".json".
func Require(t *testing.T, got, suffix string) {
	t.Helper()
	file := filepath.Join("testdata", strings.ReplaceAll(t.Name(), "/", "-")+suffix)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v\nrun the test with -update to write it", err)
	}
	want := strings.ReplaceAll(string(data), "\r\n", "\n") // as some checkouts have it
	if got != want {
		t.Fatalf("%s differs from\n%s\ngot\n%s\nif that is right, run the test with -update", file, want, got)
	}
}
