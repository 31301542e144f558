package process

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// life is what every process does: it stamps its events, and notes them.
type life struct {
	Clock   Clock
	Granule time.Duration // the wall clock is read in multiples of it; 0 is a nanosecond
	Every   time.Duration // it makes a bound durable so often; 0: never
	Literal bool          // a send ticks twice, as Rules 1 and 2 of S4 have it if they are read as they stand

	sends uint32
}

// reset makes the life equal to another, and shares no memory with it.
func (l *life) reset(initial *life) {
	c := initial.Clock.Copy(l.Clock)
	*l = *initial
	l.Clock = c
}

// recover is what a life keeps across a crash: what of the clock is durable. That its
// sends continue to be numbered is for the observers.
func (l *life) recover(before *life) {
	l.Clock.Recover(before.Clock)
	l.sends = before.sends
}

// read is what the wall clock shows.
func (l *life) read(in *sim.In[Msg]) clock.Reading {
	pt := clock.Reading(in.Wall)
	if g := clock.Reading(l.Granule); g > 1 {
		pt -= (pt%g + g) % g
	}
	return pt
}

// persist makes a bound durable, now and again and again.
func (l *life) persist(in *sim.In[Msg], out *sim.Out[Msg]) {
	if l.Every == 0 {
		return
	}
	if bound, ok := l.Clock.Persist(l.read(in)); ok {
		out.Note(durable(bound))
		out.After(l.Every, Msg{Kind: persist})
	}
}

// local is a local event. It returns false if the clock gives it no stamp.
func (l *life) local(in *sim.In[Msg], out *sim.Out[Msg], event int32) bool {
	pt := l.read(in)
	s, why := l.Clock.Tick(pt)
	if why != 0 {
		out.Note(Msg{Kind: Refused, Why: why, Event: event, PT: pt})
		return false
	}
	out.Note(Msg{Kind: Local, Event: event, Stamp: s, PT: pt})
	return true
}

// send is the event of sending one message, to whomever: it returns what is sent. See
// [sendID] for what it is called.
func (l *life) send(in *sim.In[Msg], out *sim.Out[Msg], event int32) (m Msg, ok bool) {
	pt := l.read(in)
	if l.Literal {
		l.Clock.Tick(pt) // by Rule 1; and then by Rule 2
	}
	s, why := l.Clock.Tick(pt)
	if why != 0 {
		out.Note(Msg{Kind: Refused, Why: why, Event: event, PT: pt})
		return Msg{}, false
	}
	id := scriptedSend(event)
	if event == noEvent {
		l.sends++
		id = sendID(l.sends)
	}
	out.Note(Msg{Kind: Sent, Send: id, Event: event, Stamp: s, PT: pt})
	return Msg{Kind: Message, Send: id, Event: noEvent, Stamp: s}, true
}

// receive is the receipt of m, which a process has sent.
func (l *life) receive(in *sim.In[Msg], out *sim.Out[Msg], from uint16, m *Msg, event int32) (s Stamp, ok bool) {
	pt := l.read(in)
	s, why := l.Clock.Receive(m.Stamp, pt)
	if why != 0 {
		out.Note(Msg{Kind: Refused, Why: why, From: from, Send: m.Send, Event: event, Stamp: m.Stamp, PT: pt})
		return Stamp{}, false
	}
	out.Note(Msg{Kind: Received, From: from, Send: m.Send, Event: event, Stamp: s, PT: pt})
	return s, true
}
