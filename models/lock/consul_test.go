package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// ofConsul are two clients, of which the first crashes or releases at 5 s.
func ofConsul(set func(*Params)) Params {
	p := Params{Service: "consul", Consul: &ConsulParams{}, Clients: 2, Start: []time.Duration{0, time.Second}, Work: []time.Duration{4980 * ms}}
	if set != nil {
		set(&p)
	}
	return p
}

var dies = simtest.Inject("client-1", sim.Fault{Do: sim.Crash, Forever: true, When: sim.When{At: at(4_900)}})

// TestLockDelay: the session of the crashed holder ends 30 s after the request for the lock,
// twice its TTL. The lock-delay is over 15 s later; the client asks 5 s after each
// reply, and has it 45 ms after that. After a release it may have the lock at once.
func TestLockDelay(t *testing.T) { // L-25
	p := ofConsul(nil)
	assert.Equal(t, at(30_005+15_000+45), play(t, p, dies).Moment("client-2 acquired"))
	p = ofConsul(func(p *Params) { p.Consul.LockDelay = ptr(time.Duration(0)) })
	assert.Equal(t, at(30_005+15), play(t, p, dies).Moment("client-2 acquired"))
	r := play(t, ofConsul(nil))
	assert.Equal(t, 20*ms, r.Moment("client-2 acquired").Sub(r.Moment("client-1 releases")))
}

// TestSessionIsRenewed: a holder whose renewals arrive keeps the lock for longer than a
// session lasts, and learns of the end of one that was not renewed.
func TestSessionIsRenewed(t *testing.T) {
	p := ofConsul(func(p *Params) { p.Work = []time.Duration{50 * time.Second} })
	play(t, p).Holds("mutual-exclusion", "entitled-exclusion", "quorum-behind-holder")
	cut := simtest.Part(sim.Fault{Do: sim.Cut, When: sim.When{At: at(8_000)}, For: sim.Constant(29 * time.Second)}, []string{"client-1"}, []string{"consul"})
	r := play(t, p, cut)
	assert.Equal(t, at(37_520), r.Moment("client-1 has lost the lock"), r)
}

func TestConsulInStorms(t *testing.T) {
	p := ofConsul(func(p *Params) {
		p.TTL, p.Clients, p.Work, p.Rounds = ptr(10*time.Second), 3, []time.Duration{700 * ms}, []int{0}
		p.Tokens, p.Fencing = "own", "lex"
	})
	crashes := simtest.Inject("client-1", sim.Fault{Do: sim.Crash, When: sim.When{Every: sim.Exponential(30 * time.Second)}, For: sim.Constant(time.Second)})
	c := simtest.Count(t, p.System, sim.Config{}, 200, storm, simtest.Until(at(120_000)), crashes)
	c.Holds("fenced-order", "no-lost-update", "increasing-tokens", "owner-release", "entitled-exclusion")
	simtest.Forgets(t, p.System, sim.Config{}, storm, crashes)
}

func TestConsulRefusesShortSessions(t *testing.T) {
	p := ofConsul(func(p *Params) { p.TTL = ptr(9 * time.Second) })
	require.Len(t, p.Problems(), 1)
	assert.Equal(t, "ttl", p.Problems()[0].Path)
}
