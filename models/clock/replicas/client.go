package replicas

import (
	"time"

	"fencepost/sim"
)

// action is a [Step] with numbers for names.
type action struct {
	verb   Verb
	to     sim.NodeID // a replica
	other  sim.NodeID // of a sync
	label  uint16     // of a value, 0 for none
	adds   uint64     // to the cart
	item   uint64     // all additions of the items that are taken out
	length time.Duration
}

// Client goes through a script, again and again, a step after the other. Reads that follow
// each other add up; the first one after a write begins anew, and a write goes with what
// has been read last.
//
// It gives up a request that takes too long, and continues. After a crash it continues with
// the next step, without what it had read.
type Client struct {
	Script     []action
	Start      time.Duration
	Repeat     int           // rounds
	Think      sim.Dist      // from one round to the next
	Patience   time.Duration // with a request
	Tombstones bool          // of carts

	begun  sim.Mono
	round  int
	at     int // in the script
	seq    uint32
	busy   bool // a request is out
	writes uint32
	read   *Kept
	stale  bool // the next read begins anew
}

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := &in.Msg; m.Kind {
	case start:
		c.begun = in.Mono.Add(c.Start)
		out.After(c.Start, Msg{Kind: next})
	case next:
		c.next(in, out)
	case Got:
		if c.answered(m.Seq) {
			c.got(m.Set)
			out.Note(Msg{Kind: Read, To: uint16(in.From), Heard: m.Set, Set: c.read})
			c.next(in, out)
		}
	case PutReply:
		if c.answered(m.Seq) {
			c.next(in, out)
		}
	case giveUp:
		if c.answered(m.Seq) {
			c.next(in, out)
		}
	default:
		panic("replicas: a client got " + m.String())
	}
}

// answered reports whether the client still waits for the answer to a request, and ends
// that.
func (c *Client) answered(seq uint32) bool {
	waited := c.busy && seq == c.seq
	c.busy = c.busy && !waited
	return waited
}

func (c *Client) got(set *Kept) {
	if c.stale || c.read == nil {
		c.read, c.stale = set, false //fencepost:allow a Kept never changes once it is made
		return
	}
	c.read = c.read.Sync(set)
}

// next begins the next step.
func (c *Client) next(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.at == len(c.Script) {
		if c.round++; c.round < c.Repeat {
			c.at = 0
			out.AfterDraw(c.Think, Msg{Kind: next})
		}
		return
	}
	if c.round >= c.Repeat {
		return
	}
	a := &c.Script[c.at]
	c.at++
	switch a.verb {
	case WaitFor:
		out.After(a.length, Msg{Kind: next})
	case WaitUntil:
		out.After(max(0, c.begun.Add(a.length).Sub(in.Mono)), Msg{Kind: next})
	case ReadKey:
		c.ask(out, a.to, Msg{Kind: Get})
	case SyncKey:
		c.ask(out, a.to, Msg{Kind: Push, To: uint16(a.other)})
	default:
		w := c.write(in.Self, a)
		out.Note(Msg{Kind: Wrote, To: uint16(a.to), Write: w})
		c.ask(out, a.to, Msg{Kind: Put, Write: w})
	}
}

func (c *Client) ask(out *sim.Out[Msg], to sim.NodeID, m Msg) {
	c.seq++
	c.busy, m.Seq = true, c.seq
	out.Send(to, m)
	out.After(c.Patience, Msg{Kind: giveUp, Seq: c.seq})
}

// write is the value that a step makes of what has been read.
func (c *Client) write(self sim.NodeID, a *action) *Write {
	c.writes++
	c.stale = true
	w := &Write{Label: a.label, Read: c.read}
	if a.verb == BlindWrite {
		w.Read = nil
	}
	if w.Read != nil {
		w.Value = merge(w.Read.values)
	}
	w.Removes = w.present() & a.item
	if c.Tombstones {
		w.Removed |= w.Removes
	} else {
		w.Added &^= w.Removes
	}
	w.Added |= a.adds
	w.Write = refOf(self, c.writes)
	return w
}

// Recover implements [sim.Recoverer].
func (c *Client) Recover(before *Client) {
	c.round, c.at, c.writes, c.seq = before.round, before.at, before.writes, before.seq
}
