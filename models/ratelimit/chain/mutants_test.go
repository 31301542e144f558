package chain

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/retry"
	"fencepost/models/ratelimit/shed"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
)

// Each property has a mutant here that violates it, and without the mutation it does
// not: a checker that cannot fail is a defect.

// stutterer is a database that answers twice.
type stutterer struct{ Database }

func (s *stutterer) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	s.Database.Step(in, out)
	if in.Msg.Kind == finish {
		s.Database.Step(in, out)
	}
}

// upside is a limiter that takes the least important class for the most important one.
type upside struct{ Limiter }

func (u *upside) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != Request {
		u.Limiter.Step(in, out)
		return
	}
	class := in.Msg.Class
	in.Msg.Class = shed.Test - class
	if u.decides(in) {
		in.Msg.Class = class
		out.Note(in.Msg.about(Admitted))
		out.Send(u.Next, in.Msg)
		return
	}
	in.Msg.Class = class
	u.Refusal.refuse(out, in.Msg, 503, 0)
}

// decides is the limiter's decision, without what it says of it.
func (u *upside) decides(in sim.In[Msg]) bool {
	if u.Entry == ShedFleet {
		return u.Fleet.Begin(in.Msg.Class)
	}
	u.Worker.Observe(ratelimit.Reading(in.Mono), max(0, u.Credits-u.given))
	if !u.Worker.Admit(in.Msg.Class) {
		return false
	}
	u.given++
	return true
}

// mute is a limiter that refuses without a word.
type mute struct{ Limiter }

func (m *mute) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	m.Refusal.Silent = true
	m.Limiter.Step(in, out)
}

// forgetful is a client that never calls again.
type forgetful struct{ Client }

func (f *forgetful) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Kind != again {
		f.Client.Step(in, out)
	}
}

func (f *forgetful) Reset(initial *forgetful) { f.Client.Reset(&initial.Client) }

// mutate replaces the node of a system with a name.
func mutate(p *Params, name string, mutant func(*Params) sim.Spec[Msg]) func() sim.System[Msg] {
	return func() sim.System[Msg] {
		s := p.System()
		for i, n := range s.Nodes {
			if n.Name == name {
				s.Nodes[i] = mutant(p)
				s.Nodes[i].Name = name
			}
		}
		return s
	}
}

// clientWith is a client that differs from what the parameters say.
func clientWith(change func(*Client)) func(*Params) sim.Spec[Msg] {
	return func(p *Params) sim.Spec[Msg] {
		c := p.client(0, 2)
		c.Next = 2
		change(&c)
		return sim.Place[Msg]("", c)
	}
}

// usual is 50 operations a second for a database that does 100, with retries.
func usual() Params {
	p := DefaultParams()
	p.Rate, p.Operations = []traffic.Rate{perSecond(50)}, []int{500}
	p.Retry = RetryParams{Attempts: 3, Backoff: "full", Deadline: 4 * time.Second, Budget: "ratio"}
	p.Timeout = ptr(time.Second)
	return p
}

// refusing is the same behind a bucket that admits a fifth.
func refusing(p *Params) { p.Limiter.Kind, p.Limiter.RetryAfter = "bucket", "none" }

// classes are 80 critical operations a second and 80 of the lowest class, for a limiter of
// that kind before ten workers that do 100.
func classes(kind string) func(*Params) {
	return func(p *Params) {
		p.Clients, p.Class = 2, []shed.Class{shed.Critical, shed.Test}
		p.Rate, p.Operations = []traffic.Rate{perSecond(80)}, []int{0}
		p.Retry = RetryParams{Attempts: 1}
		p.Limiter.Kind = kind
		p.Database.Workers, p.Database.Service = 10, ptr(sim.Constant(100*ms))
	}
}

func turned(p *Params) sim.Spec[Msg] {
	l := p.limiterNode()
	l.Next = 4
	return sim.Place[Msg]("", upside{l})
}

func TestMutants(t *testing.T) {
	dbWith := func(change func(*Database)) func(*Params) sim.Spec[Msg] {
		return func(p *Params) sim.Spec[Msg] {
			d := Database{Queue: 3, Workers: 1, Service: sim.Constant(10 * ms)}
			change(&d)
			return sim.Place[Msg]("", d)
		}
	}
	for _, v := range []struct {
		property string
		why      string
		set      func(*Params)
		node     string
		mutant   func(*Params) sim.Spec[Msg]
	}{
		{"goodput", "48 operations succeeded in the last 5s, and 250 could have", nil, "db", dbWith(func(d *Database) { d.Service = sim.Constant(40 * ms) })},
		{"queue-wait", "a request of client-1 had waited", nil, "db", dbWith(func(d *Database) { d.Service = sim.Constant(40 * ms) })},
		{"one-answer", "db answered call 1 of operation 1 of client-1, which had an answer", nil, "db", func(*Params) sim.Spec[Msg] {
			return sim.Place[Msg]("", stutterer{Database{Queue: 3, Workers: 1, Service: sim.Constant(10 * ms)}})
		}},
		{"answered-in-time", "client-1 heard nothing of call 1 of its operation 11 in time", func(p *Params) { refusing(p); p.Limiter.Refill = perSecond(1) }, "limiter", func(p *Params) sim.Spec[Msg] {
			l := p.limiterNode()
			l.Next = 3
			return sim.Place[Msg]("", mute{l})
		}},
		{"calls-bound", "operation 13 of client-1 takes more than 10 calls", refusing, "client-1", clientWith(func(c *Client) {
			c.Allowance, c.Budget, c.Backoff.Kind = retry.Allowance{}, retry.Budget{}, retry.Fixed
		})},
		{"no-starvation", "an operation of client-1 is neither done nor given up after 30s", refusing, "client-1", func(p *Params) sim.Spec[Msg] {
			c := p.client(0, 2)
			c.Next = 2
			return sim.Place[Msg]("", forgetful{c})
		}},
		{"budget-respected", "client-1 overdraws its budget for the calls of an operation", func(p *Params) { refusing(p); p.Retry.Budget = "none" }, "client-1",
			clientWith(func(c *Client) { c.Allowance.Attempts++ })},
		{"budget-respected", "client-1 overdraws its budget for the time of an operation", func(p *Params) {
			refusing(p)
			p.Retry = RetryParams{Backoff: "fixed", Deadline: time.Second, Base: ptr(300 * ms)}
		}, "client-1", clientWith(func(c *Client) { c.Allowance.Deadline += 500 * ms })},
		{"budget-respected", "client-1 overdraws its budget for the retries of all its operations", refusing, "client-1",
			clientWith(func(c *Client) { c.Budget = retry.Budget{} })},
		{"budget-respected", "client-1 overdraws its budget for the retries of all its operations", func(p *Params) { refusing(p); p.Retry.Budget = "grpc" }, "client-1",
			clientWith(func(c *Client) { c.Budget = retry.Budget{} })},
		{"budget-respected", "client-1 overdraws its budget for the retries of all its operations", func(p *Params) { refusing(p); p.Retry.Budget = "quota" }, "client-1",
			clientWith(func(c *Client) { c.Budget = retry.Budget{} })},
		{"no-blind-retry", "client-1 repeats an operation without a key although it does not know what became of it",
			func(p *Params) { p.Operation, p.Timeout = "plain", ptr(5*ms); p.Retry.Budget = "none" }, "client-1",
			clientWith(func(c *Client) { c.Blind = true })},
		{"carried-out-once", "the db carries out operation 1 of client-1 at 0.020s, which it did at 0.010s already",
			func(p *Params) {
				p.Operation, p.Timeout, p.Retry.Budget = "keyed", ptr(5*ms), "none"
				p.Retry.Backoff, p.Retry.Base = "fixed", ptr(ms)
			}, "db", dbWith(func(d *Database) { d.Keyed = false })},
		{"class-order", "the limiter lets in a request of the class test after a critical one of client-1 was refused", classes("shed-fleet"), "limiter", turned},
		{"class-order", "the limiter lets in a request of the class test after a critical one of client-1 was refused", classes("shed-worker"), "limiter", turned},
	} {
		t.Run(v.property, func(t *testing.T) {
			p := usual()
			if v.set != nil {
				v.set(&p)
			}
			play(t, p, at(40_000)).Holds(v.property)
			r := playSystem(t, mutate(&p, v.node, v.mutant), at(40_000))
			require.Equal(t, sim.Violated, r.Finding(v.property).Verdict, r)
			assert.Contains(t, r.Why[slices.Index(r.Program.Properties, v.property)], v.why)
		})
	}
}
