package record

import (
	"slices"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/format"
	"fencepost/sim"
)

// Replayed is what came of a record that was run again.
type Replayed struct {
	Scenario *format.Scenario // as it was run
	Verdict  Broken           // of the property of the record; AtNS is -1 if it is not violated
	Steps    uint64
	Digest   string

	// Reproduced says that the same property is violated, at the same instant and by the
	// same nodes.
	Reproduced bool
	// Same says that the whole run is the same, step by step.
	Same bool
	// Parting is where the run leaves that of the record, nil if that is not known: it may
	// be after the violation, or the record may not tell so much.
	Parting *result.Parting
}

// Replay loads a record and runs it.
func (r *Record) Replay(models []format.Model) (*Replayed, error) {
	s, err := r.Load(models)
	if err != nil {
		return nil, err
	}
	w, err := s.Program.NewWorld(s.Config)
	if err != nil {
		return nil, err
	}
	res := w.Run(s.Seed)
	got := &Replayed{Scenario: s, Verdict: r.outcome(s, w, res), Steps: res.Steps, Digest: digest(res.Digest)}
	want := &r.Verdict
	got.Reproduced = got.Verdict.Panic == want.Panic && got.Verdict.AtNS == want.AtNS && slices.Equal(got.Verdict.Nodes, want.Nodes)
	got.Same = got.Digest == r.Digest && got.Steps == r.Steps
	if r.Digests != sim.DigestVersion {
		got.Same = got.Steps == r.Steps // the digests cannot be compared
	}
	if got.Same && r.Digests == sim.DigestVersion {
		return got, nil
	}
	lines, _, err := trail(s, want.At(), maxTrail)
	if err != nil {
		return nil, err
	}
	got.Parting = r.Part(lines)
	got.Same = got.Same && got.Parting == nil
	return got, nil
}

// outcome is the result of a run in what the record is about.
func (r *Record) outcome(s *format.Scenario, w sim.Runner, res *sim.Result) Broken {
	if res.Panic != nil {
		return Broken{Panic: true, AtNS: int64(res.Panic.At), Nodes: []string{res.Panic.Name}, Why: oneLine(res.Panic.Value)}
	}
	none := Broken{Property: r.Verdict.Property, AtNS: -1}
	i := slices.Index(s.Program.Properties, r.Verdict.Property)
	if i < 0 || res.Properties[i].Verdict != sim.Violated {
		return none
	}
	f := &res.Properties[i]
	b := Broken{Property: r.Verdict.Property, AtNS: int64(f.First), Why: oneLine(w.Why(i))}
	for _, id := range f.Nodes {
		if id != sim.None {
			b.Nodes = append(b.Nodes, s.Program.Nodes[id-1])
		}
	}
	return b
}

// Part finds the first step at which a trail differs from that of the record, nil if
// there is none as far as the record tells.
func (r *Record) Part(trail []string) *result.Parting {
	for i := range max(len(r.Trail), len(trail)) {
		p := result.Parting{Step: i + 1}
		if i < len(r.Trail) {
			p.Recorded = r.Trail[i]
		} else if r.Omitted > 0 {
			return nil
		}
		if i < len(trail) {
			p.Replayed = trail[i]
		}
		if p.Recorded != p.Replayed {
			return &p
		}
	}
	return nil
}

// trail is the steps of the run of a scenario up to an instant, a line each, and how
// many more there are than most.
func trail(s *format.Scenario, until sim.Time, most int) (lines []string, more int, err error) {
	c := s.Config
	c.Until = min(c.Until, until.Add(1))
	w, err := s.Program.NewWorld(c)
	if err != nil {
		return nil, 0, err
	}
	all := int(w.Run(s.Seed).Steps)
	// A journal takes much longer than a run, and most runs have far more steps than the
	// trail: it is kept of the first part of the run that has enough of them.
	for part := sim.Time(64); ; part /= 4 {
		short := c
		short.Until = c.Until / part
		if lines, err = firstSteps(s, short, most); err != nil {
			return nil, 0, err
		}
		if len(lines) == most || part == 1 {
			return lines, all - len(lines), nil
		}
	}
}

// firstSteps is a line for each of the first steps of a run, at most that many.
func firstSteps(s *format.Scenario, c sim.Config, most int) (lines []string, err error) {
	if c.Until <= 0 {
		return nil, nil
	}
	w, err := s.Program.NewWorld(c)
	if err != nil {
		return nil, err
	}
	var j sim.Journal
	w.Watch(sim.Watch{Journal: &j})
	w.Run(s.Seed)
	name := func(id sim.NodeID) string { return s.Program.Nodes[id-1] }
	for i := range j.Entries {
		e := &j.Entries[i]
		if e.Step == 0 { // what was done to a node
			continue
		}
		if len(lines) == most {
			break
		}
		line := oneLine(e.At.String() + " " + e.Line(name))
		if len(line) > maxLine {
			line = strings.ToValidUTF8(line[:maxLine-len("...")], "") + "..."
		}
		lines = append(lines, line)
	}
	return lines, nil
}
