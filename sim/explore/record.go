package explore

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"fencepost/sim"
)

// A schedule or a failure as text names nodes, kinds, properties and actions, so that
// it outlives a model that gets another node or another kind of message. Lengths and
// instants are whole nanoseconds, and what is read back is exactly what was written.

// MaxText bounds the text of a schedule or a failure, in bytes.
const MaxText = 16 << 20

// textFormat is the format that is written; what comes before the number never changes.
const (
	textFormats = "fencepost/schedule/v"
	textFormat  = textFormats + "1"
)

// record is the whole text.
type record struct {
	Format    string          `json:"format"`
	Digests   int             `json:"digest_version"`
	Failure   *outcomeRecord  `json:"failure,omitempty"`
	Seed      uint64          `json:"seed"`
	Minimal   bool            `json:"calm,omitempty"`
	Faults    []faultRecord   `json:"faults,omitempty"`
	Overrides []overrideEntry `json:"overrides,omitempty"`
}

// outcomeRecord is what a failure is beyond its schedule.
type outcomeRecord struct {
	Property   string       `json:"property,omitempty"` // "": a step panicked
	Violations int          `json:"violations,omitempty"`
	First      sim.Time     `json:"first_ns,omitempty"`
	Nodes      []string     `json:"nodes,omitempty"`
	Panic      *panicRecord `json:"panic,omitempty"`
	Run        int          `json:"run"`
	Steps      uint64       `json:"steps"`
	Digest     string       `json:"digest"`
}

type panicRecord struct {
	At      sim.Time `json:"at_ns"`
	Node    string   `json:"node"`
	Message string   `json:"message"`
	Value   string   `json:"value"`
}

type faultRecord struct {
	Do   string `json:"do"`
	Name string `json:"name,omitempty"`
	Node string `json:"node,omitempty"`

	Note   string        `json:"note,omitempty"`
	Before string        `json:"before,omitempty"`
	By     string        `json:"by,omitempty"`
	Nth    int           `json:"nth,omitempty"`
	Every  sim.Dist      `json:"every_ns,omitzero"`
	Replay []stopRecord  `json:"replay,omitempty"`
	Span   time.Duration `json:"span_ns,omitempty"`
	After  string        `json:"after,omitempty"`
	Ends   bool          `json:"ends,omitempty"`
	At     sim.Time      `json:"at_ns,omitempty"`

	For     sim.Dist       `json:"for_ns,omitzero"`
	Forever bool           `json:"forever,omitempty"`
	Step    time.Duration  `json:"step_ns,omitempty"`
	Rate    sim.PPB        `json:"rate_ppb,omitempty"`
	Changes []changeRecord `json:"changes,omitempty"`
	Sides   [][]string     `json:"sides,omitempty"`
	OneWay  bool           `json:"one_way,omitempty"`
	Message *messageRecord `json:"message,omitempty"`
}

type stopRecord struct {
	At  time.Duration `json:"at_ns"`
	For time.Duration `json:"for_ns"`
}

type changeRecord struct {
	At   time.Duration `json:"at_ns"`
	Rate sim.PPB       `json:"rate_ppb,omitempty"`
	Step time.Duration `json:"step_ns,omitempty"`
}

type messageRecord struct {
	Kind string `json:"kind,omitempty"`
	From string `json:"from,omitempty"`
	To   string `json:"to,omitempty"`
	Nth  int    `json:"nth,omitempty"`
}

// overrideEntry is a draw that is replaced. Of a fault's draws it has the fault, or
// the number of a stream that no fault of the schedule has.
type overrideEntry struct {
	Purpose string `json:"purpose"`
	From    string `json:"from,omitempty"`
	To      string `json:"to,omitempty"`
	Fault   string `json:"fault,omitempty"`
	Stream  string `json:"stream,omitempty"`
	Index   uint64 `json:"index"`
	Value   string `json:"value"` // in hexadecimal; 0x8000000000000000 is half of all draws
}

// EncodeSchedule is a schedule of a program as JSON. It refuses one that names what the
// program does not have, or has more than one of.
func EncodeSchedule(p *sim.Program, s *Schedule) ([]byte, error) { return encode(p, s, nil) }

// EncodeFailure is a failure of a program as JSON: its schedule, and how it fails. The
// stack of a panic is left out, since it names places of this machine.
func EncodeFailure(p *sim.Program, f *Failure) ([]byte, error) { return encode(p, &f.Schedule, f) }

func encode(p *sim.Program, s *Schedule, f *Failure) ([]byte, error) {
	n := naming{program: p}
	r := record{Format: textFormat, Digests: sim.DigestVersion, Seed: s.Seed, Minimal: s.Minimal}
	for i := range s.Faults {
		n.where = fmt.Sprintf("fault %d", i+1)
		r.Faults = append(r.Faults, n.fault(&s.Faults[i]))
	}
	for i := range s.Overrides {
		n.where = fmt.Sprintf("override %d", i+1)
		r.Overrides = append(r.Overrides, n.override(s, &s.Overrides[i]))
	}
	if f != nil {
		n.where = "failure"
		r.Failure = n.outcome(f)
	}
	if n.err != nil {
		return nil, n.err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(&r); err != nil {
		return nil, err
	}
	if b.Len() > MaxText {
		return nil, fmt.Errorf("the schedule is too large: %d bytes, want at most %d", b.Len(), MaxText)
	}
	return b.Bytes(), nil
}

// DecodeSchedule reads a schedule of a program, of a text that may be a failure's.
func DecodeSchedule(p *sim.Program, text []byte) (*Schedule, error) {
	r, err := parse(text)
	if err != nil {
		return nil, err
	}
	return r.schedule(p)
}

// DecodeFailure reads a failure of a program.
func DecodeFailure(p *sim.Program, text []byte) (*Failure, error) {
	r, err := parse(text)
	if err != nil {
		return nil, err
	}
	if r.Failure == nil {
		return nil, errors.New("it is a schedule without a failure")
	}
	s, err := r.schedule(p)
	if err != nil {
		return nil, err
	}
	n := naming{program: p, where: "failure"}
	f := n.failure(r.Failure)
	if n.err != nil {
		return nil, n.err
	}
	f.Schedule = *s
	return f, nil
}

// parse reads the text, and is strict: it is one document of a format that is known,
// and has nothing else in it.
func parse(text []byte) (*record, error) {
	if len(text) > MaxText {
		return nil, fmt.Errorf("it is too large: %d bytes, want at most %d", len(text), MaxText)
	}
	var head struct {
		Format string `json:"format"`
	}
	if err := json.NewDecoder(bytes.NewReader(text)).Decode(&head); err != nil {
		return nil, broken(err)
	}
	if head.Format != textFormat {
		if _, err := strconv.ParseUint(strings.TrimPrefix(head.Format, textFormats), 10, 32); err == nil && strings.HasPrefix(head.Format, textFormats) {
			return nil, fmt.Errorf("its format is %s, which is newer: this fencepost reads %s", head.Format, textFormat)
		}
		return nil, fmt.Errorf("it is not of the format %s: it says %q", textFormat, head.Format)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	var r record
	if err := d.Decode(&r); err != nil {
		return nil, broken(err)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("something comes after its end")
	}
	return &r, nil
}

// broken says in plain words that a text is not what it should be.
func broken(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it ends in the middle")
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}
