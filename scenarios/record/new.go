package record

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fencepost/scenarios/format"
	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
	"fencepost/sim/explore"
)

// Options are what a record tells besides the violation.
type Options struct {
	Version string // of fencepost; "" is "(devel)"
	Command string // that found it
	Trail   int    // how many steps it says in words; 0 is as many as a record may hold
}

// New makes the record of a failure that a search has found in a scenario, one
// that was loaded and not changed since. It replays what it has made, and an error says
// why that would not be the failure.
func New(s *format.Scenario, f *explore.Failure, o Options) (*Record, error) {
	if s.Models() == nil {
		return nil, errors.New("a record is of a scenario that was loaded")
	}
	r := &Record{Format: Format, Version: o.Version, Digests: sim.DigestVersion, Command: oneLine(o.Command),
		Scenario: s.Name, Source: s.Text, Seed: f.Seed, Minimal: f.Minimal, Steps: f.Steps, Digest: digest(f.Digest)}
	if g := s.Program.Goal; g != nil {
		r.Goal = g.Text
	}
	if r.Version == "" {
		r.Version = "(devel)"
	}
	if err := r.settle(s, f); err != nil {
		return nil, err
	}
	if err := r.draw(&s.Program, f); err != nil {
		return nil, err
	}
	r.Verdict = verdictOf(&s.Program, f)
	again, err := r.Load(s.Models())
	if err != nil {
		return nil, fmt.Errorf("the record of %s cannot be read back: %w", s.Name, err)
	}
	w, err := again.Program.NewWorld(again.Config)
	if err != nil {
		return nil, err
	}
	if res := w.Run(again.Seed); res.Digest != f.Digest {
		return nil, fmt.Errorf("%s: the replayed run differs from that which was found: digest %s, not %s", s.Name, digest(res.Digest), r.Digest)
	}
	if f.Property != explore.NoProperty {
		r.Verdict.Why = oneLine(w.Why(f.Property))
	}
	if r.Trail, r.Omitted, err = trail(again, r.Verdict.At(), cmp.Or(min(o.Trail, maxTrail), maxTrail)); err != nil {
		return nil, err
	}
	return r, nil
}

func digest(d uint64) string { return fmt.Sprintf("%016x", d) }

// settle writes down what the scenario is, with the faults of the failure.
func (r *Record) settle(s *format.Scenario, f *explore.Failure) error {
	r.Settings = slices.Clone(s.Sets)
	if !sameFaults(f.Faults, s.Written()) {
		text, err := faultsOf(s, f.Faults)
		if err != nil {
			return err
		}
		r.Settings = grid.Replaced(r.Settings, "faults", text)
		for _, property := range s.Certified { // a proof is of the scenario, and not of one run
			r.Settings = grid.Replaced(r.Settings, "expect."+property, "holds")
		}
	}
	again, err := s.With(r.Settings)
	if err != nil {
		return fmt.Errorf("the record of %s cannot be read back: %w", s.Name, err)
	}
	for _, in := range again.KeptFiles() {
		k := kept(&in)
		if i := slices.IndexFunc(r.Files, func(other Kept) bool { return other.Name == k.Name }); i < 0 {
			r.Files = append(r.Files, k)
		} else if r.Files[i].SHA256 != k.SHA256 {
			return fmt.Errorf("%s: two files are called %s: want another name for one of them", s.Name, k.Name)
		}
	}
	return nil
}

// kept is a file for the record.
func kept(in *format.KeptFile) Kept {
	k := Kept{Name: in.Name, Path: in.Path, SHA256: in.SHA256}
	switch {
	case in.Data == nil: // it is too large
	case plain(in.Data):
		k.Text = string(in.Data)
	default:
		k.Base64 = base64.StdEncoding.EncodeToString(in.Data)
	}
	return k
}

// plain reports whether bytes are a text that stays as it is in a record.
func plain(data []byte) bool {
	return utf8.Valid(data) && strings.IndexFunc(string(data), func(c rune) bool {
		return c != '\n' && c != '\t' && !unicode.IsPrint(c)
	}) < 0
}

// oneLine is a text on one line, with a ? for what a terminal might obey.
func oneLine(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\n' || c == '\t':
			return ' '
		case unicode.IsPrint(c):
			return c
		}
		return '?'
	}, text)
}

// sameFaults reports whether faults are those of the file.
func sameFaults(faults []sim.Fault, own []format.Written) bool {
	return slices.EqualFunc(faults, own, func(f sim.Fault, s format.Written) bool { return format.SameFault(&f, &s.Fault) })
}

// faultsOf is a list of faults as the value of `faults:`. Those of the file that name
// another file stay as they are written there.
func faultsOf(s *format.Scenario, faults []sim.Fault) (string, error) {
	texts := make([]string, len(faults))
	var errs []error
	for i := range faults {
		f := &faults[i]
		text, err := format.WriteFaultOf(&s.Program, faults, i)
		own := slices.IndexFunc(s.Written(), func(s format.Written) bool { return format.SameFault(f, &s.Fault) })
		if err != nil && own >= 0 {
			text, err = s.Written()[own].Text, nil
		}
		texts[i] = text
		errs = append(errs, err)
	}
	text := "[" + strings.Join(texts, ", ") + "]"
	if len(text) > strict.MaxSize {
		errs = append(errs, fmt.Errorf("%d faults are too many for a record", len(faults)))
	}
	return text, errors.Join(errs...)
}

// draw writes down the draws of the failure. Those of faults that it has not decide
// nothing.
func (r *Record) draw(p *sim.Program, f *explore.Failure) error {
	names := map[uint64]string{}
	for i := range f.Faults {
		names[f.Faults[i].Stream()] = f.Faults[i].Name
	}
	for _, o := range f.Overrides {
		d := o.Draw
		if int(d.Purpose) >= len(purposes) || int(d.From) > len(p.Nodes) || int(d.To) > len(p.Nodes) {
			return fmt.Errorf("no draw of this scenario: %+v", d)
		}
		n := Drawn{Purpose: purposes[d.Purpose], Index: d.Index, Value: fmt.Sprintf("0x%016x", o.Value)}
		if d.From != sim.None {
			n.From = p.Nodes[d.From-1]
		}
		if d.To != sim.None {
			n.To = p.Nodes[d.To-1]
		}
		if d.Purpose == sim.Faults {
			var ok bool
			if n.Fault, ok = names[d.Name]; !ok {
				continue
			}
		}
		r.Draws = append(r.Draws, n)
	}
	if len(r.Draws) > maxDraws {
		return fmt.Errorf("%d draws are too many for a record: want at most %d, as a failure has that was made small", len(r.Draws), maxDraws)
	}
	return nil
}

// verdictOf is the violation of a failure.
func verdictOf(p *sim.Program, f *explore.Failure) Broken {
	if f.Property == explore.NoProperty {
		return Broken{Panic: true, AtNS: int64(f.Panic.At), Nodes: []string{p.Nodes[f.Panic.Node-1]}, Why: oneLine(f.Panic.Value)}
	}
	b := Broken{Property: p.Properties[f.Property], AtNS: int64(f.Finding.First)}
	for _, id := range f.Finding.Nodes {
		if id != sim.None {
			b.Nodes = append(b.Nodes, p.Nodes[id-1])
		}
	}
	return b
}
