package reach_test

import (
	"time"

	"fencepost/sim"
	"fencepost/sim/reach"
)

// pml is a state of the lease model as it was given to SPIN, by the names of its
// variables; the holder is 2 if there is none.
type pml struct {
	holder, ttl, tok, maxtok         uint8
	pc, ctok, rem, pau, net, gtok, w [2]uint8
}

const (
	idle = iota
	waiting
	holds
	wrote
)

// moves appends the states that a state leads to, and counts writes that had to wait.
func (s pml) moves(p params, next []pml, held *int64) []pml {
	for i := range uint8(2) {
		do := func(enabled bool, effect func(n *pml)) {
			if n := s; enabled {
				effect(&n)
				next = append(next, n)
			}
		}
		awake := s.pc[i] == holds && s.pau[i] == 0
		if awake && s.rem[i] > 0 && s.w[i] != 0 {
			*held++
		}
		do(s.pc[i] == idle, func(n *pml) { n.pc[i], n.net[i] = waiting, 1 })
		do(s.net[i] == 1 && s.holder == 2 && int(s.tok) < p.tokens, func(n *pml) {
			n.holder, n.ttl, n.tok, n.net[i], n.gtok[i] = i, uint8(p.ttl), s.tok+1, 2, s.tok+1
		})
		do(s.net[i] == 2, func(n *pml) {
			n.net[i], n.pc[i], n.ctok[i], n.gtok[i], n.rem[i] = 0, holds, s.gtok[i], 0, uint8(p.ttl)
		})
		do(awake && p.pause > 0, func(n *pml) { n.pau[i] = uint8(p.pause) })
		do(awake && s.rem[i] > 0 && s.w[i] == 0, func(n *pml) { n.w[i], n.pc[i] = s.ctok[i], wrote })
		do(awake && s.rem[i] == 0, func(n *pml) { n.pc[i], n.ctok[i] = idle, 0 })
		do(s.w[i] != 0, func(n *pml) { n.maxtok, n.w[i] = max(s.maxtok, s.w[i]), 0 })
		do(s.pc[i] == wrote, func(n *pml) {
			if s.holder == i && s.ctok[i] == s.tok {
				n.holder, n.ttl = 2, 0
			}
			n.pc[i], n.ctok[i], n.rem[i] = idle, 0, 0
		})
	}
	if n := s.tick(); n != s {
		next = append(next, n)
	}
	return next
}

func (s pml) tick() pml {
	if s.ttl > 0 {
		if s.ttl--; s.ttl == 0 {
			s.holder = 2
		}
	}
	for i := range s.pau {
		if s.pau[i] > 0 {
			s.pau[i]--
		} else if s.rem[i] > 0 {
			s.rem[i]--
		}
	}
	return s
}

// naive visits the states of the model with a map and a queue.
func naive(p params) reach.Result {
	r := reach.Result{Exhausted: true}
	r.States = int64(len(depths(p, &r)))
	return r
}

// depths is how many moves each state is away.
func depths(p params, r *reach.Result) map[pml]int {
	first := pml{holder: 2}
	depth := map[pml]int{first: 0}
	for queue := []pml{first}; len(queue) > 0; queue = queue[1:] {
		s := queue[0]
		next := s.moves(p, nil, &r.Held)
		r.Depth = depth[s]
		r.Transitions += int64(len(next))
		if len(next) == 0 {
			r.Ends++
		}
		for _, n := range next {
			if _, seen := depth[n]; !seen {
				depth[n] = r.Depth + 1
				queue = append(queue, n)
			}
		}
	}
	return depth
}

// asPML is a state of the lease space by the names of the model.
func asPML(v *reach.View[msg]) pml {
	s, st := v.Node(3).(*server), v.Node(4).(*store)
	n := pml{holder: 2, ttl: ticks(s.expires), tok: s.token, maxtok: st.last}
	if s.holder != sim.None {
		n.holder = uint8(s.holder - 1)
	}
	for i := range uint8(2) {
		c := v.Node(sim.NodeID(i + 1)).(*client)
		n.ctok[i], n.rem[i], n.pau[i] = c.token, ticks(c.expires), uint8(v.Suspended(sim.NodeID(i+1)))
		link := func(j int) msg {
			for _, m := range v.InFlight(int(i)*5 + j) {
				return m
			}
			return msg{}
		}
		switch {
		case link(0).Kind == work:
			n.pc[i] = holds
		case link(0).Kind == finish:
			n.pc[i] = wrote
		case link(0).Kind != try:
			n.pc[i], n.net[i] = waiting, 1
		}
		if m := link(3); m.Kind == granted {
			n.net[i], n.gtok[i] = 2, m.Token
		}
		n.w[i] = link(4).Token
	}
	return n
}

func ticks(m sim.Mono) uint8 { return uint8(m / sim.Mono(time.Second)) }
