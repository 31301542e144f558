package mutex

import (
	"fmt"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/reach"
)

// Models are the algorithms with every order in which messages can arrive, of a few
// processes that ask a few times, at any time.
func Models() []reach.Model {
	params := []reach.Param{
		{Name: "processes", About: "how many there are", Value: 2, Least: 2, Most: most,
			Beyond: "a state of four takes more than 128 bits, after 60,000 to 200,000 states"},
		{Name: "rounds", About: "how many times each asks", Value: 2, Least: 1, Most: 9},
		{Name: "overtake", About: "1: messages of one sender may overtake each other", Least: 0, Most: 1},
	}
	model := func(name, about, source string, ricart bool) reach.Model {
		return reach.NewModel(reach.Model{Name: name, About: about, Source: source, Params: params},
			func(v map[string]int) (reach.Space[Msg], []reach.Property[Msg]) {
				n := v["processes"]
				return space(n, v["rounds"], ricart, sim.Order(v["overtake"])), claims(n)
			})
	}
	return []reach.Model{
		model("mutex/lamport", "mutual exclusion by a queue that every process keeps",
			`Lamport, "Time, Clocks, and the Ordering of Events in a Distributed System", 1978`, false),
		model("mutex/ricart-agrawala", "mutual exclusion by replies that wait",
			`Ricart and Agrawala, "An Optimal Algorithm for Mutual Exclusion in Computer Networks", 1981`, true),
	}
}

const most = 3 // processes of a space

// few is a list of at most six, as a comparable value.
type few struct {
	N    uint8
	Item [6]Stamp
}

// packed is a process as a comparable value: with either algorithm.
type packed struct {
	Processes, Rounds int
	Ricart            bool

	clock       clock.Lamport
	queue       few
	heard       [most + 1]uint64
	requesting  bool
	own         Stamp
	outstanding int
	deferred    [most + 1]bool

	phase phase
	asked uint64
	round int
}

func (p *packed) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	if p.Ricart {
		q := Process[RicartAgrawala, *RicartAgrawala]{Life: Life{Processes: p.Processes, Rounds: p.Rounds, phase: p.phase, asked: p.asked, round: p.round},
			Part: RicartAgrawala{self: in.Self, clock: p.clock, requesting: p.requesting, own: p.own, outstanding: p.outstanding, deferred: p.deferred[:p.Processes+1]}}
		q.Step(in, out)
		p.clock, p.requesting, p.own, p.outstanding = q.Part.clock, q.Part.requesting, q.Part.own, q.Part.outstanding
		p.phase, p.asked, p.round = q.phase, q.asked, q.round
		return
	}
	q := Process[Lamport, *Lamport]{Life: Life{Processes: p.Processes, Rounds: p.Rounds, phase: p.phase, asked: p.asked, round: p.round},
		Part: Lamport{self: in.Self, clock: p.clock, queue: append([]Stamp(nil), p.queue.Item[:p.queue.N]...), heard: p.heard[:p.Processes+1]}}
	q.Step(in, out)
	p.clock, p.queue = q.Part.clock, few{}
	if p.queue.N = uint8(copy(p.queue.Item[:], q.Part.queue)); int(p.queue.N) < len(q.Part.queue) {
		panic("more than six")
	}
	p.phase, p.asked, p.round = q.phase, q.asked, q.round
}

// Recover implements [sim.Recoverer]: how often it has asked stays known, as in a run of
// a [Process] that keeps nothing.
func (p *packed) Recover(before *packed) { p.round = before.round }

// space is processes that ask at any time, each at most rounds times.
func space(processes, rounds int, ricart bool, order sim.Order) reach.Space[Msg] {
	var s reach.Space[Msg]
	for i := range processes {
		id := sim.NodeID(i + 1)
		s.Nodes = append(s.Nodes, reach.Place[Msg](fmt.Sprintf("process-%d", id), packed{Processes: processes, Rounds: rounds, Ricart: ricart}))
		s.Links = append(s.Links, reach.Link{From: id, To: id, Capacity: 1})
		for j := range processes {
			if j != i {
				s.Links = append(s.Links, reach.Link{From: id, To: sim.NodeID(j + 1), Capacity: 8, Order: order})
			}
		}
	}
	return s
}

// claims are what the algorithms promise.
func claims(processes int) []reach.Property[Msg] {
	oneIn := func(v *reach.View[Msg], wrong func(p, q *packed, mine, other Stamp) bool) bool {
		for i := range processes {
			for j := range processes {
				p, q := v.Node(sim.NodeID(i+1)).(*packed), v.Node(sim.NodeID(j+1)).(*packed)
				if i != j && p.phase == inside && wrong(p, q, Stamp{C: p.asked, P: sim.NodeID(i + 1)}, Stamp{C: q.asked, P: sim.NodeID(j + 1)}) {
					return true
				}
			}
		}
		return false
	}
	return []reach.Property[Msg]{
		{Claim: reach.Claim{Name: "mutual-exclusion", About: "at most one process is in"}, Wrong: func(v *reach.View[Msg]) string {
			if oneIn(v, func(_, q *packed, _, _ Stamp) bool { return q.phase == inside }) {
				return "two are in"
			}
			return ""
		}},
		{Claim: reach.Claim{Name: "order", About: "no process is in while one that has asked before waits"}, Wrong: func(v *reach.View[Msg]) string {
			if oneIn(v, func(_, q *packed, mine, other Stamp) bool { return q.phase == waiting && other.Compare(mine) < 0 }) {
				return "one is in, and one that has asked before waits"
			}
			return ""
		}},
		{Claim: reach.Claim{Name: "liveness", About: "every process has been in when nothing is left to happen"}, Wrong: func(v *reach.View[Msg]) string {
			for link := range processes * processes {
				if len(v.InFlight(link)) > 0 {
					return ""
				}
			}
			for i := range processes {
				if p := v.Node(sim.NodeID(i + 1)).(*packed); p.phase != thinking || p.round < p.Rounds {
					return "nothing is left to happen, and one waits"
				}
			}
			return ""
		}},
	}
}
