package kv

import (
	"math/bits"

	"fencepost/internal/splitmix"
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// Workload is operations without a script. Which key an operation is for, and whether it
// reads, is a function of the client and its number alone; when it comes is drawn.
type Workload struct {
	Operations int // of each client; 0, without end
	Gap        sim.Dist
	Reads      sim.Chance
	Keys       int
	Updates    bool // a write first reads its key, and replaces what it has read; with a leader it compares
}

// nextOfWorkload draws the gap to the next operation, and then does it.
func (c *Client) nextOfWorkload(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	w := c.Workload
	switch {
	case c.updating && in.Msg.Kind == core.GetReply && in.Msg.Status() == core.OK:
		c.updating = false
		a := w.operation(c.Number, c.at-1)
		if c.Led {
			a.Verb, a.Old = CASKey, c.found(a.Key)
		}
		c.ask(in, out, &a)
		return
	case w.Operations > 0 && c.at >= w.Operations:
		return
	case in.Msg.Kind != core.Next:
		c.updating = false // its read has failed: it writes nothing
		out.AfterDraw(w.Gap, core.Msg{Kind: core.Next})
		return
	}
	a := w.operation(c.Number, c.at)
	c.at++
	if w.Updates && a.Verb == PutKey {
		c.updating, a = true, Action{Verb: GetKey, Key: a.Key}
	}
	c.ask(in, out, &a)
}

// found is the value that the client has read of a key, 0 if there was none.
func (c *Client) found(key uint32) uint64 {
	if all := c.known.Get(key).Values(); len(all) > 0 {
		return all[0].Data
	}
	return 0
}

// operation is the nth operation of a client, from 0.
func (w *Workload) operation(client uint32, nth int) Action {
	x := splitmix.Hash(uint64(client)<<32 | uint64(nth))
	a := Action{Verb: PutKey, Data: x >> 8}
	if splitmix.Hash(x)%uint64(sim.Certain) < uint64(w.Reads) {
		a.Verb = GetKey
	}
	high, _ := bits.Mul64(x, uint64(w.Keys))
	a.Key = uint32(high)
	return a
}
