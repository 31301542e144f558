package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"fencepost/internal/whole"
)

// TestUseItInYourRepository makes the module of the page, with a replace directive and with a workspace, and runs
// its tests; then each with the setting that the page calls unsafe, which the tests find.
func TestUseItInYourRepository(t *testing.T) {
	page := readText(t, "use-it-in-your-repository.md")
	for _, file := range []string{"go.mod", "lock_test.go", "limiter_test.go"} {
		if !strings.Contains(page, "\n"+readText(t, "use-it/"+file)+"```\n") {
			t.Errorf("the page does not show use-it/%s as it is", file)
		}
	}
	t.Run("go.work", func(t *testing.T) {
		if output, err := (module{}).test(t, nil); err != nil {
			t.Fatal(output)
		}
	})
	// One module with all that the page changes has the failure of each.
	t.Run("replace, changed", func(t *testing.T) {
		changes := [][2]string{
			{`fencing = "ge"`, `fencing = "none"`},
			{`longest = 7 * time.Second`, `longest = 8 * time.Second`},
			{"ratelimit.NewSlidingLog(ratelimit.SlidingLogParams{", "ratelimit.NewFixedWindow(ratelimit.FixedWindowParams{"},
		}
		output, err := module{replace: true}.test(t, changes)
		if err == nil {
			t.Fatal("the tests pass with what is changed")
		}
		for _, c := range changes {
			contains(t, output, blockAfter(t, page, c[1]))
		}
	})
	if !whole.Tests() {
		return
	}
	t.Run("replace", func(t *testing.T) {
		if output, err := (module{replace: true}).test(t, nil); err != nil {
			t.Fatal(output)
		}
	})
}

// module is how the module of the page finds fencepost.
type module struct{ replace bool }

// test makes the module, with some texts of its files replaced, and runs its tests.
func (m module) test(t *testing.T, changes [][2]string) (output string, err error) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	replaced := 0
	for _, file := range []string{"go.mod", "lock_test.go", "limiter_test.go"} {
		text := readText(t, "use-it/"+file)
		for _, c := range changes {
			replaced += strings.Count(text, c[0])
			text = strings.ReplaceAll(text, c[0], c[1])
		}
		text = strings.ReplaceAll(text, "=> ../fencepost", "=> "+filepath.ToSlash(root))
		if file == "go.mod" && !m.replace {
			text, _, _ = strings.Cut(text, "\nrequire ")
		}
		write(t, filepath.Join(folder, file), text)
	}
	if replaced != len(changes) {
		t.Fatalf("%d texts are replaced, want %d", replaced, len(changes))
	}
	workspace := "GOWORK=off"
	flags := "GOFLAGS=-mod=mod" // as go mod tidy does, without looking for the tests of others
	if !m.replace {
		write(t, filepath.Join(folder, "go.work"), "go 1.26.0\n\nuse (\n\t.\n\t"+filepath.ToSlash(root)+"\n)\n")
		workspace, flags = "GOWORK=", "GOFLAGS="
	}
	cmd := exec.Command("go", "test", "-v", ".")
	cmd.Dir = folder
	cmd.Env = append(os.Environ(), workspace, flags)
	text, err := cmd.CombinedOutput()
	return string(text), err
}

// blockAfter are the lines of the first block of the page after a text.
func blockAfter(t *testing.T, page, text string) []string {
	_, rest, ok := strings.Cut(page, text)
	_, rest, text2 := strings.Cut(rest, "```text\n")
	if !ok || !text2 {
		t.Fatalf("the page has no block after %s", text)
	}
	block, _, _ := strings.Cut(rest, "```")
	return strings.Split(strings.TrimSpace(block), "\n")
}

// contains checks that lines stand in a text in this order; [...] stands for what is left out.
func contains(t *testing.T, text string, lines []string) {
	for _, line := range lines {
		for part := range strings.SplitSeq(line, "[...]") {
			_, rest, ok := strings.Cut(text, strings.TrimSpace(part))
			if !ok {
				t.Fatalf("the output has no line %q: %s", line, text)
			}
			text = rest
		}
	}
}

func readText(t *testing.T, file string) string {
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(text), "\r\n", "\n")
}

func write(t *testing.T, file, text string) {
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
