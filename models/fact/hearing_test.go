package fact_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/fact"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/simtest"
)

// The kinds of message of a model of one node, which notes each of them in turn.
const (
	start sim.Kind = iota
	tick
	tried
	plain // no fact
	both  // two facts
	gone
	count
)

var kinds = model.NewKinds(count, model.Kinds{tick: model.TimerKind("tick"), tried: model.NoteKind("tried"), plain: model.NoteKind("plain"),
	both: model.NoteKind("both"), gone: model.NoteKind("gone")})

type msg struct {
	Kind sim.Kind
	N    uint32
}

func (m msg) Label() sim.Kind              { return m.Kind }
func (m msg) Fold(d sim.Digest) sim.Digest { return d.Fold(uint64(m.Kind), uint64(m.N)) }
func (m msg) String() string               { return kinds.Name(m.Kind) }

func by(m *msg, f *fact.Fact) { f.By = fact.Holder{Node: f.Node, Task: m.N} }

var facts = fact.Map(
	fact.Row[msg]{Note: tried, Fact: fact.Attempt, Fill: by},
	fact.Row[msg]{Note: both, Fact: fact.Acquired, Fill: by},
	fact.Row[msg]{Note: both, Fact: fact.Issued, Fill: func(m *msg, f *fact.Fact) { f.Token = 7 }},
	fact.Row[msg]{Note: gone, Fact: fact.Left},
)

type node struct{ n uint32 }

func (n *node) Step(in sim.In[msg], out *sim.Out[msg]) {
	n.n++
	for _, k := range []sim.Kind{tried, plain, both, gone} {
		out.Note(msg{Kind: k, N: n.n})
	}
	out.After(10*time.Millisecond, msg{Kind: tick})
}

// diary writes down what it hears, and what a ledger says then.
type diary struct {
	Name   string
	On     []fact.Kind
	Ledger *tally
	To     *[]string
}

func (d *diary) Hears() []fact.Kind { return d.On }

func (d *diary) Check(r *fact.Report) {
	r.Saw()
	*d.To = append(*d.To, fmt.Sprintf("%v %s %d by %d token %d, ledger %d", r.At, d.Name, r.Kind, r.By.Task, r.Token, d.Ledger.news()))
}

func (d *diary) End(r *fact.Report) {
	*d.To = append(*d.To, fmt.Sprintf("%v %s ends, ledger %d", r.At, d.Name, d.Ledger.news()))
}

type book struct{ Count int }

// tally is a ledger that counts attempts; its news is the number of the one at hand.
type tally struct {
	book
	of   uint64
	hand *fact.Fact
}

func (*tally) Hears() []fact.Kind     { return []fact.Kind{fact.Attempt} }
func (t *tally) Begin(r *fact.Report) { t.hand, t.of = r.Fact, 0 }
func (*tally) Print(*sim.Print)       {}

func (t *tally) Check(r *fact.Report) {
	t.Count++
	t.of = r.Nth
}

func (t *tally) news() int {
	if t.of != t.hand.Nth {
		return 0
	}
	return t.Count
}

// meter is no observer of facts, and reads a ledger of facts.
type meter struct {
	Ledger *tally
	To     *[]string
}

func (m *meter) Observe(v *sim.View[msg], o *sim.Observation[msg]) {
	if o.Event == sim.Noted {
		*m.To = append(*m.To, fmt.Sprintf("%v meter %v, ledger %d", v.Now(), o.Msg, m.Ledger.news()))
	}
}

func world(t *testing.T) (*sim.World[msg], *[]string) {
	var told []string
	w, err := sim.NewWorld(system(&told), sim.Config{Until: sim.Time(15 * time.Millisecond), Faults: []sim.Fault{
		{Do: sim.Pause, Node: 1, When: sim.When{At: sim.Time(5 * time.Millisecond)}, For: sim.Constant(time.Millisecond)}}})
	require.NoError(t, err)
	return w, &told
}

func system(told *[]string) sim.System[msg] {
	s := sim.System[msg]{Kinds: kinds.Names(), Notes: kinds.Notes(), Nodes: []sim.Spec[msg]{sim.Place[msg]("node", node{})}}
	ledger := &tally{}
	h := fact.Hear(&s, facts)
	h.Ledger(&ledger.book, ledger)
	for _, d := range []*diary{
		{"first", []fact.Kind{fact.Attempt, fact.Acquired, fact.Issued, fact.Paused}, ledger, told},
		{"second", []fact.Kind{fact.Issued, fact.Left}, ledger, told},
	} {
		s.Properties = append(s.Properties, h.Property(fact.Property{Claim: model.Claim{Name: d.Name, Needs: "a clause"}, Checker: d}))
	}
	model.AddMeter(&s, &meter{ledger, told})
	return s
}

// Each fact is told once to all that hear it, in their order; a note with two rows is two facts. What an earlier
// observation did to a ledger is not read again: not at a note that is no fact, nor at a fault, nor at the end.
func TestFactsAreToldInTurn(t *testing.T) {
	w, told := world(t)
	for range 2 {
		*told = nil
		require.Nil(t, w.Run(1).Panic)
		require.Equal(t, []string{
			"0.000s first 9 by 1 token 0, ledger 1", "0.000s meter tried, ledger 1",
			"0.000s meter plain, ledger 0",
			"0.000s first 12 by 1 token 0, ledger 0", "0.000s first 17 by 0 token 7, ledger 0", "0.000s second 17 by 0 token 7, ledger 0", "0.000s meter both, ledger 0",
			"0.000s second 14 by 0 token 0, ledger 0", "0.000s meter gone, ledger 0",
			"0.005s first 1 by 0 token 0, ledger 0",
			"0.010s first 9 by 2 token 0, ledger 2", "0.010s meter tried, ledger 2",
		}, (*told)[:12])
		require.Equal(t, []string{"0.015s first ends, ledger 0", "0.015s second ends, ledger 0"}, (*told)[len(*told)-2:])
	}
	p := system(told).Properties[0].(sim.Bounded)
	assert.Equal(t, "a clause", p.Bound().Needs)
}

// quiet hears facts and remembers the last.
type quiet struct{ Last fact.Fact }

func (*quiet) Hears() []fact.Kind     { return []fact.Kind{fact.Attempt, fact.Acquired, fact.Issued} }
func (q *quiet) Check(r *fact.Report) { q.Last = *r.Fact; r.Saw() }
func (*quiet) End(r *fact.Report)     {}

func TestFactsAllocateNothing(t *testing.T) {
	assert.Zero(t, simtest.Allocs(t, func() sim.System[msg] {
		s := sim.System[msg]{Kinds: kinds.Names(), Notes: kinds.Notes(), Nodes: []sim.Spec[msg]{sim.Place[msg]("node", node{})}}
		h := fact.Hear(&s, facts)
		s.Properties = append(s.Properties, h.Property(fact.Property{Claim: model.Claim{Name: "quiet"}, Checker: &quiet{}}))
		return s
	}, sim.Config{Until: sim.Time(time.Second)}))
}
