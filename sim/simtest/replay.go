package simtest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"

	"fencepost/sim"
	"fencepost/sim/explore"
)

// kept is the folder of failures, within that of the package under test, in which
// tests run; suffix is how the name of such a file ends.
const (
	kept   = "testdata/fencepost"
	suffix = ".failure.json"
)

// folder is the folder of the failures of a test. The names of subtests may be
// anything, so what does not go into the name of a file is replaced, and names that
// would then be alike are told apart.
func folder(test string) string {
	parts := strings.Split(test, "/")
	for i, p := range parts {
		safe := strings.Trim(odd.ReplaceAllString(p, "_"), ".")
		if safe = safe[:min(len(safe), 80)]; safe != p {
			safe += fmt.Sprintf("-%08x", uint32(sim.Hash(p)))
		}
		parts[i] = safe
	}
	return path.Join(kept, path.Join(parts...))
}

// odd is what some file system does not take in a name.
var odd = regexp.MustCompile(`[^0-9A-Za-z_.=+-]`)

func quote(name string) string { return regexp.QuoteMeta(name) }

// replays plays what the test has found before, and reports whether nothing of it
// fails any more.
func (x *tester) replays() bool {
	x.t.Helper()
	root, err := os.OpenRoot(".")
	if err != nil {
		x.t.Fatalf("simtest: %v", err)
	}
	defer func() { _ = root.Close() }() // nothing was written
	dir := folder(x.test)
	files, err := fs.ReadDir(root.FS(), dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		x.t.Fatalf("simtest: %v", err)
	}
	fine := true
	for _, f := range files {
		if !f.IsDir() && strings.HasSuffix(f.Name(), suffix) {
			fine = x.replay(root, path.Join(dir, f.Name())) && fine
		}
	}
	return fine
}

// replay plays one file, and reports whether it does not fail any more.
func (x *tester) replay(root *os.Root, file string) bool {
	x.t.Helper()
	before, err := x.read(root, file)
	if err != nil {
		x.t.Errorf("%s: %v\nDelete it if the model is no longer the one that it is about.", file, err)
		return false
	}
	f, err := x.search.Evaluate(x.world(x.search.Config), before.Schedule)
	if err != nil {
		x.t.Errorf("%s: %v\nDelete it if the model is no longer the one that it is about.", file, err)
		return false
	}
	if f == nil {
		x.t.Logf("%s does not fail any more", file)
		return true
	}
	how := "still fails, step for step as it was kept"
	switch {
	case f.Property != before.Property:
		how = fmt.Sprintf("fails, but in another way than it was kept: there %s", x.short(before))
	case f.Digest != before.Digest:
		how = "still fails, though its steps are not those that were kept: the model has changed"
	}
	ctx, stop := patience()
	defer stop()
	x.t.Errorf("%s %s\n%s\nagain:  %s", file, how, x.tell(ctx, f), command(x.test))
	return false
}

func (x *tester) read(root *os.Root, file string) (*explore.Failure, error) {
	info, err := root.Stat(file)
	if err != nil {
		return nil, err
	}
	if info.Size() > explore.MaxText {
		return nil, fmt.Errorf("it is too large: %d bytes, want at most %d", info.Size(), explore.MaxText)
	}
	text, err := root.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return explore.DecodeFailure(&x.search.Program, text)
}

// keep writes a failure, the whole file or none, and returns its path. It does not
// leave the folder of the package, whatever links there are.
func (x *tester) keep(f *explore.Failure) (string, error) {
	text, err := explore.EncodeFailure(&x.search.Program, f)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(".")
	if err != nil {
		return "", err
	}
	defer func() { _ = root.Close() }() // the file itself is closed, and its errors seen
	name := "panic"
	if f.Property != explore.NoProperty {
		name = odd.ReplaceAllString(x.search.Program.Properties[f.Property], "_")
	}
	dir := folder(x.test)
	file := path.Join(dir, fmt.Sprintf("%s-%08x%s", name, uint32(f.Digest>>32), suffix))
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	temporary := file + fmt.Sprintf(".%d.tmp", os.Getpid())
	if err := root.WriteFile(temporary, text, 0o644); err != nil {
		return "", errors.Join(err, root.Remove(temporary))
	}
	if err := root.Rename(temporary, file); err != nil {
		return "", errors.Join(err, root.Remove(temporary))
	}
	return file, nil
}
