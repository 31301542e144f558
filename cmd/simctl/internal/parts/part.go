package parts

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"strings"

	"fencepost/cmd/simctl/internal/execute"
	"fencepost/cmd/simctl/internal/files"
	"fencepost/internal/exact"
	"fencepost/internal/program"
)

// Schema is the format of the file.
const Schema = "fencepost/part/v1"

// MaxSize is the largest file that is read, in bytes.
const MaxSize = 256 << 20

// Job says of what the parts are. Those of another job are of no use.
type Job struct {
	Schema   string   `json:"schema"`
	Build    string   `json:"build"` // of simctl
	Digests  int      `json:"digest_version"`
	Command  []string `json:"command"`  // and its arguments, without those that say where and how fast
	Checksum string   `json:"checksum"` // of the scenarios, what is set and what they read
	Total    int      `json:"total"`    // runs
}

// Mismatch says in what the job of a part differs from the one that is wanted.
func (j *Job) Mismatch(part *Job) error {
	for _, c := range []struct{ what, want, have string }{
		{"the format", j.Schema, part.Schema},
		{"the build of " + program.Name(), j.Build, part.Build},
		{"the encoding of digests", fmt.Sprint(j.Digests), fmt.Sprint(part.Digests)},
		{"the command", strings.Join(j.Command, " "), strings.Join(part.Command, " ")},
		{"the checksum of the scenario and of the files that it reads", j.Checksum, part.Checksum},
		{"the number of runs", fmt.Sprint(j.Total), fmt.Sprint(part.Total)},
	} {
		if c.want != c.have {
			return fmt.Errorf("%s is %q, and not %q", c.what, short(c.have), short(c.want))
		}
	}
	return nil
}

// short is the start of a value, for a message.
func short(text string) string {
	if r := []rune(text); len(r) > 200 {
		return string(r[:200]) + "..."
	}
	return text
}

// Part is what is in a file.
type Part struct {
	Job   Job `json:"job"`
	Shard int `json:"shard"` // from 1
	Of    int `json:"of"`
	execute.Part
}

// New is the part of a shard.
func New(j *Job, s Shard, of *execute.Part) *Part {
	return &Part{Job: *j, Shard: s.Number, Of: s.Of, Part: *of}
}

// line is the file: one line, so that it can also be handed over.
type line struct {
	Sum  string          `json:"crc32"` // of the part as it stands
	Part json.RawMessage `json:"part"`
}

// Write writes the part as a line.
func (p *Part) Write(w io.Writer) error {
	text, err := json.Marshal(p)
	if err != nil {
		return err
	}
	text, err = json.Marshal(&line{Sum(text), text})
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

// Sum is the checksum of the text of a part.
func Sum(text []byte) string { return fmt.Sprintf("%08x", crc32.ChecksumIEEE(text)) }

// Keep writes the part to a file, which is there as a whole or not at all.
func (p *Part) Keep(path string) error { return files.Write(path, p.Write) }

// ErrDamaged is why a file is refused that is a part no more.
var ErrDamaged = errors.New("is damaged, or was not written to its end")

// Parse reads the line of a part.
func Parse(text []byte) (*Part, error) {
	var l line
	if err := json.Unmarshal(text, &l); err != nil || !bytes.HasSuffix(text, []byte("\n")) || l.Sum != Sum(l.Part) {
		return nil, ErrDamaged
	}
	p := &Part{}
	if err := exact.Read(l.Part, p); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if p.Job.Schema != Schema {
		return nil, fmt.Errorf("has the format %q: want %q", short(p.Job.Schema), Schema)
	}
	s := Shard{p.Shard, p.Of}
	if p.Of < 1 || p.Of > MaxShards || p.Shard < 1 || p.Shard > p.Of || len(p.Job.Command) == 0 || p.Job.Total < 1 {
		return nil, errors.New("is a shard that there is not")
	}
	if first, end := s.Runs(p.Job.Total); p.First != first || p.End != end {
		return nil, fmt.Errorf("has the runs %d to %d: want %d to %d of shard %s", p.First+1, p.End, first+1, end, s)
	}
	return p, nil
}

// Aside renames the file of a part that is of no use, so that nothing takes it for one.
func Aside(path string) (to string, err error) {
	to = path + ".bad"
	return to, os.Rename(path, to)
}

// Read reads the file of a part.
func Read(path string) (*Part, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no ordinary file", path)
	case info.Size() > MaxSize:
		return nil, fmt.Errorf("%s is too large: want at most %d MiB", path, MaxSize>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	p, err := Parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s %w", path, err)
	}
	p.From = path
	return p, nil
}
