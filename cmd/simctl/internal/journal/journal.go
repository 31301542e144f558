// Package journal keeps the finished points of a grid in a file, so that a run that was
// interrupted resumes from them.
//
// The file has a line for each point, in their order, after one that says of which run
// they are. Each line is a JSON object with a checksum; a last one that is damaged was
// being written when the program ended, and is dropped.
package journal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/internal/exact"
	"fencepost/internal/program"
	"fencepost/result"
)

// Name is what the file is called.
const Name = "points.jsonl"

// Schema is the format of the file.
const Schema = "fencepost/points/v1"

// MaxSize is the largest file that is read, in bytes.
const MaxSize = 512 << 20

// Cut is what helps where a line is of no use.
const Cut = "\nremove this line and all after it, and --resume runs their points again"

// Header says of which run the points are. Those of another run are of no use.
type Header struct {
	Schema   string           `json:"schema"`
	Version  string           `json:"fencepost"` // that wrote it
	Digests  int              `json:"digest_version"`
	Scenario string           `json:"scenario"`
	Mode     string           `json:"mode,omitempty"`
	Settings []result.Setting `json:"settings,omitempty"`
	Seed     uint64           `json:"seed"`
	Runs     int              `json:"runs"` // at each point
	Points   int              `json:"points"`
	Checksum string           `json:"checksum"` // of the file, what is set and what it reads
}

// mismatch says in what the run of a file differs from the one that is wanted.
func (h *Header) mismatch(file *Header) error {
	for _, c := range []struct {
		what       string
		want, have any
	}{
		{"the format", h.Schema, file.Schema},
		{program.Name(), h.Version, file.Version},
		{"the encoding of digests", h.Digests, file.Digests},
		{"the scenario", h.Scenario, file.Scenario},
		{"--control or --no-faults", h.Mode, file.Mode},
		{"the settings", settingsText(h.Settings), settingsText(file.Settings)},
		{"the seed", h.Seed, file.Seed},
		{"the number of runs", h.Runs, file.Runs},
		{"the number of points", h.Points, file.Points},
		{"the checksum of the scenario and of the files that it reads", h.Checksum, file.Checksum},
	} {
		if c.want != c.have {
			return fmt.Errorf("its points are of another run: %s was %q and is %q", c.what, cut(c.have), cut(c.want))
		}
	}
	return nil
}

func settingsText(list []result.Setting) (text string) {
	for _, s := range list {
		text += " " + s.Path + "=" + s.Value
	}
	return text[min(1, len(text)):]
}

// cut is the start of a value, for a message.
func cut(v any) string {
	r := []rune(fmt.Sprint(v))
	if len(r) > 100 {
		return string(r[:100]) + "..."
	}
	return string(r)
}

// Journal is the file, open to add points.
type Journal struct {
	file  *os.File
	Count int // of the points in it
}

// line is one of the file: either a header or a point.
type line struct {
	Sum    string          `json:"crc32"` // of the rest, as it stands
	Header json.RawMessage `json:"header,omitempty"`
	Point  json.RawMessage `json:"point,omitempty"`
}

// New begins a file; there must be none.
func New(path string, h *Header) (*Journal, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	j := &Journal{file: f}
	if err := j.write(nil, h); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return j, nil
}

// Open opens a file to continue from it, and returns its points. It refuses those of
// another run. A file whose first line was not written to its end has no points.
func Open(path string, h *Header) (*Journal, []execute.Point, error) {
	if info, err := os.Lstat(path); err == nil && !info.Mode().IsRegular() { // to open a pipe may take forever
		return nil, nil, fmt.Errorf("%s is no ordinary file", path)
	}
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, nil, err
	}
	j := &Journal{file: f}
	points, err := j.resume(h)
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
	}
	j.Count = len(points)
	return j, points, nil
}

func (j *Journal) resume(h *Header) ([]execute.Point, error) {
	data, err := io.ReadAll(io.LimitReader(j.file, MaxSize+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > MaxSize:
		return nil, fmt.Errorf("the file is too large: want at most %d MiB", MaxSize>>20)
	}
	points, good, err := read(data, h)
	if err != nil {
		return nil, err
	}
	if err := j.file.Truncate(int64(good)); err != nil {
		return nil, err
	}
	if _, err := j.file.Seek(int64(good), io.SeekStart); err != nil {
		return nil, err
	}
	if good == 0 {
		return nil, j.write(nil, h)
	}
	return points, nil
}

// read returns the points of a file and how many of its bytes are good.
func read(data []byte, h *Header) (points []execute.Point, good int, err error) {
	for number := 1; good < len(data); number++ {
		length := bytes.IndexByte(data[good:], '\n') + 1
		last := length == 0 || good+length == len(data)
		var l line
		if length > 0 {
			err = l.parse(data[good : good+length])
		}
		switch {
		case number == 1 && (err != nil || !begins(data)):
			return nil, 0, errors.New("this is no file of points")
		case length == 0, err != nil && last:
			return points, good, nil
		case err != nil:
			return nil, 0, fmt.Errorf("line %d is damaged: %w%s", number, err, Cut)
		case number == 1:
			var from Header
			if err := exact.Read(l.Header, &from); err != nil {
				return nil, 0, fmt.Errorf("this is no file of points: header: %w", err)
			}
			if err := h.mismatch(&from); err != nil {
				return nil, 0, err
			}
		default:
			var p execute.Point
			if err := exact.Read(l.Point, &p); err != nil {
				return nil, 0, fmt.Errorf("line %d is no point: %w%s", number, err, Cut)
			}
			points = append(points, p)
		}
		good += length
	}
	if len(points) > h.Points {
		return nil, 0, fmt.Errorf("there are %d points in it, and the grid has %d", len(points), h.Points)
	}
	return points, good, nil
}

// begins reports whether a file begins like ours, as far as it goes.
func begins(data []byte) bool {
	begin := []byte(`{"crc32":"`)
	n := min(len(begin), len(data))
	return bytes.Equal(data[:n], begin[:n])
}

// parse reads a line and compares its checksum.
func (l *line) parse(text []byte) error {
	if err := json.Unmarshal(text, l); err != nil {
		return errors.New("it is not JSON")
	}
	if l.Sum != sum(l.Header, l.Point) {
		return errors.New("checksum mismatch")
	}
	return nil
}

func sum(parts ...[]byte) string {
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(bytes.Join(parts, nil)))
}

// Add adds a point.
func (j *Journal) Add(p *execute.Point) error {
	j.Count++
	return j.write(p, nil)
}

func (j *Journal) write(p *execute.Point, h *Header) error {
	var l line
	var err error
	if h != nil {
		l.Header, err = json.Marshal(h)
	} else {
		l.Point, err = json.Marshal(p)
	}
	if err != nil {
		return err
	}
	l.Sum = sum(l.Header, l.Point)
	text, err := json.Marshal(&l)
	if err != nil {
		return err
	}
	_, err = j.file.Write(append(text, '\n'))
	return err
}

// Close closes the file.
func (j *Journal) Close() error { return j.file.Close() }
