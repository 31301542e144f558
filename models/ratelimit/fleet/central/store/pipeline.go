package store

import (
	"time"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Pipeline is what a store takes for the commands that it gets. It has one thread: it reads what one limiter has
// sent at one instant, is busy for all that it has read, then answers all of it and reads on.
//
// A step of the engine has one cost, whatever comes. So a command that arrives only lies in the socket here, and
// the store works by its own timer.
type Pipeline struct {
	Most       int           // commands in one read; 0: there is no pipeline, and each command is a step
	PerFlush   time.Duration // price of a read
	PerCommand time.Duration // and of each command in it

	socket  []command // that have arrived
	head    int       // of the socket: those before it are answered
	reading int       // commands from the head that are being worked on
	working bool
}

// command is one that has arrived.
type command struct {
	from sim.NodeID
	at   sim.Mono
	msg  message.Msg
}

// reset makes the pipeline equal to another one, sharing nothing.
func (p *Pipeline) reset(initial *Pipeline) {
	socket := append(p.socket[:0], initial.socket...)
	*p = *initial
	p.socket = socket
}

// arrive puts a command into the socket. The store that is idle reads when all of this instant has arrived.
func (p *Pipeline) arrive(in *sim.In[message.Msg], out *sim.Out[message.Msg]) {
	p.socket = append(p.socket, command{in.From, in.Mono, in.Msg})
	if !p.working {
		p.working = true
		out.After(0, message.Msg{Kind: message.Read})
	}
}

// flushed is how many commands at the head came in one flush.
func (p *Pipeline) flushed() (n int) {
	waiting := p.socket[p.head:]
	for n < len(waiting) && n < p.Most && waiting[n].from == waiting[0].from && waiting[n].at == waiting[0].at {
		n++
	}
	return n
}

// read does what was read before, now that its time is over, and reads the next flush.
func (s *Store) read(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	p := &s.Pipeline
	for _, c := range p.socket[p.head : p.head+p.reading] {
		in.From, in.Msg = c.from, c.msg
		s.do(in, out)
	}
	if p.head += p.reading; 2*p.head >= len(p.socket) {
		p.socket, p.head = append(p.socket[:0], p.socket[p.head:]...), 0
	}
	p.reading = p.flushed()
	if p.working = p.reading > 0; p.working {
		takes := p.PerFlush + time.Duration(p.reading)*p.PerCommand
		out.Note(message.NewFlushed(int64(p.reading), takes))
		out.After(takes, message.Msg{Kind: message.Read})
	}
}
