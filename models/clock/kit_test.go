package clock

import (
	"math/rand/v2"
)

// must is a result that has no error.
func must[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// randomHistory is a run in which every process does at random: something local, a
// send, or the receipt of any message sent so far, so that messages overtake, are lost
// and come twice.
func randomHistory(r *rand.Rand, processes, events int) *History {
	h := must(NewHistory(processes))
	for range events {
		if n := h.Len(); n > 0 && r.IntN(2) == 0 {
			recent := max(0, n-200)
			must(h.Receive(r.IntN(processes), Event(recent+r.IntN(n-recent))))
		} else {
			must(h.Local(r.IntN(processes)))
		}
	}
	return h
}

// replay carries a clock through a recorded run: tick for each event that receives
// nothing, receive with what the sender had at the send. It returns the stamp of each
// event.
func replay[C, S any](h *History, start func(process int) C, tick func(c *C, process int) S, receive func(c *C, process int, m S) S) []S {
	clocks := make([]C, len(h.chains))
	for p := range clocks {
		clocks[p] = start(p)
	}
	stamps := make([]S, h.Len())
	for i, e := range h.events {
		if p := int(e.process); e.from == none {
			stamps[i] = tick(&clocks[p], p)
		} else {
			stamps[i] = receive(&clocks[p], p, stamps[e.from])
		}
	}
	return stamps
}

// vectorsOf are the vector clocks of all events.
func vectorsOf(h *History) []Vector {
	return replay(h,
		func(int) Vector { return make(Vector, len(h.chains)) },
		func(v *Vector, p int) Vector { v.Tick(p); return v.clone() },
		func(v *Vector, p int, m Vector) Vector {
			if err := v.Receive(p, m); err != nil {
				panic(err)
			}
			return v.clone()
		})
}

func (v Vector) clone() Vector { return append(Vector{}, v...) }

// lamportsOf are the Lamport clocks of all events.
func lamportsOf(h *History) []uint64 {
	return replay(h,
		func(int) Lamport { return 0 },
		func(c *Lamport, _ int) uint64 { return c.Tick() },
		func(c *Lamport, _ int, m uint64) uint64 { return must(c.Receive(m)) })
}
