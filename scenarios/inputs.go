package scenarios

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"fencepost/scenarios/gclog"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Limits of a table of durations.
const (
	maxTableSize = 10 << 20 // bytes
	maxTableRows = 1_000_000
)

// folder is where a scenario stands, and the files that it names are looked up.
type folder struct {
	fsys fs.FS // nil for the disk
	dir  string
}

// open returns a file that a scenario names, and its path. A name that was given by
// --set is one on the disk, relative to the working directory.
func (f folder) open(name string, bySet bool) (io.ReadCloser, string, error) {
	if name == "" {
		return nil, name, errors.New("the path is empty: want that of a file")
	}
	on := f.fsys
	switch {
	case bySet || on == nil:
		on = disk{}
		if !bySet && !filepath.IsAbs(name) {
			name = filepath.Join(f.dir, filepath.FromSlash(name))
		}
	case !fs.ValidPath(name):
		return nil, name, fmt.Errorf("%s is not beside this scenario: want a path below its folder, or give the file with --set", name)
	default:
		name = path.Join(f.dir, name)
	}
	// Before it is opened: opening a pipe that nobody writes to takes for ever.
	info, err := fs.Stat(on, name)
	switch {
	case err != nil:
		return nil, name, reason(name, err)
	case info.IsDir():
		return nil, name, fmt.Errorf("%s is a directory: want a file", name)
	case !info.Mode().IsRegular() && !bySet:
		return nil, name, fmt.Errorf("%s is no ordinary file: give it with --set", name)
	}
	file, err := on.Open(name)
	return file, name, reason(name, err)
}

// disk is every file there is, by the paths of the operating system.
type disk struct{}

// Open implements [fs.FS].
func (disk) Open(name string) (fs.File, error) { return os.Open(name) }

// Stat implements [fs.StatFS].
func (disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// reason says that a file cannot be opened, without naming it twice.
func reason(name string, err error) error {
	if p := (*fs.PathError)(nil); errors.As(err, &p) {
		return fmt.Errorf("cannot read %s: %w", name, p.Err)
	}
	return err
}

// files are those that the passes over one scenario have read.
type files struct {
	folder
	read map[string]*input // by what was asked for
}

// input is a log or table.
type input struct {
	Input
	log    *gclog.Log
	values []time.Duration // of a table
	err    error
}

// get reads a file, unless that was done before.
func (f *files) get(what, name string, bySet bool, parse func(*input, io.Reader) error) *input {
	key := fmt.Sprintf("%s %v %s", what, bySet, name)
	if in := f.read[key]; in != nil {
		return in
	}
	in := &input{}
	if f.read == nil {
		f.read = map[string]*input{}
	}
	f.read[key] = in
	file, full, err := f.open(name, bySet)
	in.Path, in.err = filepath.ToSlash(full), err
	if err == nil {
		defer file.Close()
		in.err = parse(in, file)
	}
	return in
}

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
	return true
}

// table decodes {csv: FILE}.
func (d *decoding) table(v *strict.Value, into *sim.Dist) {
	name, ok := read[string](v)
	if !ok {
		return
	}
	in := d.files.get("csv", name, v.Pos().Set != "", readTable)
	if !d.use(v, in) {
		return
	}
	*into, _ = sim.Empirical(in.values) // they are some, and none is negative
}

// log decodes {gclog: FILE} or {gclog: {file: FILE, series: NAME}}.
func (d *decoding) log(v *strict.Value) (*input, bool) {
	var f struct {
		File   *strict.Value `yaml:"file,required"`
		Series []string      `yaml:"series,one-or-many"`
	}
	if v.Kind() != strict.Mapping {
		f.File = v
	} else if !v.Decode(&f) {
		return nil, false
	}
	name, ok := read[string](f.File)
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
	if l.Bad > 0 {
		in.Summary += fmt.Sprintf("; %d of %d lines cannot be read, the first: %v", l.Bad, l.Lines, l.Problems[0])
	}
	return nil
}

// readTable reads one duration per row: each with its unit, or all in the unit at
// the end of the header, as in rtt_ms. Empty lines and those that begin with # do
// not count. What is finer than a nanosecond is cut off.
func readTable(in *input, r io.Reader) error {
	limited := &io.LimitedReader{R: r, N: maxTableSize + 1}
	lines := bufio.NewScanner(limited)
	unit, n := "", 0
	for lines.Scan() {
		n++
		row := strings.TrimSpace(strings.TrimPrefix(lines.Text(), "\uFEFF"))
		if row == "" || row[0] == '#' {
			continue
		}
		if u := unitOfHeader(row); len(in.values) == 0 && unit == "" && u != "" {
			unit = u
			continue
		}
		value, err := parseCell(row, unit)
		if err != nil {
			return fmt.Errorf("%s:%d: %w", in.Path, n, err)
		}
		if in.values = append(in.values, value); len(in.values) > maxTableRows {
			return fmt.Errorf("%s:%d: more than %d rows", in.Path, n, maxTableRows)
		}
	}
	switch {
	case limited.N == 0:
		return fmt.Errorf("%s: the file is too large: want at most %d MiB", in.Path, maxTableSize>>20)
	case errors.Is(lines.Err(), bufio.ErrTooLong):
		return fmt.Errorf("%s:%d: the line is too long: want one duration", in.Path, n+1)
	case lines.Err() != nil:
		return fmt.Errorf("%s:%d: %w", in.Path, n+1, lines.Err())
	case len(in.values) == 0:
		return fmt.Errorf("%s: no durations in %d lines: want one per line, such as 1.5ms, or numbers below a header such as rtt_ms", in.Path, n)
	}
	in.Summary = summary(in)
	return nil
}

func summary(in *input) string {
	sorted := slices.Sorted(slices.Values(in.values))
	rank := func(percent int) time.Duration { return sorted[(len(sorted)*percent+99)/100-1] }
	return fmt.Sprintf("%s: %d durations, p50 %v, p99 %v, max %v", path.Base(in.Path), len(sorted), rank(50), rank(99), rank(100))
}

// unitOfHeader is the unit that the header of a table gives, or "".
func unitOfHeader(row string) string {
	i := strings.LastIndexAny(row, "_ ")
	if i <= 0 || strings.ContainsAny(row[:1], "0123456789.+-") {
		return ""
	}
	switch unit := strings.Trim(row[i+1:], `()[]"`); unit {
	case "ns", "us", "µs", "μs", "ms", "s":
		return unit
	}
	return ""
}

// parseCell reads a duration, or a number of the unit if there is one.
func parseCell(cell, unit string) (time.Duration, error) {
	number := strings.TrimRight(cell, "abcdefghijklmnopqrstuvwxyzµμ ")
	if unit == "" {
		unit = strings.TrimSpace(cell[len(number):])
	} else if number != cell {
		return 0, fmt.Errorf("%q has a unit of its own, and the header has one, too", excerpt(cell))
	}
	places, ok := map[string]int{"s": 9, "ms": 6, "us": 3, "µs": 3, "μs": 3, "ns": 0}[unit]
	whole, fraction, _ := strings.Cut(number, ".")
	if ok && len(fraction) > places && strings.Trim(fraction, "0123456789") == "" {
		number = strings.TrimSuffix(whole+"."+fraction[:places], ".")
	}
	length, err := strict.Duration(number + unit)
	if err != nil && strings.Contains(cell, ",") {
		return 0, fmt.Errorf("%q has several columns: want one", excerpt(cell))
	}
	return length, err
}

// excerpt is the start of a text.
func excerpt(s string) string {
	const most = 40
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "..."
	}
	return s
}
