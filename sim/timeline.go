package sim

import (
	"fmt"
	"slices"
)

// State is what a node is in from one of its notes to another, as a [Timeline] shows it.
// A crash ends it.
type State[M Message] struct {
	Name  string
	Enter []Kind // of a node that is in it already, such a note begins nothing
	Leave []Kind
	// Until, if there is one, says when the state is over even without a note: at the
	// first instant at which a clock of the node has a reading. Each note of Enter says it
	// anew, and a change of the clock moves the instant.
	Until func(m *M) (ClockID, int64)
	// Exclusive says that no two nodes should be in it at once.
	Exclusive bool
}

// Mark is a kind of note that a [Timeline] shows as an instant.
type Mark[M Message] struct {
	Name string
	On   []Kind
	// By, if there is one, is the node whose doing it is.
	By func(m *M) NodeID
}

// What a timeline shows of every model.
const (
	StatePaused = "paused"
	StateDown   = "down"
	MarkStepped = "clock stepped"
)

// Timeline is what each node was in when, and what happened at instants, in one run.
type Timeline struct {
	Most     int // spans and instants are kept; 0: any number
	Spans    []Span
	Instants []Instant
	More     int // for which there was no room
}

// Span is how long a node was in a state. One that was not over ends with the run.
type Span struct {
	Node     NodeID
	State    string
	From, To Time
}

// Instant is something without a length.
type Instant struct {
	Node NodeID
	By   NodeID // whose doing it is; None: no other node's
	Mark string
	At   Time
}

// chart makes the timeline of a run.
type chart[M Message] struct {
	w     *World[M]
	to    *Timeline
	slots []slot // by node, then by state: those of the model, paused, down
}

// slot is a node and a state that it may be in.
type slot struct {
	in      bool // so say its notes
	ends    bool // by itself, at a reading of a clock
	clock   ClockID
	reading int64
	until   Time
	span    int // under way, from 1; 0: none is; unkept: one for which there was no room
}

// unkept stands for a span that was counted in More.
const unkept = -1

func (c *chart[M]) states() int { return len(c.w.system.States) + 2 }

func (c *chart[M]) slot(id NodeID, state int) *slot { return &c.slots[int(id)*c.states()+state] }

func (c *chart[M]) reset() {
	if c == nil {
		return
	}
	*c.to = Timeline{Most: c.to.Most, Spans: c.to.Spans[:0], Instants: c.to.Instants[:0]}
	c.slots = make([]slot, c.states()*len(c.w.nodes))
}

// full counts what is not kept any more.
func (c *chart[M]) full() bool {
	if c.to.Most == 0 || len(c.to.Spans)+len(c.to.Instants) < c.to.Most {
		return false
	}
	c.to.More++
	return true
}

// observe takes down what an observation begins and ends.
func (c *chart[M]) observe(o *Observation[M]) {
	model := len(c.w.system.States)
	switch id := o.Node; o.Event {
	case Noted:
		c.note(o)
	case Paused:
		c.begin(id, model, StatePaused)
	case Resumed:
		c.end(id, model)
	case Crashed:
		for state := range model + 1 {
			c.end(id, state)
		}
		c.begin(id, model+1, StateDown)
	case Restarted:
		c.end(id, model+1)
	case ClockChanged:
		for state := range model {
			if s := c.slot(id, state); s.in && s.ends {
				c.set(id, state)
			}
		}
	}
}

func (c *chart[M]) note(o *Observation[M]) {
	kind := o.Msg.Label()
	for i := range c.w.system.States {
		switch s := &c.w.system.States[i]; {
		case slices.Contains(s.Enter, kind):
			if s.Until != nil {
				slot := c.slot(o.Node, i)
				slot.ends = true
				slot.clock, slot.reading = s.Until(&o.Msg)
				c.set(o.Node, i)
			} else {
				c.begin(o.Node, i, s.Name)
			}
		case slices.Contains(s.Leave, kind):
			c.end(o.Node, i)
		}
	}
	for i := range c.w.system.Marks {
		if m := &c.w.system.Marks[i]; slices.Contains(m.On, kind) {
			by := None
			if m.By != nil {
				by = m.By(&o.Msg)
			}
			c.mark(o.Node, by, m.Name)
		}
	}
}

// set lets a node be in a state until a clock has its reading. If a span ended so before
// now, it is over; another begins only if the reading is still to come.
func (c *chart[M]) set(id NodeID, state int) {
	s := c.slot(id, state)
	if s.span != 0 && s.until < c.w.now {
		c.close(s)
	}
	s.in, s.until = true, c.w.clocks[id].when(s.clock, s.reading, c.w.now)
	if s.span == 0 && s.until > c.w.now {
		c.begin(id, state, c.w.system.States[state].Name)
	}
}

func (c *chart[M]) begin(id NodeID, state int, name string) {
	s := c.slot(id, state)
	if s.in = true; s.span != 0 {
		return
	}
	if c.full() {
		s.span = unkept
		return
	}
	c.to.Spans = append(c.to.Spans, Span{Node: id, State: name, From: c.w.now})
	s.span = len(c.to.Spans)
}

func (c *chart[M]) end(id NodeID, state int) {
	s := c.slot(id, state)
	c.close(s)
	*s = slot{}
}

func (c *chart[M]) close(s *slot) {
	if s.span <= 0 {
		s.span = 0
		return
	}
	span := &c.to.Spans[s.span-1]
	if span.To = c.w.now; s.ends {
		span.To = max(span.From, min(s.until, c.w.now))
	}
	s.span = 0
}

// mark takes down an instant.
func (c *chart[M]) mark(id, by NodeID, name string) {
	if c != nil && !c.full() {
		c.to.Instants = append(c.to.Instants, Instant{Node: id, By: by, Mark: name, At: c.w.now})
	}
}

// finish ends what is under way at the end of the run.
func (c *chart[M]) finish() {
	if c == nil {
		return
	}
	for i := range c.slots {
		c.close(&c.slots[i])
	}
}

// checkTimeline refuses what no note can bring about.
func (s *System[M]) checkTimeline() (errs []error) {
	names := []string{StatePaused, StateDown, MarkStepped}
	check := func(noun, name string, lists ...[]Kind) {
		if name == "" || slices.Contains(names, name) {
			errs = append(errs, fmt.Errorf("%s %q: want a name of its own", noun, name))
		}
		names = append(names, name)
		for _, kinds := range lists {
			if len(kinds) == 0 {
				errs = append(errs, fmt.Errorf("%s %q: no note begins or ends it", noun, name))
			}
			for _, k := range kinds {
				if !slices.Contains(s.Notes, k) {
					errs = append(errs, fmt.Errorf("%s %q: kind %d is no note", noun, name, k))
				}
			}
		}
	}
	for _, state := range s.States {
		check("state", state.Name, state.Enter, state.Leave)
		for _, k := range state.Enter {
			if slices.Contains(state.Leave, k) {
				errs = append(errs, fmt.Errorf("state %q: kind %d begins and ends it", state.Name, k))
			}
		}
	}
	for _, m := range s.Marks {
		check("mark", m.Name, m.On)
	}
	return errs
}
