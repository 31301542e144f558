package certify

import (
	"fmt"
	"sync"

	"fencepost/sim"
	"fencepost/sim/certify/internal/dbm"
	"fencepost/sim/certify/internal/rate"
)

// numbers are those that searches have at the moment: no two that run at once have the same.
var numbers struct {
	sync.Mutex
	taken [sim.MaxOracles]bool
}

// takeNumber is one that no other search has, to be given back with [space.close].
func takeNumber() (int, error) {
	numbers.Lock()
	defer numbers.Unlock()
	for i := range numbers.taken {
		if !numbers.taken[i] {
			numbers.taken[i] = true
			return i, nil
		}
	}
	return 0, fmt.Errorf("more than %d searches at the same time", sim.MaxOracles)
}

func (s *space) close() {
	sim.SetOracle(s.search, nil)
	numbers.Lock()
	defer numbers.Unlock()
	numbers.taken[s.search] = false
}

// start makes the space, and the state in which every node is about to start.
func (s *Search) start() (*state, *space, error) {
	if err := s.Refusals(); err != nil {
		return nil, nil, err
	}
	stage, err := s.Program.NewStage()
	if err != nil {
		return nil, nil, err
	}
	n, err := takeNumber()
	if err != nil {
		return nil, nil, err
	}
	t, err := newTheatre(stage, n, s.Program.Nodes, s.Property)
	if err != nil {
		(&space{theatre: &theatre{search: n}}).close()
		return nil, nil, err
	}
	sp := &space{theatre: t, fifo: s.Config.Network.Order == sim.FIFO, delays: delays(&s.Config.Network, t.nodes), costs: stepCosts(s.Config.Costs, t.nodes), faults: s.Faults, rate: rate.Rate(s.Rate),
		trees: map[call]*known{}, ignored: map[call]bool{}, reborn: map[crashed]reborn{}, like: newLikeness(),
		copyWithin: s.CopyWithin, senders: s.Senders, keepIgnored: s.KeepIgnored, keepSerials: s.KeepSerials, checksNames: s.CheckNames, inOrder: s.InOrder, quietens: s.quietens()}
	sp.strikes, sp.mono, sp.wall = strikes(s.Faults, len(s.Program.Nodes))
	var first *state
	if err == nil {
		if first, err = s.first(t); err == nil {
			sp.budgets = len(first.left)
			first.sort(sp.fifo)
		}
		if err == nil && !s.Unlike {
			err = sp.findAlike(first, stage.Alike())
		}
	}
	if err != nil {
		sp.close()
		return nil, nil, err
	}
	return first, sp, nil
}

// first is the state in which every node is about to start.
func (s *Search) first(t *theatre) (*state, error) {
	var err error
	if t.start, _, err = t.save(t.messages, t.Message()); err != nil {
		return nil, err
	}
	first := &state{stops: make([]*stop, t.nodes), zone: dbm.New(2*t.nodes + 1)}
	for i := range t.nodes + 1 {
		first.last = append(first.last, t.nodes+i)
	}
	for id := 1; id <= t.nodes; id++ {
		t.Forget(sim.NodeID(id))
		n, _, err := t.save(t.node[id], t.Node(sim.NodeID(id)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Program.Nodes[id-1], err)
		}
		first.nodes = append(first.nodes, part{id: n})
		first.pending = append(first.pending, event{class: begin, to: sim.NodeID(id), from: sim.NodeID(id), msg: t.start, at: id - 1})
	}
	p, _, err := t.save(t.properties, t.Property(t.property))
	first.property = part{id: p}
	for k := range s.Faults {
		first.left = append(first.left, uint8(s.Faults[k].Count))
	}
	first.left = append(first.left, uint8(s.Losses), uint8(s.Copies))
	return first, err
}

// delays are the ranges of the delays of all links.
func delays(n *sim.Network, nodes int) [][]interval {
	list := make([][]interval, nodes+1)
	for from := range list {
		list[from] = make([]interval, nodes+1)
		for to := range list[from] {
			d := n.LinkOf(sim.NodeID(from), sim.NodeID(to)).Delay
			list[from][to] = interval{int64(d.Least()), int64(d.Most())}
		}
	}
	return list
}
