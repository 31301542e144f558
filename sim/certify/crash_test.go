package certify_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// keeper has a lease by its wall clock, which it keeps on disk, and three ticks of 2 to 4 each, which it
// counts in memory.
type keeper struct {
	Lease time.Duration
	Until sim.Wall
	Done  bool
	Ticks int
}

func (k *keeper) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case first:
		if k.Until == 0 {
			k.Until = in.Wall.Add(k.Lease)
			out.Note(word{Kind: value})
		}
		out.At(k.Until, word{Kind: look})
		out.AfterDraw(sim.Uniform(2, 5), word{Kind: read})
	case look:
		if !k.Done && !in.Wall.Before(k.Until) {
			k.Done = true
			out.Note(word{Kind: enters})
		}
	case read:
		if k.Ticks++; k.Ticks == 3 {
			out.Note(word{Kind: leaves})
			return
		}
		out.AfterDraw(sim.Uniform(2, 5), word{Kind: read})
	}
}

func (k *keeper) Recover(before *keeper)          { k.Until, k.Done = before.Until, before.Done }
func (k *keeper) Symbolic() string                { return "" }
func (k *keeper) Forget()                         {}
func (k *keeper) Ignores(*sim.Arrival[word]) bool { return false }

// within holds if what a note says first happens in a range of instants after the keeper has its lease.
type within struct {
	sim.Check
	Note        sim.Kind
	Least, Most time.Duration
	Since       struct {
		Known bool
		At    sim.Time
	}
}

func (w *within) Name() string                 { return "within" }
func (w *within) Reset(*sim.View[word])        { w.Since.Known, w.Since.At = false, 0; w.Clear() }
func (w *within) End(*sim.View[word])          {}
func (w *within) Why(*sim.View[word]) string   { return "early or late" }
func (w *within) Remembers() any               { return &w.Since }
func (w *within) Symbolic() sim.Property[word] { return w }
func (w *within) Observe(v *sim.View[word], o *sim.Observation[word]) {
	w.Saw()
	switch {
	case o.Event == sim.Noted && o.Msg.Kind == value:
		w.Since.Known, w.Since.At = true, v.Now()
	case o.Event == sim.Noted && o.Msg.Kind == w.Note && w.Since.Known:
		w.Since.Known = false // what happens again after a crash may be any time later
		if v.Now().Before(w.Since.At.Add(w.Least)) || w.Since.At.Add(w.Most).Before(v.Now()) {
			w.Violate(v.Now(), o.Node)
		}
	}
}

func kept(lease time.Duration, p within, faults ...certify.Fault) certify.Search {
	for i := range faults {
		faults[i].Name, faults[i].Nodes = fmt.Sprint("fault ", i), []sim.NodeID{1}
	}
	program := sim.NewProgram(func() sim.System[word] {
		w := p
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters, leaves}, Properties: []sim.Property[word]{&w}}
		sim.Put(&s, s.Node("keeper"), keeper{Lease: lease})
		return s
	})
	return certify.Search{Program: program, Config: sim.Config{Until: 10_000}, Faults: faults}
}

// A step ahead by up to 7 ends a lease of 20 after 13, and one back makes it 27; two steps do so twice.
// What is lost in a crash at the third tick, after 12, begins again when the node is up.
func TestAStepAndACrashMoveAnEdgeByTheirSize(t *testing.T) {
	step, back, crash := certify.Fault{Do: sim.StepClock, Most: 7, Count: 1}, certify.Fault{Do: sim.StepClock, Back: true, Most: 7, Count: 1}, certify.Fault{Do: sim.Crash, Least: 1, Most: 5, Count: 1}
	two, both := step, certify.Fault{Do: sim.StepClock, Least: -7, Most: 7, Count: 1}
	two.Count = 2
	for _, c := range []struct {
		name        string
		note        sim.Kind
		least, most time.Duration
		faults      []certify.Fault
	}{
		{"nothing", enters, 20, 20, nil},
		{"a step ahead", enters, 13, 20, []certify.Fault{step}},
		{"two steps ahead", enters, 6, 20, []certify.Fault{two}},
		{"a step back", enters, 20, 27, []certify.Fault{back}},
		{"a step either way", enters, 13, 27, []certify.Fault{both}},
		{"a step ahead and one back", enters, 13, 27, []certify.Fault{step, back}},
		{"a crash does not end the lease", enters, 20, 25, []certify.Fault{crash}},
		{"no crash", leaves, 6, 12, nil},
		{"a crash", leaves, 6, 29, []certify.Fault{crash}},
		{"a step is nothing to a timer", leaves, 6, 12, []certify.Fault{both}},
		{"a crash and a pause", leaves, 6, 49, []certify.Fault{crash, {Do: sim.Pause, Most: 20, Count: 1}}},
		{"a step and a crash", enters, 13, 25, []certify.Fault{step, crash}},
	} {
		for _, by := range []struct{ least, most time.Duration }{{0, 0}, {1, 0}, {0, -1}} {
			s := kept(20, within{Note: c.note, Least: c.least + by.least, Most: c.most + by.most}, c.faults...)
			r, err := s.Run(t.Context())
			require.NoError(t, err)
			want := certify.Violated
			if by.least == 0 && by.most == 0 {
				want = certify.Certified
			}
			assert.Equal(t, want, r.Verdict, "%s: %v to %v: %v", c.name, c.least+by.least, c.most+by.most, r.Bound)
		}
	}
}

// A node that never restarts does nothing more.
func TestANodeStaysDown(t *testing.T) {
	for forever, want := range map[bool]certify.Verdict{true: certify.Certified, false: certify.Violated} {
		s := kept(20, within{Note: leaves, Most: 12}, certify.Fault{Do: sim.Crash, Forever: forever, Count: 1})
		r, err := s.Run(t.Context())
		require.NoError(t, err)
		assert.Equal(t, want, r.Verdict, r.Bound)
	}
}

// No run of the engine with such faults violates what is certified, and one shows each violation.
func TestNoCrashAndNoStepViolatesWhatIsCertified(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 11))
	between := func(low, high int) time.Duration { return time.Duration(low + r.IntN(high-low+1)) }
	certified, violated, unknown, seen := 0, 0, 0, 0
	for range 60 {
		var faults []certify.Fault
		for range 1 + r.IntN(2) {
			f := certify.Fault{Do: []sim.Action{sim.Crash, sim.StepClock, sim.StepClock, sim.Pause}[r.IntN(4)], Least: between(0, 3), Count: 1 + r.IntN(2)}
			f.Most, f.Back = f.Least+between(0, 6), f.Do == sim.StepClock && r.IntN(2) == 0
			faults = append(faults, f)
		}
		p := within{Note: []sim.Kind{enters, leaves}[r.IntN(2)], Least: between(0, 20), Most: between(8, 40)}
		s := kept(between(5, 20), p, faults...)
		found, err := s.Run(t.Context())
		require.NoError(t, err)
		broken := false
		for seed := range uint64(150) {
			c := s.Config
			for k, f := range s.Faults {
				for i := range f.Count {
					by := time.Duration(r.Int64N(int64(f.Most-f.Least+1))) + f.Least
					g := sim.Fault{Name: fmt.Sprint(k, i), Do: f.Do, Node: 1, For: sim.Constant(by), By: by, When: sim.When{At: sim.Time(r.IntN(30))}}
					if f.Back {
						g.By = -by
					}
					if r.IntN(4) == 0 {
						g.When = sim.When{Before: []sim.Kind{value, enters, leaves, look, read}[r.IntN(5)], By: 1, Nth: 1 + r.IntN(2)}
					}
					c.Faults = append(c.Faults, g)
				}
			}
			w, err := s.Program.NewWorld(c)
			require.NoError(t, err)
			broken = broken || w.Run(seed).Properties[0].Verdict == sim.Violated
		}
		switch found.Verdict {
		case certify.Certified:
			certified++
			assert.False(t, broken, "%+v, %+v", p, s.Faults)
		case certify.Violated:
			if violated++; broken {
				seen++
			}
		default:
			unknown++
			t.Logf("%v: %+v, %+v", found.Bound, p, s.Faults)
		}
	}
	t.Logf("%d certified, %d violated, of which drawn runs violate %d, %d unknown", certified, violated, seen, unknown)
	assert.Greater(t, certified, 10)
	assert.Greater(t, seen, 10)
	assert.LessOrEqual(t, unknown, 3)
}

// hoarder keeps a reading of its monotonic clock, which begins anew, on disk.
type hoarder struct {
	keeper
	Mono sim.Mono
}

func (h *hoarder) Step(in sim.In[word], out *sim.Out[word]) {
	if h.Mono == 0 {
		h.Mono = in.Mono
	}
	h.keeper.Step(in, out)
}
func (h *hoarder) Recover(before *hoarder) { h.Mono = before.Mono }

// mixer compares a reading of one of its clocks with one of another.
type mixer struct {
	keeper
	Mono sim.Mono
}

func (m *mixer) Step(in sim.In[word], out *sim.Out[word]) {
	if in.Msg.Kind == first {
		m.Mono = in.Mono
		out.After(3, word{Kind: look})
	} else if in.Wall.Before(sim.Wall(m.Mono)) {
		out.Note(word{Kind: enters})
	}
}

// Readings that the fault makes incomparable are refused, where it may happen.
func TestReadingsOfTwoClocksAreRefused(t *testing.T) {
	for _, c := range []struct {
		put  func(*sim.System[word], sim.NodeID)
		do   sim.Action
		want string
	}{
		{func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, hoarder{keeper: keeper{Lease: 9}}) }, sim.Crash, "keeper crashes, and a reading of its monotonic clock, which begins anew, is kept"},
		{func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, mixer{}) }, sim.StepClock, "compares readings of two clocks"},
	} {
		s := kept(9, within{Note: enters, Most: 100}, certify.Fault{Do: c.do, Most: 3, Count: 1})
		s.Program = sim.NewProgram(func() sim.System[word] {
			s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters, leaves}, Properties: []sim.Property[word]{&within{Note: enters, Most: 100}}}
			c.put(&s, s.Node("keeper"))
			return s
		})
		_, err := s.Run(t.Context())
		assert.ErrorContains(t, err, c.want)
		s.Faults = nil
		_, err = s.Run(t.Context())
		require.NoError(t, err)
	}
}
