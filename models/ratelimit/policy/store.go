package policy

import (
	"time"

	"fencepost/sim"
)

// Store publishes the versions of the rules file. Limiters ask for the latest; with Push
// it also sends each to all of them.
type Store struct {
	At       []time.Duration // of version 1 and the following; the first is 0. Shared, never written
	Limiters sim.NodeID      // the first; the others follow
	Count    int
	Push     bool

	latest int16
	when   sim.Wall // it was published
}

// Step implements [sim.Node].
func (s *Store) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	switch m := in.Msg; m.Kind {
	case start:
		s.latest = max(s.latest, 1)
		for v := int(s.latest); v < len(s.At); v++ {
			out.After(max(0, s.At[v]-time.Duration(in.Mono)), Msg{Kind: publish, Version: int16(v + 1)})
		}
	case publish:
		if m.Version <= s.latest {
			return
		}
		s.latest, s.when = m.Version, in.Wall
		out.Note(Msg{Kind: Published, Version: s.latest})
		for i := range s.Count {
			if s.Push {
				s.send(out, s.Limiters+sim.NodeID(i))
			}
		}
	case Poll:
		s.send(out, in.From)
	default:
		panic("policy: the store got " + m.String())
	}
}

func (s *Store) send(out *sim.Out[Msg], to sim.NodeID) {
	out.Send(to, published(s.latest, s.when))
}

// Recover implements [sim.Recoverer]: a file is a file.
func (s *Store) Recover(before *Store) { s.latest, s.when = before.latest, before.when }
