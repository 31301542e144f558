package lock

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/lock/core"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
)

// What follows from a state of a lock is the same when clients, and instances, change places and attempts have
// other numbers: each Rename has all that is of one.
func TestNumbersOfClientsAndAttemptsDoNotMatter(t *testing.T) {
	retry, ttl, work := sim.Constant(25*ms), 60*ms, []time.Duration{20 * ms}
	tokens := func(p *Params) { p.Service, p.Tokens, p.Fencing = "redis", "counter", "ge" }
	for name, c := range map[string]struct {
		property string
		set      func(*Params)
	}{
		"redis":    {"mutual-exclusion", func(p *Params) { p.Service = "redis" }},
		"get-del":  {"owner-release", func(p *Params) { p.Service, p.Release = "redis", "get-del" }},
		"constant": {"owner-release", func(p *Params) { p.Service, p.Value = "redis", "constant" }},
		"extended": {"mutual-exclusion", func(p *Params) { p.Service, p.Extend, p.ExtendBy = "redis", 40*ms, "set-nx" }},
		"disk":     {"no-lost-update", func(p *Params) { p.Service, p.Persistence = "redis", "aof-always" }},
		"updates":  {"no-lost-update", tokens},
		"fenced":   {"fenced-order", tokens},
		"compared": {"no-lost-update", func(p *Params) { p.Service, p.Fencing = "redis", "cas" }},
		"naive":    {"mutual-exclusion", func(p *Params) { p.Service = "naive" }},
		"watchdog": {"mutual-exclusion", shortWatchdog(func(b *WatchdogParams) { b.Entries = 2 })},
		"redlock":  {"owner-release", func(p *Params) { p.Service = "redlock" }},
		"in turn":  {"owner-release", func(p *Params) { p.Service, p.Requests = "redlock", "sequential" }},
	} {
		p := proof{property: c.property, least: 2 * ms, most: 3 * ms, pause: 30 * ms, set: func(p *Params) {
			p.Retry, p.Work = &retry, work
			if c.set(p); p.Service != "naive" {
				p.TTL = &ttl
			}
		}}
		s := p.search()
		s.CheckNames, s.Limits.States = true, whole.Of(150, 300)
		_, err := s.Run(t.Context())
		assert.NoError(t, err, name)
	}
}

// nameless is a Redis whose Rename leaves out whose key it has.
type nameless struct{ redisserver.Server }

func (*nameless) Rename(sim.Renaming) {}

func TestARenameThatLeavesSomethingOutIsFound(t *testing.T) {
	p := proof{set: short("redis", nil), property: "mutual-exclusion", most: 5 * ms, pause: 100 * ms}
	s := p.search()
	s.CheckNames = true
	s.Program = sim.NewProgram(func() sim.System[core.Msg] {
		q := DefaultParams()
		p.set(&q)
		system := q.System()
		sim.Put(&system, 3, nameless{redisserver.NewServer(2)})
		return system
	})
	_, err := s.Run(t.Context())
	assert.ErrorContains(t, err, "a Rename leaves something out")
}

// Other numbers for attempts change no edge, and save states.
func TestNumbersOfAttemptsChangeNoEdge(t *testing.T) {
	ttl, retry := 100*ms, sim.Constant(20*ms)
	p := proof{property: "mutual-exclusion", least: 1 * ms, most: 5 * ms, pause: 200 * ms, set: func(p *Params) {
		p.Service, p.TTL, p.Retry, p.Work = "redis", &ttl, &retry, []time.Duration{20 * ms}
	}}
	var holds [2]time.Duration
	var states [2]int
	for i, keep := range []bool{false, true} {
		s := p.search()
		s.KeepSerials = keep
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		e, err := s.Edge(t.Context(), 0, r)
		require.NoError(t, err)
		holds[i], states[i] = e.Holds, e.Result.States
	}
	t.Log(holds, states)
	assert.Equal(t, holds[1], holds[0])
	assert.Less(t, 3*states[0], 2*states[1])
}
