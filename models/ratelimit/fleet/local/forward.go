package local

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// forwarding is what a limiter does between its decision and the service: it takes
// After, and nothing is decided in that time. A process that stops there lets through
// what was admitted for another window. A limiter that reads the clock again can decide
// again.
type forwarding struct {
	After   time.Duration // from the decision to the start; 0: at once
	Recheck time.Duration // a decision older than this, by the monotonic clock, is made again; 0: none is
}

// admitLater notes the decision, and admits when forwarding is over.
func (f *forwarding) admitLater(in *sim.In[message.Msg], out *sim.Out[message.Msg], d ratelimit.Decision) {
	m := in.Msg
	out.Note(message.NewAdmitted(m, 0))
	out.After(f.After, message.NewForward(m, in.From, in.Mono, d.Remaining))
}

// forward starts a request, unless so much time has passed that it is decided again.
// What it was charged for then is lost to it.
func (l *Limiter) forward(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	client := m.Client()
	if f := &l.forwarding; f.Recheck > 0 && in.Mono.Sub(m.Armed()) > f.Recheck {
		if d := l.decide(&in); !d.Allowed {
			core.Reject(out, m, client, d.Wait)
			return
		}
	}
	out.Note(message.Of(message.Started, m))
	out.Send(client, message.NewAdmission(m.ID, m.Remaining()))
}
