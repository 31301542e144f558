package ntp

import (
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Selection is how a client chooses among what its servers told it.
type Selection uint8

// The selections, each in the file of its name.
const (
	SelectLatest Selection = iota
	SelectLeastDelay
	SelectMarzullo
)

// Client asks its servers for the time, decides whom to believe, and corrects its clock.
// It learns no frequency: what its oscillator gains between two polls it gains again.
//
// Source: RFC 5905, sections 8, 10, 11.2 and 12; the manual pages of ntpd and chrony.
type Client struct {
	Servers    int           // nodes 1 and up
	Start      time.Duration // of the first poll
	Poll       time.Duration // from one to the next
	Timeout    time.Duration // after which an answer does not count
	Polls      int           // how many; 0: without end
	Broadcast  bool          // it does not ask, but listens
	Assumed    time.Duration // how long a broadcast is taken to travel
	Drift      int64         // what the client takes for the most that its clock gains or loses, in parts per billion
	Select     Selection
	Faulty     int // of Marzullo: how many servers may be wrong
	Discipline clock.Discipline
	Corrects   bool // it does what the discipline says; else it only looks

	clock    Disciplined
	polls    uint32
	sent     sim.Wall // when the last poll was, by the wall clock
	sentMono sim.Mono
	servers  [MaxServers]Filter
	last     Sample // that came last, of any server

	updates int
	over    bool // the offset is above the threshold
	since   sim.Mono
	slews   uint32 // the number of the last slew or step
	exited  bool
}

// Step implements [sim.Node].
func (c *Client) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		c.clock.Rate = c.Discipline.SlewPPB
		if !c.Broadcast {
			out.After(c.Start, Msg{Kind: poll})
		}
	case poll:
		c.poll(in, out)
	case Reply:
		c.reply(in, out)
	case Broadcast:
		c.listen(in, out)
	case slewEnd:
		if m.slew() == c.slews {
			out.Note(Msg{Kind: SlewDone})
		}
	default:
		panic("ntp: a client got " + m.String())
	}
}

// poll asks all servers at once. Answers to the poll before are too late from now on.
func (c *Client) poll(in sim.In[Msg], out *sim.Out[Msg]) {
	if c.exited {
		return
	}
	for s := range c.Servers {
		if c.polls > 0 && !c.servers[s].slot(c.polls).Taken {
			out.Note(missed(sim.NodeID(s+1), c.polls))
		}
	}
	c.polls++
	c.sent, c.sentMono = in.Wall, in.Mono
	out.Note(polled(c.polls))
	for s := range c.Servers {
		*c.servers[s].slot(c.polls) = Sample{}
		out.Send(sim.NodeID(s+1), request(c.polls, in.Wall))
	}
	if c.Polls == 0 || c.polls < uint32(c.Polls) {
		out.After(c.Poll, Msg{Kind: poll})
	}
}

// reply is the answer of a server. One that is late, or comes twice, does not count, nor
// does one to a poll before a restart.
func (c *Client) reply(in sim.In[Msg], out *sim.Out[Msg]) {
	took := in.Mono.Sub(c.sentMono)
	if in.Msg.number() != c.polls || in.Msg.origin() != c.sent || took > c.Timeout || c.servers[in.From-1].slot(c.polls).Taken {
		return
	}
	c.take(in, out, took, clock.NTPSample{T0: clock.Reading(c.sent),
		T1: clock.Reading(in.Msg.receive()), T2: clock.Reading(in.Msg.transmit()), T3: clock.Reading(in.Wall)})
}

// listen is a single reading of a server. It says nothing of how long it was on the way:
// that is assumed, as if the client had asked and the ways took as long as each other.
func (c *Client) listen(in sim.In[Msg], out *sim.Out[Msg]) {
	read := clock.Reading(in.Msg.transmit())
	c.take(in, out, 0, clock.NTPSample{T0: clock.Reading(in.Wall.Add(-2 * c.Assumed)), T1: read, T2: read, T3: clock.Reading(in.Wall)})
}

// take is an exchange that makes sense, or does not.
func (c *Client) take(in sim.In[Msg], out *sim.Out[Msg], took time.Duration, exchange clock.NTPSample) {
	if c.exited || exchange.Check() != nil {
		return // the wall clock was set back meanwhile, say
	}
	c.last = newSample(exchange, took, in.Mono, c.Drift)
	*c.servers[in.From-1].slot(in.Msg.number()) = c.last
	correction := c.clock.Correction(in.Mono)
	out.Note(sampled(in.From, in.Msg.number(), c.last.Offset-correction, c.last.Delay, in.Mono))
	e, ok := c.choose(in.Mono)
	if !ok {
		out.Note(Msg{Kind: Undecided})
		return
	}
	out.Note(chosen(e.Offset-correction, e.Error, in.Mono))
	if c.Corrects {
		c.correct(in.Mono, out, e.Offset)
	}
}

// choose decides what to believe.
func (c *Client) choose(now sim.Mono) (Estimate, bool) {
	servers := c.servers[:c.Servers]
	switch c.Select {
	case SelectLeastDelay:
		return LeastDelay(servers, now, c.Drift)
	case SelectMarzullo:
		return MajorityOf(servers, c.Faulty, now, c.Drift)
	}
	return Latest(&c.last, now, c.Drift)
}

// correct makes the correction what it should be, at once or little by little.
func (c *Client) correct(now sim.Mono, out *sim.Out[Msg], goal time.Duration) {
	was := c.clock.Correction(now)
	offset := goal - was
	c.updates++
	lasted := c.lasted(offset, now)
	switch c.Discipline.Correct(offset, lasted, c.updates) {
	case clock.Exit:
		c.exited = true
		out.Note(exited(offset))
	case clock.Step:
		c.over = false
		c.slews++ // the slew under way is over
		c.clock.Step(goal, now)
		out.Note(corrected(Stepped, was, goal, now))
	case clock.Slew:
		if goal == c.clock.Goal() || c.over && lasted < c.Discipline.Stepout {
			return // it is there, or on its way; or a spike, which is ignored until it has lasted
		}
		c.slews++
		length := c.clock.Slew(goal, now)
		out.Note(corrected(Slewed, was, goal, now))
		out.After(length, slewEnded(c.slews))
	}
}

// lasted is for how long the offset has been above the threshold.
func (c *Client) lasted(offset time.Duration, now sim.Mono) time.Duration {
	if offset.Abs() <= c.Discipline.Threshold {
		c.over = false
		return 0
	}
	if !c.over {
		c.over, c.since = true, now
	}
	return now.Sub(c.since)
}
