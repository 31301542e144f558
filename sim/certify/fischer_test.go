package certify_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// word is every message of Fischer's mutual exclusion: processes that share one variable.
type word struct {
	Kind sim.Kind
	X    int64
}

const (
	first  sim.Kind = iota // the zero message
	read                   // process to memory
	value                  // memory to process: X
	write                  // process to memory: X
	wrote                  // process timer: the write takes effect now
	look                   // process timer: the wait is over
	enters                 // note
	leaves                 // note
)

func (w word) Label() sim.Kind              { return w.Kind }
func (w word) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(w.Kind), uint64(w.X)) }
func (w word) String() string               { return fmt.Sprintf("%d:%d", w.Kind, w.X) }

// Rename implements [sim.Renamer].
func (w *word) Rename(to sim.Renaming) { w.X = int64(to.Node(sim.NodeID(w.X))) }

// process waits until the variable is 0, sets it to its number, which takes up to Longest, waits, and
// enters if the variable is still its own.
//
// Source: Lamport, "A Fast Mutual Exclusion Algorithm", 1987, which has it of M. Fischer.
type process struct {
	Memory        sim.NodeID
	Longest, Wait time.Duration
	State         int
}

func (p *process) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case first:
		out.Send(p.Memory, word{Kind: read})
	case value:
		switch {
		case p.State == 0 && in.Msg.X == 0:
			p.State = 1
			out.AfterDraw(sim.Uniform(0, p.Longest+1), word{Kind: wrote})
		case p.State == 2 && in.Msg.X == int64(in.Self):
			p.State = 3
			out.Note(word{Kind: enters})
		}
	case wrote:
		p.State = 2
		out.Send(p.Memory, word{Kind: write, X: int64(in.Self)})
		out.After(p.Wait, word{Kind: look})
	case look:
		out.Send(p.Memory, word{Kind: read})
	}
}

func (p *process) Symbolic() string                { return "" }
func (p *process) Forget()                         {}
func (p *process) Ignores(*sim.Arrival[word]) bool { return false }

type memory struct{ X int64 }

func (m *memory) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case read:
		out.Send(in.From, word{Kind: value, X: m.X})
	case write:
		m.X = in.Msg.X
	}
}

// Rename implements [sim.Renamer].
func (m *memory) Rename(to sim.Renaming) { m.X = int64(to.Node(sim.NodeID(m.X))) }

func (m *memory) Symbolic() string                { return "" }
func (m *memory) Forget()                         {}
func (m *memory) Ignores(*sim.Arrival[word]) bool { return false }

// alone holds if no two processes are inside.
type alone struct {
	sim.Check
	Inside int
}

func (a *alone) Name() string                 { return "alone" }
func (a *alone) Reset(*sim.View[word])        { *a = alone{}; a.Clear() }
func (a *alone) End(*sim.View[word])          {}
func (a *alone) Why(*sim.View[word]) string   { return "two are inside" }
func (a *alone) Remembers() any               { return &a.Inside }
func (a *alone) Symbolic() sim.Property[word] { return a }
func (a *alone) Observe(v *sim.View[word], o *sim.Observation[word]) {
	if o.Event == sim.Noted && o.Msg.Kind == enters {
		a.Saw()
		if a.Inside++; a.Inside == 2 {
			a.Violate(v.Now(), o.Node)
		}
	}
}

func fischer(n int, longest, wait time.Duration) sim.Program {
	return fischerOf(n, longest, wait, func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, memory{}) })
}

// fischerOf is Fischer's mutual exclusion with a memory.
func fischerOf(n int, longest, wait time.Duration, memory func(*sim.System[word], sim.NodeID)) sim.Program {
	return sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{enters}, Properties: []sim.Property[word]{&alone{}}, Alike: make([][]sim.NodeID, 1)}
		for i := range n {
			id := s.Node(fmt.Sprintf("process-%d", i+1))
			s.Alike[0] = append(s.Alike[0], id)
			sim.Put(&s, id, process{Memory: sim.NodeID(n + 1), Longest: longest, Wait: wait})
		}
		memory(&s, s.Node("memory"))
		return s
	})
}

// Reference: Fischer's mutual exclusion is safe if and only if the wait is longer than the longest
// write, strictly.
func TestFischerIsSafeIfTheWaitIsLongerThanTheLongestWrite(t *testing.T) {
	for n := 2; n <= 3; n++ {
		for _, c := range []struct {
			wait time.Duration
			want certify.Verdict
		}{{10*time.Millisecond + 1, certify.Certified}, {10 * time.Millisecond, certify.Unknown}, {5 * time.Millisecond, certify.Violated}} {
			s := certify.Search{Program: fischer(n, 10*time.Millisecond, c.wait), Config: sim.Config{Until: sim.Time(time.Second), Network: sim.Network{Order: sim.Free}}}
			r, err := s.Run(context.Background())
			require.NoError(t, err)
			assert.Equal(t, c.want, r.Verdict, "%d processes, wait %v", n, c.wait)
			t.Logf("%d processes, wait %v: %v, %d states", n, c.wait, r.Verdict, r.States)
			if c.want == certify.Certified {
				assert.Equal(t, map[int]int{2: 44, 3: 133}[n], r.States, "on every platform")
			}
			if c.wait == 5*time.Millisecond {
				require.NotNil(t, r.Failure, r.Bound)
				assert.Equal(t, sim.Violated, r.Failure.Finding.Verdict)
			}
		}
	}
}

// cheat compares readings past the engine.
type cheat struct{ memory }

func (c *cheat) Step(in sim.In[word], out *sim.Out[word]) {
	if in.Mono/1e6%2 == 1 {
		c.X++
	}
}

// A step that looks at a reading otherwise than by its methods is refused, not explored.
func TestAStepThatDividesAReadingIsRefused(t *testing.T) {
	program := sim.NewProgram(func() sim.System[word] {
		s := sim.System[word]{Kinds: make([]string, leaves+1), Properties: []sim.Property[word]{&alone{}}}
		sim.Put(&s, s.Node("cheat"), cheat{})
		return s
	})
	s := certify.Search{Program: program, Config: sim.Config{Until: 1}}
	_, err := s.Run(context.Background())
	assert.ErrorContains(t, err, "depends on the number of a reading")
}

// sharing is a node with a pointer, to which another may have one as well.
type sharing struct {
	memory
	All *int
}

// behind is a node with what may be of any type.
type behind struct {
	memory
	Any fmt.Stringer
	On  *chan int
}

// open is a node with a channel.
type open struct {
	memory
	On chan int
}

// A state that is not all there is refused: a copy of it would be another's no more. What is nil is all there.
func TestAStateThatSharesIsRefused(t *testing.T) {
	of := func(put func(s *sim.System[word], id sim.NodeID)) error {
		s := certify.Search{Program: sim.NewProgram(func() sim.System[word] {
			s := sim.System[word]{Kinds: make([]string, leaves+1), Properties: []sim.Property[word]{&alone{}}}
			put(&s, s.Node("sharing"))
			return s
		}), Config: sim.Config{Until: 1}}
		_, err := s.Run(t.Context())
		return err
	}
	assert.ErrorContains(t, of(func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, sharing{All: new(int)}) }), "a state that shares a int cannot be kept")
	assert.ErrorContains(t, of(func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, behind{Any: time.Second}) }), "a state that holds a fmt.Stringer cannot be kept")
	assert.ErrorContains(t, of(func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, open{}) }), "a state that holds a chan int cannot be kept")
	assert.NoError(t, of(func(s *sim.System[word], id sim.NodeID) { sim.Put(s, id, behind{}) }))
}
