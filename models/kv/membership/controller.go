package membership

import (
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
)

// Change is a join or a leave that an operator asks for.
type Change struct {
	At    time.Duration
	Node  sim.NodeID
	Leave bool
}

// Controller changes the ring: as an operator asks for, or as the load demands. It makes one
// change at a time. What it knows is durable.
type Controller struct {
	*core.Settings
	Changes []Change
	Scale   *Scale // nil: the load changes nothing
	Clients []sim.NodeID

	begun   sim.Mono
	started bool
	at      int // of Changes: the next
	ring    uint16
	change  uint32 // number of the latest
	stage   stage
	subject sim.NodeID // that joins or leaves
	does    core.Direction
	to      uint16 // the ring that the change leads to
	waiting []bool // by node: for its answer
	left    int    // of these
	load    load
}

// stage is how far a change is.
type stage uint8

// The stages. A change without streams is Switched at once.
const (
	idle stage = iota
	writingBoth
	fetching
	readingNew
	switching
	forgetting // before all others
)

var phases = [forgetting + 1]core.Phase{writingBoth: core.WriteBoth, readingNew: core.ReadNew, switching: core.Switched}

// Step implements [sim.Node].
func (c *Controller) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; m.Kind {
	case core.Start:
		c.begin(in, out)
	case core.ChangeDue:
		c.due(in, out)
	case core.SendAgain:
		if c.stage != idle && m.Change() == c.change {
			c.notify(out)
			out.After(core.StreamRetry, core.NewOfChange(core.SendAgain, c.change))
		}
	case core.AnnounceAck:
		if m.Change() == c.change && m.Phase() == phases[c.stage] {
			c.answered(in, out)
		}
	case core.Forgotten:
		if m.Change() == c.change && c.stage == forgetting {
			c.answered(in, out)
		}
	case core.FetchDone:
		if m.Change() == c.change && c.stage == fetching {
			c.answered(in, out)
		}
	case core.SampleDue:
		c.sample(in, out)
	case core.LoadAnswer:
		c.loadOf(in, out)
	default:
		panic("kv: a controller got " + m.String())
	}
}

func (c *Controller) begin(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if !c.started {
		c.started, c.begun = true, in.Mono
		c.ring = uint16(c.Ring.Number)
	}
	for i := c.at; i < len(c.Changes); i++ {
		wait := time.Duration(0)
		if due := c.begun.Add(c.Changes[i].At); in.Mono.Before(due) {
			wait = due.Sub(in.Mono)
		}
		out.After(wait, core.NewChangeDue(i))
	}
	if c.stage != idle {
		out.After(core.StreamRetry, core.NewOfChange(core.SendAgain, c.change))
	}
	if c.Scale != nil {
		out.After(c.Scale.Every, core.Msg{Kind: core.SampleDue})
	}
}

// due is a change that an operator asks for. Ring i has the changes whose bits are set in i.
func (c *Controller) due(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	nth := in.Msg.NthDue()
	change := &c.Changes[nth]
	c.at = nth + 1
	does := core.Joins
	if change.Leave {
		does = core.Leaves
	}
	to := c.ring | 1<<nth
	if c.stage != idle || c.Rings[to] == nil {
		reason := core.NewChangeRefused(does, change.Node, c.Rings[c.ring].IsMember(change.Node))
		if c.stage != idle {
			reason.SetOngoing(c.does, c.subject)
		}
		out.Note(reason)
		return
	}
	c.start(in, out, does, change.Node, to)
}

// start starts a change.
func (c *Controller) start(_ sim.In[core.Msg], out *sim.Out[core.Msg], does core.Direction, subject sim.NodeID, to uint16) {
	c.change++
	c.does, c.subject, c.to = does, subject, to
	out.Note(core.NewChangeNote(core.ChangeStarted, does, subject, c.change, c.rings()))
	c.stage = writingBoth
	switch {
	case !c.Stream:
		c.stage = switching
	case c.change > 1: // before the first, no node has keys that it does not store
		if c.waitForGains(); c.left > 0 {
			c.stage = forgetting
		}
	}
	if c.stage != forgetting {
		c.waitForAll()
	}
	c.notify(out)
	out.After(core.StreamRetry, core.NewOfChange(core.SendAgain, c.change))
}

// rings names the old and the new ring.
func (c *Controller) rings() core.Transition { return core.NewTransition(c.ring, c.to) }

// waitForAll waits for an answer of each node of the old and of the new ring.
func (c *Controller) waitForAll() {
	c.clearWaiting()
	for _, r := range []*core.Ring{c.Rings[c.ring], c.Rings[c.to]} {
		for i := range r.Nodes {
			c.wait(r.Member(i))
		}
	}
}

// waitForGains waits for an answer of each node that gains keys.
func (c *Controller) waitForGains() {
	c.clearWaiting()
	before, after := c.Rings[c.ring], c.Rings[c.to]
	for key := range uint32(before.Keys()) {
		for i := range c.N {
			if id := after.At(key, i); !before.Has(key, c.N, id) {
				c.wait(id)
			}
		}
	}
}

func (c *Controller) clearWaiting() {
	c.waiting, c.left = append(c.waiting[:0], make([]bool, c.Nodes+1)...), 0
}

func (c *Controller) wait(id sim.NodeID) {
	if !c.waiting[id] {
		c.waiting[id] = true
		c.left++
	}
}

// notify tells each node that has not answered what the stage is.
func (c *Controller) notify(out *sim.Out[core.Msg]) {
	var m core.Msg
	switch c.stage {
	case forgetting:
		m = core.NewGains(core.Forget, c.change, c.rings())
	case fetching:
		m = core.NewGains(core.Fetch, c.change, c.rings())
	default:
		m = core.NewAnnounce(phases[c.stage], c.change, c.rings())
	}
	for id := range c.waiting {
		if c.waiting[id] {
			out.Send(sim.NodeID(id), m)
		}
	}
	if c.stage == readingNew || c.stage == switching {
		for _, id := range c.Clients {
			out.Send(id, m)
		}
	}
}

// answered is an answer of a node. The last one ends the stage.
func (c *Controller) answered(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if !c.waiting[in.From] {
		return
	}
	c.waiting[in.From] = false
	if c.left--; c.left > 0 {
		return
	}
	switch c.stage {
	case forgetting:
		c.stage = writingBoth
		c.waitForAll()
	case writingBoth:
		c.stage = fetching
		if c.waitForGains(); c.left > 0 {
			break
		}
		fallthrough
	case fetching:
		c.stage = readingNew
		c.waitForAll()
	case readingNew:
		c.stage = switching
		c.waitForAll()
	case switching:
		out.Note(core.NewChangeNote(core.ChangeDone, c.does, c.subject, c.change, c.rings()))
		c.stage, c.ring = idle, c.to
		c.load.rested(in.Mono)
		return
	}
	c.notify(out)
}

// Reset implements [sim.Resetter].
func (c *Controller) Reset(initial *Controller) {
	waiting, answered := c.waiting, c.load.answered
	*c = *initial
	c.waiting = append(waiting[:0], initial.waiting...)
	c.load.answered = append(answered[:0], initial.load.answered...)
}

// Recover implements [sim.Recoverer].
func (c *Controller) Recover(before *Controller) { c.Reset(before) }

// Print implements [sim.Printer].
func (c *Controller) Print(p *sim.Print) {
	p.Fold(uint64(c.begun), core.One(c.started)|uint64(c.at)<<1|uint64(c.ring)<<32|uint64(c.to)<<48,
		uint64(c.change)|uint64(c.stage)<<32|uint64(c.does)<<40, uint64(c.subject)|uint64(c.left)<<32)
	for _, w := range c.waiting {
		p.Fold(core.One(w))
	}
	c.load.print(p)
}
