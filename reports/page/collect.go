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
	c.properties()
	c.window(most)
	states := c.states()
	for i := c.from; i < c.to; i++ {
		c.event(i)
		c.out.Events.State = append(c.out.Events.State, c.fields(states, i))
	}
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
	from, to int            // the entries that are on the page
	panicked int            // the entry in which a step panicked, -1 if none did
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
		v := Violation{Property: p.Name, AtNS: int64(f.First), Why: Harmless(c.in.Why(i)), Nodes: []int{}, Event: c.in.Journal.Turned[i]}
		for _, id := range f.Nodes {
			if id != sim.None && !slices.Contains(v.Nodes, int(id)) {
				v.Nodes = append(v.Nodes, int(id))
			}
		}
		if v.Event < 0 || c.in.Journal.Entries[v.Event].At != f.First {
			v.Event = c.last(f.First, f.Nodes[0])
		}
		c.out.Violations = append(c.out.Violations, v)
	}
	if p := r.Panic; p != nil {
		c.panicked = c.last(p.At, p.Node)
		v := Violation{Property: reports.PanicViolation, AtNS: int64(p.At), Nodes: []int{int(p.Node)}, Event: c.panicked,
			Why: Harmless(p.Name + " panics, handling " + p.Message + ": " + p.Value)}
		c.out.Violations = append(c.out.Violations, v)
	}
	slices.SortStableFunc(c.out.Violations, func(a, b Violation) int { return int(min(max(a.AtNS-b.AtNS, -1), 1)) })
}

// last is the last entry of a node until an instant, of any node if that is None; -1 if there is none.
func (c *collector) last(at sim.Time, node sim.NodeID) int {
	for i := len(c.in.Journal.Entries) - 1; i >= 0; i-- {
		if e := &c.in.Journal.Entries[i]; e.At <= at && (node == sim.None || e.Node == node) {
			return i
		}
	}
	return -1
}

// window chooses the entries that the page has.
func (c *collector) window(most int) {
	all := len(c.in.Journal.Entries)
	if c.to = all; all > most {
		middle := 0
		if len(c.out.Violations) > 0 {
			middle = max(c.out.Violations[0].Event, 0)
		}
		c.from = min(max(middle-most*3/4, 0), all-most)
		c.to = c.from + most
		c.out.Left = &Left{Before: c.from, After: all - c.to, FromNS: int64(c.in.Journal.Entries[c.from].At), ToNS: int64(c.in.Journal.Entries[c.to-1].At)}
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

// event adds one entry.
func (c *collector) event(i int) {
	e, out := &c.in.Journal.Entries[i], &c.out.Events
	before := sim.Time(0)
	if out.Count > 0 {
		before = c.in.Journal.Entries[i-1].At
	}
	flags, cause := c.flags(i), 0
	if e.Cause >= c.from {
		cause = i - e.Cause
	}
	from := 0
	if e.Step > 0 && e.From != e.Node {
		from = int(e.From)
	}
	var mono, wall int64
	if e.Node != sim.None {
		mono, wall = int64(e.Mono)-int64(e.At), int64(e.Wall)-int64(e.At)
	}
	text := strings.TrimSpace(e.Text)
	if flags&IsPanic != 0 {
		text = "panics, handling " + c.in.Result.Panic.Message + ": " + c.in.Result.Panic.Value
	}
	if text == "" {
		text = strings.Join(e.Detail, "; ")
	}
	out.Count++
	out.At = append(out.At, int64(e.At-before))
	out.Node, out.Flags, out.Cause = append(out.Node, int(e.Node)), append(out.Flags, flags), append(out.Cause, cause)
	out.From, out.To, out.Kind = append(out.From, from), append(out.To, int(e.To)), append(out.Kind, int(e.Kind))
	out.Took, out.Late = append(out.Took, int64(e.At-e.Sent)), append(out.Late, int64(e.At-e.Due))
	out.Mono, out.Wall, out.Fault = append(out.Mono, mono), append(out.Wall, wall), append(out.Fault, e.Fault)
	out.Text = append(out.Text, c.parts(text))
	out.Told = append(out.Told, c.all(e.Description))
}

// states is, by node, its state at the begin of the page.
func (c *collector) states() map[sim.NodeID]map[string]string {
	all := map[sim.NodeID]map[string]string{}
	for i := range c.from {
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

// fields is what an entry changed of the state of its node; of the first one of a node it is all of the state.
func (c *collector) fields(before map[sim.NodeID]map[string]string, i int) []int {
	e := &c.in.Journal.Entries[i]
	list := []string{}
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

// flags says what an entry is.
func (c *collector) flags(i int) (flags int) {
	e := &c.in.Journal.Entries[i]
	set := func(flag int, on bool) {
		if on {
			flags |= flag
		}
	}
	set(IsStep, e.Step > 0)
	set(IsAlarm, e.Alarm)
	set(IsIdle, e.Idle)
	set(IsNote, e.Noted || len(e.Description) > 0)
	set(IsEnd, e.Ends)
	set(IsOutside, e.Cause >= 0 && e.Cause < c.from)
	set(IsPanic, i == c.panicked)
	if e.To != sim.None {
		set(IsHeld, strings.Contains(e.Text, ", which is held back"))
		set(IsLost, strings.HasSuffix(e.Text, ", which is lost") || strings.HasSuffix(e.Text, ", which finds it down"))
	}
	if e.Step > 0 && e.From != e.Node && e.Cause >= 0 {
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

// parts are the parts of a text that semicolons part.
func (c *collector) parts(text string) []int {
	if text == "" {
		return []int{}
	}
	return c.all(strings.Split(text, "; "))
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
	for _, list := range []*[]int{&e.From, &e.To, &e.Fault} {
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
