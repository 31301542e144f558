package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/internal/whole"
	"fencepost/models/kv/core"
	"fencepost/models/kv/leader"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
	"fencepost/sim/simtest"
)

// hasty is a server that acknowledges a write before it is in the log.
type hasty struct{ leader.Node }

func (s *hasty) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if in.Msg.Kind == core.Put {
		out.Send(in.From, core.NewPutReply(in.Msg.Key(), in.Msg.Req(), core.OK, nil, 0))
	}
	s.Node.Step(in, out)
}

func (s *hasty) Reset(initial *hasty)  { s.Node.Reset(&initial.Node) }
func (s *hasty) Recover(before *hasty) { s.Node.Recover(&before.Node) }

// acrossTheCut is a store with a leader on the side of one node, see [halves].
func acrossTheCut(p *Params) {
	partitioned(1)(p)
	p.Read, p.Write = nil, nil
	led(p)
}

// hastyLeader acknowledges on the side of one node what the log of the other side replaces.
func hastyLeader(t *testing.T) modeltest.Mutant[core.Msg] {
	return modeltest.Mutant[core.Msg]{
		Property: "no-lost-write", Correct: system(t, acrossTheCut), Changes: []simtest.Change{halves},
		Mutant: func() sim.System[core.Msg] {
			p := DefaultParams()
			acrossTheCut(&p)
			s, l := p.System(), p.layout()
			for i := range p.Nodes {
				s.Nodes[i] = sim.Place[core.Msg](s.Nodes[i].Name, hasty{p.server(l, i+1)})
			}
			return s
		},
	}
}

// The log of the majority does not have what the hasty leader has acknowledged; that the majority
// writes later does not make it replaced. Lost as well is what the majority takes while it elects
// and gives up: what a correct server tells its client to have failed.
func TestALeaderThatAcknowledgesTooEarlyLosesWrites(t *testing.T) {
	m := hastyLeader(t)
	r := modeltest.Play(t, m.Correct, halves)
	assert.Zero(t, r.Measure("lost-writes"))
	failed := r.Measure("client-2-failed-writes")
	assert.EqualValues(t, 4, failed)
	r = modeltest.Play(t, m.Mutant, halves)
	assert.EqualValues(t, 50, r.Measure("client-1-writes"))
	assert.Equal(t, 50+failed, r.Measure("lost-writes"))
}

// Two clients that overwrite one key, one after the other or at once, and have not read what they
// overwrite: the log orders their writes, and a quorum does not.
func TestAWriteReplacesWhatIsBeforeItInTheLog(t *testing.T) {
	for _, apart := range []time.Duration{0, 50 * ms} {
		overwrite := func(p *Params) {
			for i, step := range []string{"blind-put x a via node-1", "blind-put x b via node-2"} {
				c := script(step)
				c.Start, c.Repeat, c.Every = time.Second+time.Duration(i)*apart, ptr(50), 100*ms
				p.Clients = append(p.Clients, c)
			}
		}
		r := play(t, func(p *Params) { overwrite(p); led(p) })
		r.Holds("no-lost-write")
		assert.EqualValues(t, 100, r.Measure("writes"))
		assert.Zero(t, r.Measure("lost-writes"))

		r = play(t, func(p *Params) { overwrite(p); conflict("last-write-wins")(p) })
		assert.EqualValues(t, 99, r.Measure("lost-writes"), "all but the last one, %v apart", apart)
	}
}

// In storms a leader loses nothing that it has acknowledged.
func TestALeaderLosesNothingInStorms(t *testing.T) {
	modeltest.Storms(t, system(t, func(p *Params) { contended(p); led(p) }), whole.Of(16, 40), []string{"no-lost-write"}, nil)
}
