package lock

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/models/lock/core"
	"fencepost/models/lock/redisserver"
	"fencepost/sim"
)

// onItsWay is a message that a client has sent to a server.
type onItsWay struct {
	from    sim.NodeID
	msg     Msg
	ignored bool
}

// misjudged plays clients that set a value, have it deleted, whatever has become of that, and set the next, or the same
// again. Messages pass one another. It counts the deletions that a server ignored at some moment, and those of
// them that did delete something.
func misjudged(r *rand.Rand, once, again bool) (ignored, wrong int) {
	server := redisserver.NewServer(2)
	server.Once = once
	trial := sim.NewTrial[Msg](3)
	var list []onItsWay
	var sent [3]uint32
	for now := sim.Wall(0); now < sim.Wall(400*ms); now += sim.Wall(ms) {
		if from := sim.NodeID(1 + r.IntN(2)); r.IntN(3) == 0 {
			sent[from]++
			n := (sent[from] + 1) / 2
			m := core.NewSet(core.GrantOf(from, n), 20*ms)
			if again {
				m = core.NewSet(core.GrantOf(from, 1), 20*ms)
			}
			if sent[from]%2 == 0 {
				m = core.NewDelIf(m.LockValue())
			}
			list = append(list, onItsWay{from: from, msg: m.Of(n)})
		}
		for i := range list {
			e := &list[i]
			alone := !slices.ContainsFunc(list, func(f onItsWay) bool { return f.from == e.from && f != *e })
			if e.msg.Kind == core.DelIf && !e.ignored {
				e.ignored = server.Ignores(&sim.Arrival[Msg]{From: e.from, Last: alone, Msg: e.msg})
			}
		}
		if len(list) == 0 || r.IntN(3) > 0 {
			continue
		}
		i := r.IntN(len(list))
		e := list[i]
		list = slices.Delete(list, i, i+1)
		effects := trial.Step(&server, sim.In[Msg]{Self: 3, From: e.from, Wall: now, Msg: e.msg})
		if e.ignored {
			ignored++
			if reply := effects[len(effects)-1].Msg; reply.OK || len(effects) > 1 {
				wrong++
			}
		}
	}
	return ignored, wrong
}

// A server ignores a deletion whose value is not there only where its client does not set it any more: else it may be there
// when the deletion comes.
func TestADeletionThatIsIgnoredDeletesNothing(t *testing.T) {
	for _, c := range []struct{ once, again, wrong bool }{{true, false, false}, {false, true, false}, {true, true, true}} {
		r := rand.New(rand.NewPCG(5, 6))
		ignored, wrong := 0, 0
		for range 200 {
			i, w := misjudged(r, c.once, c.again)
			ignored, wrong = ignored+i, wrong+w
		}
		assert.Equal(t, c.once, ignored > 100, "%+v: %d ignored", c, ignored)
		assert.Equal(t, c.wrong, wrong > 0, "%+v: %d wrong", c, wrong)
	}
}
