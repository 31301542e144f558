package page

import (
	"maps"
	"slices"
	"strings"

	"fencepost/internal/printable"
	"fencepost/reports"
	"fencepost/sim"
)

// Recorded is what the engine wrote down of a run.
type Recorded struct {
	Program  *sim.Program
	Journal  *sim.Journal
	Timeline *sim.Timeline
	Order    sim.EventOrder // of a model with events of its own, else nil
	Result   *sim.Result
	Why      func(property int) string
	Faults   []string // in words
}

// Collect turns what was written down into the document of a page. Of a run with more than most
// events it has those around the first violation, or the first ones if there is none; most 0 is
// [MaxEvents]. What the caller knows of the scenario is still to be filled in.
func Collect(in *Recorded, most int) *Run {
	if most == 0 {
		most = MaxEvents
	}
	c := collector{in: in, panicked: -1, known: map[string]int{}, out: &Run{Schema: Schema, Seed: in.Result.Seed,
		Digest: reports.Digest(in.Result.Digest), EndNS: int64(in.Result.End), Strings: []string{}, Faults: harmless(in.Faults),
		Nodes: harmless(in.Program.Nodes), Kinds: harmless(in.Program.Kinds), States: harmless(in.Program.States),
		Exclusive: harmless(in.Program.Exclusive), Spans: []Span{}, Marks: []Mark{}, Violations: []Violation{}}}
	c.divide()
	c.properties()
	c.window(most)
	states := c.states()
	for n := c.from; n < c.to; n++ {
		c.event(n)
		c.out.Events.State = append(c.out.Events.State, c.fields(states, n))
	}
	c.out.Counted = c.counted()
	c.out.Events.trim()
	c.timeline()
	return c.out
}

// Harmless is a text without characters that could turn what follows around.
func Harmless(s string) string { return string(printable.Escape(nil, []byte(s))) }

func harmless(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = Harmless(s)
	}
	return out
}

type collector struct {
	in       *Recorded
	out      *Run
	known    map[string]int // by text: its place in Strings
	parts    []part
	firstOf  []int // by entry: its first part
	ownOf    []int // by event of the model's own: its part
	from, to int   // the parts that are on the page
	panicked int   // the entry in which a step panicked, -1 if none did
	seen     map[copied]bool
}

// copied names a message as it arrives: another of the same name is its copy.
type copied struct {
	cause int
	node  sim.NodeID
	msg   string
}

// properties are the verdicts, with the entry of each violation.
func (c *collector) properties() {
	r := c.in.Result
	for i, f := range r.Properties {
		p := Property{Name: Harmless(c.in.Program.Properties[i]), Verdict: f.Verdict.String(), Bound: Harmless(c.in.Program.Bounds[i].Text)}
		c.out.Properties = append(c.out.Properties, p)
		if f.Verdict != sim.Violated {
			continue
		}
		v := Violation{Property: p.Name, AtNS: int64(f.First), Why: Harmless(c.in.Why(i)), Nodes: []int{}, Event: c.turned(i)}
		for _, id := range f.Nodes {
			if id != sim.None && !slices.Contains(v.Nodes, int(id)) {
				v.Nodes = append(v.Nodes, int(id))
			}
		}
		if v.Event < 0 || c.entry(v.Event).At != f.First {
			v.Event = c.last(f.First, f.Nodes[0])
		}
		c.out.Violations = append(c.out.Violations, v)
	}
	if p := r.Panic; p != nil {
		v := Violation{Property: reports.PanicViolation, AtNS: int64(p.At), Nodes: []int{int(p.Node)}, Event: c.last(p.At, p.Node),
			Why: Harmless(p.Name + " panics, handling " + p.Message + ": " + p.Value)}
		if v.Event >= 0 {
			c.panicked = int(c.parts[v.Event].entry)
		}
		c.out.Violations = append(c.out.Violations, v)
	}
	slices.SortStableFunc(c.out.Violations, func(a, b Violation) int { return int(min(max(a.AtNS-b.AtNS, -1), 1)) })
}

// turned is the part with which a property was violated, -1 if there is none.
func (c *collector) turned(property int) int {
	entry := c.in.Journal.Turned[property]
	if entry < 0 {
		return -1
	}
	for own := range c.in.Journal.Own {
		if slices.Contains(c.in.Journal.Own[own].Violates, property) {
			return c.ownOf[own]
		}
	}
	return c.lastOf(entry)
}

// last is the last part of a node until an instant, of any node if that is None; -1 if there is none.
func (c *collector) last(at sim.Time, node sim.NodeID) int {
	for n := len(c.parts) - 1; n >= 0; n-- {
		if e := c.entry(n); e.At <= at && (node == sim.None || e.Node == node) {
			return n
		}
	}
	return -1
}

// entry is that of a part.
func (c *collector) entry(n int) *sim.Entry { return &c.in.Journal.Entries[c.parts[n].entry] }

// window chooses the parts that the page has.
func (c *collector) window(most int) {
	all := len(c.parts)
	if c.to = all; all > most {
		middle := 0
		if len(c.out.Violations) > 0 {
			middle = max(c.out.Violations[0].Event, 0)
		}
		c.from = min(max(middle-most*3/4, 0), all-most)
		c.to = c.from + most
		c.out.Left = &Left{Before: c.from, After: all - c.to, FromNS: int64(c.entry(c.from).At), ToNS: int64(c.entry(c.to - 1).At)}
	}
	c.seen = make(map[copied]bool, c.to-c.from)
	for i := range c.out.Violations {
		if v := &c.out.Violations[i]; v.Event >= c.to || v.Event < c.from {
			v.Event = -1
		} else {
			v.Event -= c.from
		}
	}
}

// event adds one part.
func (c *collector) event(n int) {
	p, e, out := c.parts[n], c.entry(n), &c.out.Events
	before := sim.Time(0)
	if out.Count > 0 {
		before = c.entry(n - 1).At
	}
	cause := c.causeOf(p)
	flags, ago := c.flags(n, cause), 0
	if cause >= c.from {
		ago = n - cause
	}
	var from, took, late, mono, wall int64
	if p.first {
		took, late = int64(e.At-e.Sent), int64(e.At-e.Due)
		if e.Step > 0 && e.From != e.Node {
			from = int64(e.From)
		}
	}
	if e.Node != sim.None {
		mono, wall = int64(e.Mono)-int64(e.At), int64(e.Wall)-int64(e.At)
	}
	text, told := c.words(n)
	out.Count++
	out.At = append(out.At, int64(e.At-before))
	out.Node, out.Flags, out.Cause = append(out.Node, int(e.Node)), append(out.Flags, flags), append(out.Cause, ago)
	out.From, out.To, out.Kind = append(out.From, int(from)), append(out.To, int(e.To)), append(out.Kind, int(e.Kind))
	out.Took, out.Late = append(out.Took, took), append(out.Late, late)
	out.Mono, out.Wall, out.Fault = append(out.Mono, mono), append(out.Wall, wall), append(out.Fault, e.Fault)
	out.Text, out.Told = append(out.Text, c.all(text)), append(out.Told, c.all(told))
	name := 0
	if p.own >= 0 {
		name = c.all([]string{c.in.Order.Event(int(p.own)).Name})[0] + 1
	}
	out.Name = append(out.Name, name)
}

// states is, by node, its state at the start of the page.
func (c *collector) states() map[sim.NodeID]map[string]string {
	all := map[sim.NodeID]map[string]string{}
	if c.from == c.to {
		return all
	}
	for i := range c.parts[c.from].entry {
		for _, f := range c.in.Journal.Entries[i].Changed {
			node := c.in.Journal.Entries[i].Node
			if all[node] == nil {
				all[node] = map[string]string{}
			}
			all[node][f.Name] = f.Value
		}
	}
	return all
}

// fields is what a part changed of the state of its node, which is that of the whole step for its last part; of the
// first one of a node it is all of the state.
func (c *collector) fields(before map[sim.NodeID]map[string]string, n int) []int {
	e := c.entry(n)
	list := []string{}
	if n != c.lastOf(int(c.parts[n].entry)) {
		return c.all(list)
	}
	if old := before[e.Node]; old != nil && e.Step > 0 {
		for _, f := range e.Changed {
			delete(old, f.Name)
		}
		for _, name := range slices.Sorted(maps.Keys(old)) {
			if old[name] != "" {
				list = append(list, name, old[name])
			}
		}
		delete(before, e.Node)
	}
	for _, f := range e.Changed {
		list = append(list, f.Name, f.Value)
	}
	return c.all(list)
}

// flags says what a part is, of which another is the cause.
func (c *collector) flags(n, cause int) (flags int) {
	p, e := c.parts[n], c.entry(n)
	set := func(flag int, on bool) {
		if on {
			flags |= flag
		}
	}
	set(IsStep, e.Step > 0)
	set(IsAlarm, e.Alarm && p.first)
	set(IsIdle, e.Idle)
	set(IsNote, p.own >= 0 || c.lastOf(int(p.entry)) == n && (e.Noted || len(e.Description) > 0))
	set(IsEnd, e.Ends)
	set(IsOutside, cause >= 0 && cause < c.from)
	set(IsPanic, int(p.entry) == c.panicked && c.lastOf(c.panicked) == n)
	set(IsPart, !p.first)
	if e.To != sim.None {
		set(IsBuffered, strings.Contains(e.Text, ", which is buffered"))
		set(IsLost, strings.HasSuffix(e.Text, ", which is lost") || strings.HasSuffix(e.Text, ", which finds it down"))
	}
	if e.Step > 0 && e.From != e.Node && e.Cause >= 0 && p.first {
		name := copied{e.Cause, e.Node, e.Msg}
		set(IsCopy, c.seen[name] && !c.twice(e))
		c.seen[name] = true
	}
	return flags
}

// twice reports whether the step that sent a message sent it more than once.
func (c *collector) twice(e *sim.Entry) bool {
	sent := "sends " + c.in.Program.Nodes[e.Node-1] + ": " + e.Msg
	return strings.Count(c.in.Journal.Entries[e.Cause].Text, sent) > 1
}

func (c *collector) all(list []string) []int {
	out := make([]int, len(list))
	for i, s := range list {
		n, ok := c.known[s]
		if !ok {
			n = len(c.out.Strings)
			c.known[s] = n
			c.out.Strings = append(c.out.Strings, Harmless(s))
		}
		out[i] = n
	}
	return out
}

// trim leaves out the lists that say nothing.
func (e *Events) trim() {
	for _, list := range []*[]int64{&e.Took, &e.Late, &e.Mono, &e.Wall} {
		if !slices.ContainsFunc(*list, func(n int64) bool { return n != 0 }) {
			*list = nil
		}
	}
	for _, list := range []*[]int{&e.From, &e.To, &e.Fault, &e.Name} {
		if !slices.ContainsFunc(*list, func(n int) bool { return n != 0 }) {
			*list = nil
		}
	}
	for _, lists := range []*[][]int{&e.Told, &e.State} {
		if !slices.ContainsFunc(*lists, func(list []int) bool { return len(list) > 0 }) {
			*lists = nil
		}
	}
}

// timeline adds what nodes were in when, as far as the page has it.
func (c *collector) timeline() {
	from, to := int64(0), c.out.EndNS
	if l := c.out.Left; l != nil {
		from, to = l.FromNS, l.ToNS
	}
	for _, s := range c.in.Timeline.Spans {
		if int64(s.To) >= from && int64(s.From) <= to {
			c.out.Spans = append(c.out.Spans, Span{Node: int(s.Node), State: slices.Index(c.in.Program.States, s.State), FromNS: int64(s.From), ToNS: int64(s.To)})
		}
	}
	for _, m := range c.in.Timeline.Instants {
		if int64(m.At) >= from && int64(m.At) <= to {
			c.out.Marks = append(c.out.Marks, Mark{Node: int(m.Node), By: int(m.By), AtNS: int64(m.At), What: Harmless(m.Mark)})
		}
	}
}
