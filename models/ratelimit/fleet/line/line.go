// Package line is limiters with a line of requests for each key.
package line

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are of the form line.
type Params struct {
	DropExpired bool // who has waited longer than its client does
}

// Problems adds what is wrong with the parameters.
func (p *Params) Problems(f *core.Fleet, found *model.Errors) {
	found.If(f.Algorithm.Algorithm != "leaky-queue" || f.Ticks, "algorithm", "a line is a leaky-queue without ticks")
	for i := range f.Clients {
		if cost := values.Or(f.Clients[i].Cost, 1); cost != 1 {
			found.Add(fmt.Sprintf("clients.%d.cost", i), "each waits for one turn: want 1, got %d", cost)
		}
	}
}

// Place adds limiters with a line of requests for each key.
func (p *Params) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	for i := range f.Limiters {
		n := Limiter{Drop: p.DropExpired}
		for range f.Layout.Keys {
			line, err := ratelimit.NewLeakyLine(ratelimit.LeakyQueueParams{Places: values.Or(f.Places, f.Limit), Service: f.Service()})
			if err != nil {
				panic(err) // the parameters have been checked
			}
			n.lines = append(n.lines, line)
		}
		n.armed = make([]sim.Mono, f.Layout.Keys)
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), n))
	}
}

// Limiter is a leaky queue that knows who waits: with Drop, a request whose client
// has given up leaves the line and takes no other's turn.
//
// Source: S3 leaky bucket, of docs/sources.md.
type Limiter struct {
	Drop bool

	lines []*ratelimit.LeakyLine // by key less 1
	armed []sim.Mono             // by key less 1: when its timer is due
}

// Reset implements [sim.Resetter].
func (l *Limiter) Reset(initial *Limiter) {
	lines, armed := l.lines, l.armed
	*l = *initial
	l.lines, l.armed = lines, core.Copied(armed, initial.armed)
	for i, from := range initial.lines {
		if i == len(l.lines) {
			l.lines = append(l.lines, &ratelimit.LeakyLine{})
		}
		l.lines[i].CopyFrom(from)
	}
}

// Step implements [sim.Node].
func (l *Limiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
	case message.Request:
		line := l.lines[m.Key-1]
		l.drop(in, out)
		item := ratelimit.Item{ID: m.ID}
		if l.Drop && m.Patience() > 0 {
			item.Deadline = ratelimit.Reading(in.Mono) + ratelimit.Reading(m.Patience())
		}
		d := line.Arrive(ratelimit.Reading(in.Mono), item)
		if !d.Allowed {
			core.Reject(out, m, in.From, d.Wait)
			return
		}
		out.Note(message.NewAdmitted(m, d.Wait))
		l.serve(in, out)
	case message.Turn:
		l.drop(in, out)
		l.serve(in, out)
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

// drop lets go of those that have waited too long.
func (l *Limiter) drop(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	for {
		item, ok := l.lines[in.Msg.Key-1].Drop(ratelimit.Reading(in.Mono))
		if !ok {
			return
		}
		out.Note(message.Msg{Kind: message.Dropped, ID: item.ID, Key: in.Msg.Key, Cost: 1})
		out.Send(message.ClientOf(item.ID), message.NewRejection(item.ID, 0))
	}
}

// serve starts whose turn it is, and sets the timer for the next.
func (l *Limiter) serve(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	now, key := ratelimit.Reading(in.Mono), in.Msg.Key
	line := l.lines[key-1]
	for item, ok := line.Start(now); ok; item, ok = line.Start(now) {
		out.Note(message.Msg{Kind: message.Started, ID: item.ID, Key: key, Cost: 1})
		out.Send(message.ClientOf(item.ID), message.NewAdmission(item.ID, 0))
	}
	if at, ok := line.Next(now); ok && sim.Mono(at) != l.armed[key-1] {
		l.armed[key-1] = sim.Mono(at)
		out.After(time.Duration(at-now), message.Msg{Kind: message.Turn, Key: key})
	}
}
