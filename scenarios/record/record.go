// Package record writes and reads replay files: each is a violation with all that its run consists of.
package record

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"fencepost/internal/printable"
	"fencepost/result"
	"fencepost/sim"
)

// Limits of a record.
const (
	MaxSize     = 16 << 20 // bytes of the file
	maxTrail    = 4096     // lines
	maxLine     = 16 << 10 // bytes of a line of the trail
	maxDraws    = 20_000
	maxSettings = 1000
	maxFiles    = 64
	maxValuesIn = 400_000 // of the file, as JSON
)

// Suffix is how the name of a replay file ends.
const Suffix = ".replay.json"

// Format is the format of the records that this fencepost writes.
const Format = formats + "1"

const formats = "fencepost/replay/v"

// Record is a violation that can be replayed anywhere: all that its run consists of,
// and what came of it. It is what a replay file holds.
type Record struct {
	Format  string `json:"format" yaml:"format,required"`       // [Format]
	Version string `json:"fencepost" yaml:"fencepost,required"` // that wrote it
	Digests int    `json:"digest_version" yaml:"digest_version,required"`
	Command string `json:"command,omitempty" yaml:"command"` // that found it

	Scenario string           `json:"scenario" yaml:"scenario,required"` // its name
	Source   string           `json:"source" yaml:"source,required"`     // its whole text
	Settings []result.Setting `json:"settings,omitempty" yaml:"settings"`
	Files    []Kept           `json:"files,omitempty" yaml:"files"` // that the scenario names

	Goal    string  `json:"goal,omitempty" yaml:"goal"` // that a search looked for: the property of the verdict
	Seed    uint64  `json:"seed" yaml:"seed,required"`
	Minimal bool    `json:"calm" yaml:"calm"` // what is not drawn below is 0
	Draws   []Drawn `json:"draws,omitempty" yaml:"draws"`

	Verdict Broken   `json:"verdict" yaml:"verdict,required"`
	Steps   uint64   `json:"steps" yaml:"steps,required"`   // of the whole run
	Digest  string   `json:"digest" yaml:"digest,required"` // of the whole run, 16 hexadecimal digits
	Trail   []string `json:"trail,omitempty" yaml:"trail"`  // the steps up to the violation, a line each
	// Omitted is how many more lines there would be.
	Omitted int `json:"trail_truncated,omitempty" yaml:"trail_truncated"`

	// Checksum tells whether the file was changed.
	Checksum string `json:"checksum,omitempty" yaml:"checksum"`

	name string // in messages
}

// Drawn is a draw that is replaced, see [sim.Override]. Of From, To and Fault it has
// what its purpose needs.
type Drawn struct {
	Purpose string `json:"purpose" yaml:"purpose,required,oneof=delay|loss|duplicate|timer|cost|fault"`
	From    string `json:"from,omitempty" yaml:"from"`
	To      string `json:"to,omitempty" yaml:"to"`
	Fault   string `json:"fault,omitempty" yaml:"fault"` // its name
	Index   uint64 `json:"index" yaml:"index"`
	Value   string `json:"value" yaml:"value,required"` // "0x8000000000000000" is half of all draws
}

// purposes are the words for [sim.Purpose].
var purposes = [...]string{"", "delay", "loss", "duplicate", "timer", "cost", "fault"}

// Broken is the violation that a record is about. If Property is "", a step panicked:
// then Why is what it said.
type Broken struct {
	Property string   `json:"property,omitempty" yaml:"property"`
	Panic    bool     `json:"panic,omitempty" yaml:"panic"`
	AtNS     int64    `json:"at_ns" yaml:"at_ns,required"`
	Nodes    []string `json:"nodes,omitempty" yaml:"nodes"` // concerned, at most two
	Why      string   `json:"why,omitempty" yaml:"why"`
}

// At is the instant of the violation.
func (b *Broken) At() sim.Time { return sim.Time(b.AtNS) }

// Kept is a file that a scenario names: its text, or where it was if it is too large
// for a record.
type Kept struct {
	Name   string `json:"name" yaml:"name,required"`     // as the scenario has it
	Path   string `json:"path" yaml:"path,required"`     // where it was
	SHA256 string `json:"sha256" yaml:"sha256,required"` // of its bytes
	Text   string `json:"text,omitempty" yaml:"text"`
	Base64 string `json:"base64,omitempty" yaml:"base64"` // what is no text
}

// ErrEdited is the error of [Read] for a record that was changed.
var ErrEdited = errors.New("the file was changed after it was written, so what it tells need not be what was found")

// Write writes a record: the same record gives the same bytes.
func (r *Record) Write(w io.Writer) error {
	text, err := r.encode()
	if err != nil {
		return err
	}
	var c Record // as it will be read: what is not UTF-8, such as the name of a file, is not kept
	if err := json.Unmarshal(text, &c); err != nil {
		return err
	}
	c.Format = Format
	sum, err := c.sum()
	if err != nil {
		return err
	}
	c.Checksum = sum
	if text, err = c.encode(); err != nil {
		return err
	}
	if len(text) > MaxSize {
		return fmt.Errorf("the record of %s is too large: %d bytes, want at most %d", r.Scenario, len(text), MaxSize)
	}
	_, err = w.Write(printable.EscapeJSON(nil, text))
	return err
}

// encode is the record as JSON, the same bytes each time.
func (r *Record) encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(r)
	return b.Bytes(), err
}

// sum is the checksum of all else: of what the record says, not of how it is laid out.
func (r *Record) sum() (string, error) {
	c := *r
	c.Checksum = ""
	text, err := c.encode()
	sum := sha256.Sum256(text)
	return "sha256:" + hex.EncodeToString(sum[:]), err
}
