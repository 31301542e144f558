package broadcast

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
)

// follower keeps clock.History beside the ledger, and the order of deliveries as lists.
type follower struct {
	t       *testing.T
	ledger  *ledger
	history *clock.History
	sends   []clock.Event // by message
	lists   [][]int32     // by process: what it has delivered
	checked int
}

func (f *follower) Reset(v *sim.View[Msg]) {
	h, err := clock.NewHistory(v.Nodes() + 1)
	require.NoError(f.t, err)
	f.history, f.sends, f.lists = h, nil, make([][]int32, v.Nodes()+1)
}

func (f *follower) Observe(_ *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Sent:
		e, err := f.history.Local(int(o.Node))
		require.NoError(f.t, err)
		f.sends = append(f.sends, e)
	case Delivered:
		id := f.ledger.ids[o.Msg.Sender][o.Msg.Seq-1]
		_, err := f.history.Receive(int(o.Node), f.sends[id])
		require.NoError(f.t, err)
		f.compare(o.Node, id)
	}
}

// compare asks the ledger and looks at everything there is to look at.
func (f *follower) compare(p sim.NodeID, id int32) {
	delivered := map[int32]bool{}
	for _, other := range f.lists[p] {
		delivered[other] = true
	}
	require.Equal(f.t, delivered[id], f.ledger.now.copy)
	if delivered[id] {
		return
	}
	f.lists[p] = append(f.lists[p], id)
	delivered[id] = true
	missing := false
	for other := range f.sends {
		missing = missing || f.history.Before(f.sends[other], f.sends[id]) && !delivered[int32(other)]
	}
	sender, _ := f.ledger.missing(p, id)
	require.Equal(f.t, missing, sender != sim.None)
	require.Equal(f.t, f.crossed(p), f.ledger.now.behind != sim.None)
	f.checked++
}

// crossed reports whether another process has delivered the last message of p before one
// that p delivered earlier.
func (f *follower) crossed(p sim.NodeID) bool {
	mine := f.lists[p]
	id := mine[len(mine)-1]
	for q, list := range f.lists {
		place := map[int32]int{}
		for i, other := range list {
			place[other] = i + 1
		}
		if q == int(p) || place[id] == 0 {
			continue
		}
		for _, earlier := range mine[:len(mine)-1] {
			if place[earlier] > place[id] {
				return true
			}
		}
	}
	return false
}

// TestLedger compares what the ledger says of happened-before and of orders with
// clock.History and with a look at all pairs, in random runs.
func TestLedger(t *testing.T) {
	for _, order := range orders {
		p := params(order, func(p *Params) {
			p.Processes, p.Messages, p.Answers, p.Gap = 4, []int{6}, []int{3}, []sim.Dist{sim.Exponential(10 * ms)}
		})
		s := p.System()
		l := newLedger(p.Processes, 0)
		s.Properties = properties(l, p.Within)
		f := &follower{t: t, ledger: l}
		s.Meters = []sim.Observer[Msg]{f}
		link := sim.Link{Delay: sim.Exponential(20 * ms), Duplicate: sim.Certain / 20}
		w, err := sim.NewWorld(s, sim.Config{Until: sim.Time(5 * time.Second), Network: sim.Network{Order: sim.Free, Default: link}})
		require.NoError(t, err)
		for seed := range uint64(20) {
			require.Nil(t, w.Run(seed).Panic)
		}
		require.Greater(t, f.checked, 1000, order)
	}
}
