package modeltest

import (
	"flag"
	"slices"
	"testing"

	"fencepost/sim"
	"fencepost/sim/certify"
)

var (
	proofs = flag.Int("proofs", 0, "how many proofs a test draws, where not what it says itself")
	each   = flag.Int("each", 0, "how many runs of the engine are held against each of them, where not what the test says")
)

// Drawn is how many proofs a test draws, and how many runs it holds against each: what it says itself, or what the command
// line does, as in go test ./models/lock -run NoRunViolates -proofs 100 -each 20000.
func Drawn(n, count int) (int, int) {
	if *proofs > 0 {
		n = *proofs
	}
	if *each > 0 {
		count = *each
	}
	return n, count
}

// Proof is a search for a proof, and the runs of the engine that are held against it.
type Proof struct {
	Name    string
	Search  *certify.Search
	Hostile func() sim.Config // draws one that the search covers, with the most of its first fault as it is then
	Seeds   int               // runs of each configuration
}

// Violating plays at least n runs, and counts those that violate the property.
func (p *Proof) Violating(t *testing.T, n int) (count int) {
	t.Helper()
	for i := 0; i < n; i += p.Seeds {
		w, err := p.Search.Program.NewWorld(p.Hostile())
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for seed := range p.Seeds {
			r := w.Run(uint64(i + seed))
			if r.Panic != nil {
				t.Fatalf("%s: %v", p.Name, r.Panic)
			}
			if r.Properties[p.Search.Property].Verdict == sim.Violated {
				count++
			}
		}
	}
	return count
}

// Soundness counts the proofs of [Sound].
type Soundness struct {
	Certified int // up to the most of the first fault, or to its edge
	Violated  int
	Found     int // violated by one of the runs as well
	Edges     int // above which some run violates
	Sharp     int // with such a run at most 3 ns above
}

// Sound draws n proofs and plays runs of each, or as many as [Drawn] says, at the most of its first fault up to which it is
// certified: none violates it. More than a quarter are certified, and the runs violate some of those that are violated.
func Sound(t *testing.T, n, runs int, draw func() Proof) (s Soundness) {
	t.Helper()
	n, runs = Drawn(n, runs)
	for range n {
		p := draw()
		s.check(t, &p, runs)
	}
	t.Logf("%d certified, %d violated, of which drawn runs violate %d; %d of %d edges have a run just above", s.Certified, s.Violated, s.Found, s.Sharp, s.Edges)
	if s.Certified <= n/4 || s.Found == 0 {
		t.Errorf("%d of %d are certified, and the runs violate %d of the others: want more than a quarter, and some", s.Certified, n, s.Found)
	}
	return s
}

func (s *Soundness) check(t *testing.T, p *Proof, runs int) {
	t.Helper()
	result, err := p.Search.Run(t.Context())
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	if result.Verdict == certify.Unknown {
		return
	}
	edge, err := p.Search.Edge(t.Context(), 0, result)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	t.Logf("%s: %v, holds to %v, from %v, %d states", p.Name, result.Verdict, edge.Holds, edge.From, edge.Result.States)
	if result.Verdict == certify.Violated {
		s.Violated++
		if result.Failure == nil {
			t.Fatalf("%s: no run shows the violation", p.Name)
		}
		s.Found += min(1, p.Violating(t, runs))
	}
	if edge.Result.Verdict != certify.Certified {
		return
	}
	s.Certified++
	if edge.From > 0 {
		s.Edges++
		if edge.From-edge.Holds <= 3 {
			s.Sharp++
		}
	}
	p.Search.Faults = slices.Clone(p.Search.Faults)
	p.Search.Faults[0].Most = edge.Holds
	if count := p.Violating(t, runs); count > 0 {
		t.Errorf("%s: certified up to %v, and %d runs violate it", p.Name, edge.Holds, count)
	}
}
