package policy

import (
	"time"

	"fencepost/sim"
)

// Client sends requests to one limiter after the other, whatever they answer, and changes
// its tier again and again.
type Client struct {
	Index    int16
	Limiters sim.NodeID // the first; the others follow
	Count    int        // of limiters
	Start    time.Duration
	Every    sim.Dist
	Burst    int           // requests at a time
	Requests int64         // in all; 0: without end
	Flip     time.Duration // how often it changes its tier; 0: never
	Tiers    int

	sent int64
}

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		out.After(max(0, c.Start-time.Duration(in.Mono)), Msg{Kind: ask})
	case ask:
		for range c.Burst {
			if c.Requests > 0 && c.sent == c.Requests {
				return
			}
			to := c.Limiters + sim.NodeID((c.sent+int64(c.Index))%int64(c.Count))
			c.sent++
			out.Send(to, Msg{Kind: Request, Client: c.Index, Tier: c.tier(in.Mono)})
		}
		out.AfterDraw(c.Every, Msg{Kind: ask})
	case Response: // it sends as much as it likes
	default:
		panic("policy: a client got " + m.String())
	}
}

func (c *Client) tier(now sim.Mono) uint8 {
	if c.Flip == 0 {
		return 0
	}
	return uint8(max(0, time.Duration(now)-c.Start) / c.Flip % time.Duration(c.Tiers))
}

// Recover implements [sim.Recoverer]: it knows how much it has sent.
func (c *Client) Recover(before *Client) { c.sent = before.sent }
