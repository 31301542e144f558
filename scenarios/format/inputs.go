package format

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"fencepost/result"
	"fencepost/scenarios/clocklog"
	"fencepost/scenarios/gclog"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Folder is where a scenario stands, and the files that it names are looked up.
type Folder struct {
	FS      fs.FS // nil for the disk
	Dir     string
	Shipped fs.FS // the scenarios that ship: a log of theirs that is missing here gets a word of its own
}

// open returns a file that a scenario names, and its path. A name that was given by
// --set is one on the disk, relative to the working directory.
func (f Folder) open(name string, bySet bool) (io.ReadCloser, string, error) {
	on, name, info, err := f.find(name, bySet)
	switch {
	case err != nil:
		return nil, name, err
	case !info.Mode().IsRegular() && !bySet:
		return nil, name, fmt.Errorf("%s is no ordinary file: give it with --set", name)
	}
	file, err := on.Open(name)
	return file, name, f.reason(name, err)
}

// ordinary returns a file that can be read more than once, its path and its size.
func (f Folder) ordinary(name string, bySet bool) (io.ReadCloser, string, int64, error) {
	on, name, info, err := f.find(name, bySet)
	switch {
	case err != nil:
		return nil, name, 0, err
	case !info.Mode().IsRegular():
		return nil, name, 0, fmt.Errorf("%s: it can be read only once: want an ordinary file", name)
	}
	file, err := on.Open(name)
	return file, name, info.Size(), f.reason(name, err)
}

// find looks up a file without opening it: opening a pipe without a writer takes
// forever.
func (f Folder) find(name string, bySet bool) (fs.FS, string, fs.FileInfo, error) {
	if name == "" {
		return nil, name, nil, errors.New("the path is empty: want that of a file")
	}
	on := f.FS
	switch {
	case bySet || on == nil:
		on = disk{}
		if !bySet && !filepath.IsAbs(name) {
			name = filepath.Join(f.Dir, filepath.FromSlash(name))
		}
	case !fs.ValidPath(name):
		return nil, name, nil, fmt.Errorf("%s is not beside this scenario: want a path below its folder, or give the file with --set", name)
	default:
		name = path.Join(f.Dir, name)
	}
	info, err := fs.Stat(on, name)
	switch {
	case err != nil:
		return nil, name, nil, f.reason(name, err)
	case info.IsDir():
		return nil, name, nil, fmt.Errorf("%s is a directory: want a file", name)
	}
	return on, name, info, nil
}

// disk is every file there is, by the paths of the operating system.
type disk struct{}

// Open implements [fs.FS].
func (disk) Open(name string) (fs.File, error) { return os.Open(name) }

// Stat implements [fs.StatFS].
func (disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// ships reports whether a log of this name is beside the scenarios that ship.
func (f Folder) ships(base string) bool {
	if f.Shipped == nil {
		return false
	}
	for _, folder := range []string{"*/gc/", "*/logs/"} {
		if found, err := fs.Glob(f.Shipped, folder+base); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}

// reason says why a file cannot be opened, alike on every operating system where it
// is simply not there.
func (f Folder) reason(name string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		if f.ships(path.Base(filepath.ToSlash(name))) {
			return fmt.Errorf("there is no file %s: simctl has that log for its built-in scenario, by its name only", name)
		}
		return fmt.Errorf("there is no file %s", name)
	}
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("cannot read %s: %w", name, p.Err)
	}
	return err
}

// files are those that the passes over one scenario have read.
type files struct {
	Folder
	read map[inputKey]*input
	kept func(name string) (io.ReadCloser, string, error) // takes the place of the folder, if not nil

	shared *Files // nil: other scenarios read their files themselves
}

// Files are the files that many scenarios of one folder name: each is read once. Several
// goroutines may load scenarios with the same.
type Files struct {
	mu   sync.Mutex
	read map[inputKey]*input
}

// get is the file, which is read if no scenario has named it yet.
func (f *Files) get(key inputKey, read func() *input) *input {
	f.mu.Lock()
	defer f.mu.Unlock()
	in := f.read[key]
	if in == nil {
		if f.read == nil {
			f.read = map[inputKey]*input{}
		}
		in = read()
		f.read[key] = in
	}
	return in
}

// inputKey is what was asked for.
type inputKey struct {
	what, name string
	bySet      bool
}

// input is a log or table.
type input struct {
	result.Input
	name   string // as the scenario has it
	log    *gclog.Log
	clock  *clocklog.Log
	values []time.Duration // of a table
	dist   sim.Dist        // of them
	// roundTrips says that its header calls them so: twice what a message takes.
	roundTrips bool
	err        error
	raw        raw
}

// get reads a file, unless that was done before.
func (f *files) get(what, name string, bySet bool, parse func(*input, io.Reader) error) *input {
	key := inputKey{what, name, bySet}
	if in := f.read[key]; in != nil {
		return in
	}
	read := func() *input { return f.readFile(name, bySet, parse) }
	if f.shared != nil {
		return f.shared.get(key, read)
	}
	if f.read == nil {
		f.read = map[inputKey]*input{}
	}
	in := read()
	f.read[key] = in
	return in
}

func (f *files) readFile(name string, bySet bool, parse func(*input, io.Reader) error) *input {
	in := &input{name: name}
	file, full, err := f.find(name, bySet)
	in.Path, in.err = filepath.ToSlash(full), err
	if err == nil {
		defer file.Close()
		in.raw.hash = sha256.New()
		if in.err = parse(in, io.TeeReader(file, &in.raw)); in.err == nil {
			_, in.err = io.Copy(&in.raw, io.LimitReader(file, gclog.MaxSize)) // what the parser left, such as an empty line
		}
	}
	return in
}

func (f *files) find(name string, bySet bool) (io.ReadCloser, string, error) {
	if f.kept != nil {
		return f.kept(name)
	}
	return f.open(name, bySet)
}

// moved is the files for the same scenario with other settings. A name that stood in
// the file may then stand in a setting: it is that of the same file.
func (f *files) moved() *files {
	g := *f
	g.read = maps.Clone(f.read)
	for key, in := range f.read {
		key.bySet = !key.bySet
		if g.read[key] == nil {
			g.read[key] = in
		}
	}
	return &g
}

// maxKept is the size up to which the text of a file is kept, for records.
const maxKept = 1 << 20

// raw is the bytes of a file, if they are not too many, and what tells it from others.
type raw struct {
	hash hash.Hash
	data []byte
	size int64
}

// Write implements [io.Writer].
func (r *raw) Write(p []byte) (int, error) {
	r.size += int64(len(p))
	if r.size <= maxKept {
		r.data = append(r.data, p...)
	} else {
		r.data = nil
	}
	return r.hash.Write(p)
}

// sum is the checksum of all of it.
func (r *raw) sum() string { return "sha256:" + hex.EncodeToString(r.hash.Sum(nil)) }

// use notes that the scenario read a file, or reports why it could not.
func (d *decoding) use(v *strict.Value, in *input) bool {
	if in.err != nil {
		first, rest, _ := strings.Cut(in.err.Error(), "\n")
		v.Errorf("%s", first)
		if rest != "" {
			d.details[v.Pos()] = rest
		}
		return false
	}
	if !slices.Contains(d.scenario.Inputs, in.Input) {
		d.scenario.Inputs = append(d.scenario.Inputs, in.Input)
	}
	if !slices.Contains(d.inputs, in) {
		d.inputs = append(d.inputs, in)
	}
	return true
}

// LogFormat is the long form of {gclog: FILE}.
type LogFormat struct {
	File   *strict.Value `yaml:"file,required" schema:"file"` // of JDK 7 and later, Go's gctrace, or CSV
	Series []string      `yaml:"series,one-or-many"`          // of stops, by name: the most complete
}

// log decodes {gclog: FILE} or {gclog: {file: FILE, series: NAME}}.
func (d *decoding) log(v *strict.Value) (*input, bool) {
	var f LogFormat
	if v.Kind() != strict.Mapping {
		f.File = v
	} else if !v.Decode(&f) {
		return nil, false
	}
	name, ok := strict.Read[string](f.File)
	if !ok {
		return nil, false
	}
	in := d.files.get(fmt.Sprintf("gclog %q", f.Series), name, f.File.Pos().Set != "", func(in *input, r io.Reader) error {
		return readLog(in, r, f.Series)
	})
	return in, d.use(f.File, in)
}

func readLog(in *input, r io.Reader, series []string) (err error) {
	if in.log, err = gclog.Read(r, series...); err != nil {
		return fmt.Errorf("%s: %w", in.Path, err)
	}
	l := in.log
	for _, p := range l.Pauses {
		in.values = append(in.values, p.For)
	}
	in.Summary = fmt.Sprintf("%s: %s, series %s: %v", path.Base(in.Path), l.Format, l.Series, l.Summary())
	if l.Doubtful > 0 {
		in.Summary += "; " + l.Doubts()
	}
	if l.Bad > 0 {
		in.LeftOut, in.Lines = int64(l.Bad), int64(l.Bad+l.Used)
		in.Summary += fmt.Sprintf("; %d of %d lines cannot be read, the first: %v", l.Bad, l.Lines, l.Problems[0])
	}
	return nil
}
