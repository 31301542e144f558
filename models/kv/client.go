package kv

import (
	"time"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// Client reads and writes keys, one operation after the other: those of a script, or of a
// workload. It remembers of each key what it has read last, and sends that along with a
// write.
//
// A request that takes too long is given up. After a crash a client continues with its next
// operation and remembers nothing.
type Client struct {
	*core.Settings
	Ring       *core.Ring // as it knows it
	Script     []Action
	Start      time.Duration
	Repeat     int           // rounds of the script
	Think      sim.Dist      // from one round to the next
	SkipsRound bool          // after a request that fails: the steps up to the next round are left out
	Every      time.Duration // from the start of one round to that of the next, and what "at" counts from; 0, see Think
	Workload   *Workload
	Number     uint32 // among the clients, from 1
	Patience   time.Duration
	Route      Route
	Session    *Session

	begun  sim.Mono // the script; with Every, the round
	round  int
	at     int    // in the script, or in the workload
	req    uint32 // the latest request
	busy   bool   // it is out
	key    uint32 // of it
	writes uint32
	write  *version.Write // nil: it is a read
	change uint32         // the latest change of the ring that it has heard of
	known  core.Store     // what has been read of a key; with floors, and written

	to      sim.NodeID // who is asked
	from    uint64     // the nodes to read from, 0 the replicas
	polling bool       // it is to be asked again, as its answer was behind
	cas     comparison

	updating bool // the read that an update of the workload begins with is out
}

// Route is which node a client asks.
type Route uint8

const (
	First  Route = iota // the first of the key's preference list
	Sticky              // always the same one: that of the client's number
	InTurn              // one node after the other
)

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	switch m := &in.Msg; m.Kind {
	case core.Start:
		c.begun = in.Mono.Add(c.Start)
		out.After(c.Start, core.Msg{Kind: core.Next})
	case core.Next:
		c.next(in, out)
	case core.GetReply, core.PutReply:
		if c.waits(m.Req()) && c.expectsKind(m.Kind) && !c.polling && !c.behind(m, out) {
			c.answered(in, out)
		}
	case core.Poll:
		if c.waits(m.Req()) && c.polling {
			c.askAgain(out)
		}
	case core.GiveUp:
		switch {
		case !c.waits(m.Req()):
		case c.polling:
			c.done(in, out, core.TooOld, nil)
		default:
			c.done(in, out, core.NoAnswer, nil)
		}
	case core.Announce:
		if m.Change() > c.change {
			_, c.Ring = c.RingsOf(m.Rings())
			c.change = m.Change()
		}
	default:
		panic("kv: a client got " + m.String())
	}
}

func (c *Client) waits(req uint32) bool { return c.busy && req == c.req }

// done is the end of a request.
func (c *Client) done(in sim.In[core.Msg], out *sim.Out[core.Msg], status core.Status, o *version.Object) {
	c.busy, c.polling = false, false
	m := core.NewAnswered(c.key, c.req, status, o, c.write)
	if c.cas.on {
		m.SetCompares(c.cas.expects)
	}
	if in.Msg.Kind == core.PutReply {
		m.SetCopies(in.Msg.SentTo())
	}
	switch {
	case status != core.OK && status != core.Mismatch:
	case c.Session.Floor:
		c.known.Set(c.key, c.Policy.Merge(c.known.Get(c.key), o))
	default:
		c.known.Set(c.key, o)
	}
	out.Note(m)
	if status != core.OK && c.SkipsRound {
		c.at = len(c.Script)
	}
	c.next(in, out)
}

// next begins the next operation.
func (c *Client) next(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if c.Workload != nil {
		c.nextOfWorkload(in, out)
		return
	}
	if c.at == len(c.Script) {
		if c.round++; c.round < c.Repeat {
			c.at = 0
			c.pause(in, out)
		}
		return
	}
	if c.round >= c.Repeat {
		return
	}
	a := &c.Script[c.at]
	c.at++
	switch a.Verb {
	case WaitFor:
		out.After(a.Length, core.Msg{Kind: core.Next})
	case WaitUntil:
		wait, until := time.Duration(0), c.begun.Add(a.Length)
		if in.Mono.Before(until) {
			wait = until.Sub(in.Mono)
		}
		out.After(wait, core.Msg{Kind: core.Next})
	default:
		c.ask(in, out, a)
	}
}

// pause is between two rounds.
func (c *Client) pause(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if c.Every == 0 {
		out.AfterDraw(c.Think, core.Msg{Kind: core.Next})
		return
	}
	if c.begun = c.begun.Add(c.Every); in.Mono.Before(c.begun) {
		out.After(c.begun.Sub(in.Mono), core.Msg{Kind: core.Next})
	} else {
		out.After(0, core.Msg{Kind: core.Next})
	}
}

// ask sends a request.
func (c *Client) ask(in sim.In[core.Msg], out *sim.Out[core.Msg], a *Action) {
	c.req++
	c.busy, c.key, c.write, c.cas = true, a.Key, nil, comparison{}
	m := core.NewGet(a.Key, c.req, a.From)
	if op, writes := a.Verb.op(); writes {
		c.writes++
		c.write = &version.Write{ID: version.NewID(c.Number, c.writes), Op: op, Data: a.Data, Stamp: in.Wall}
		var context *version.Object
		if a.Verb != BlindPut {
			context = c.known.Get(a.Key)
		}
		m = core.NewPut(a.Key, c.req, context, c.write)
	}
	c.to, c.from = c.node(a), a.From
	asked := core.NewAsked(&m, c.to)
	if a.Verb == CASKey {
		asked.SetCompares(a.Old)
		m = c.compare(m, a.Old)
	}
	out.Note(asked)
	out.Send(c.to, m)
	out.After(c.Patience, core.NewRequestTimer(core.GiveUp, c.req))
}

// node is the one that is asked.
func (c *Client) node(a *Action) sim.NodeID {
	switch {
	case a.Via != sim.None:
		return a.Via
	case c.Route == Sticky:
		return c.Settings.Ring.Member(int((c.Number - 1) % uint32(c.Settings.Ring.Nodes)))
	case c.Route == InTurn:
		return c.Ring.Member(int((c.Number - 1 + c.req) % uint32(c.Ring.Nodes)))
	}
	return c.Ring.At(a.Key, 0)
}

// Reset implements [sim.Resetter].
func (c *Client) Reset(initial *Client) {
	known := c.known
	*c = *initial
	c.known = known
	c.known.Reset(&initial.known)
}

// Recover implements [sim.Recoverer].
func (c *Client) Recover(before *Client) {
	c.Ring, c.change = before.Ring, before.change
	c.round, c.at, c.req, c.writes = before.round, before.at, before.req, before.writes
}

// Print implements [sim.Printer].
func (c *Client) Print(p *sim.Print) {
	p.Fold(uint64(c.Ring.Number) | uint64(c.change)<<16)
	p.Fold(uint64(c.begun), uint64(c.round)|uint64(c.at)<<32, uint64(c.req)|core.One(c.busy)<<32|core.One(c.write != nil)<<33, uint64(c.key)|uint64(c.writes)<<32)
	if c.write != nil {
		p.Fold(uint64(c.write.ID)|uint64(c.write.Op)<<32, c.write.Data, uint64(c.write.Stamp))
	}
	p.Fold(uint64(c.to)|core.One(c.polling)<<32|core.One(c.updating)<<33, c.from)
	c.known.Print(p)
	c.cas.print(p)
}
