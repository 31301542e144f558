package idempotency

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/idempotency/flows"
	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

// places put a node that checks what it declares in the place of one of a type, and say whether it is of that type.
var places = []func(t testing.TB, s *sim.System[Msg], id sim.NodeID, n any) bool{
	place[Client], place[Server], place[Database], place[Cache], place[Provider], place[forgetful], place[deaf],
}

func place[N any, P modeltest.Declaring[Msg, N]](t testing.TB, s *sim.System[Msg], id sim.NodeID, n any) bool {
	initial, is := n.(P)
	if is {
		modeltest.Declared(t, s, id, initial)
	}
	return is
}

// declared is a system whose nodes check at each step what they declare.
func declared(t testing.TB, of func() sim.System[Msg]) func() sim.System[Msg] {
	return func() sim.System[Msg] {
		s := of()
		stage, err := sim.NewStage(s)
		require.NoError(t, err)
		for i := range s.Nodes {
			id := sim.NodeID(i + 1)
			n := stage.Node(id)
			if !slices.ContainsFunc(places, func(put func(testing.TB, *sim.System[Msg], sim.NodeID, any) bool) bool { return put(t, &s, id, n) }) {
				t.Fatalf("%s is a %T", s.Nodes[i].Name, n)
			}
		}
		return s
	}
}

// What the nodes say a proof may leave out has no effect, in storms of pauses, crashes, losses and copies.
func TestDeclarationsHold(t *testing.T) {
	for _, name := range []string{"reference", "cache-lock-database", "recovery-points", "external-lookup-first"} {
		text, _ := flows.Text(name)
		w := world(t, declared(t, system(t, text, small)), func(c *sim.Config) { c.Until = modeltest.At(2000) })
		for seed := range uint64(20) {
			require.Nil(t, w.Run(seed).Panic)
		}
	}
}

// world is a world of storms.
func world(t testing.TB, of func() sim.System[Msg], set func(*sim.Config)) *sim.World[Msg] {
	var c sim.Config
	p := sim.NewProgram(of)
	modeltest.Storm(&c, &p)
	set(&c)
	w, err := sim.NewWorld(of(), c)
	require.NoError(t, err)
	return w
}

// forgetful is a provider that forgets until when it knows its keys.
type forgetful struct{ Provider }

func (f *forgetful) Reset(initial *forgetful)  { f.Provider.Reset(&initial.Provider) }
func (f *forgetful) Recover(before *forgetful) { f.Provider.Recover(&before.Provider) }
func (f *forgetful) Forget() {
	for i := range f.charges {
		f.charges[i].until = 0
	}
}

// deaf is a client that says that no answer has an effect.
type deaf struct{ Client }

func (d *deaf) Reset(initial *deaf)              { d.Client.Reset(&initial.Client) }
func (d *deaf) Recover(before *deaf)             { d.Client.Recover(&before.Client) }
func (d *deaf) Ignores(e *sim.Arrival[Msg]) bool { return e.Msg.Kind == Response }

// said takes down what a test is told, and goes on.
type said struct {
	testing.TB
	first string
}

func (s *said) Errorf(format string, args ...any) {
	if s.first == "" {
		s.first = fmt.Sprintf(format, args...)
	}
}

// A declaration that is wrong is found: a provider that forgets what it reads, and a client that ignores what it hears.
func TestAWrongDeclarationIsFound(t *testing.T) {
	text := "on request { charge amount key key -> id, code; answer code, id; }"
	for want, put := range map[string]func(*sim.System[Msg]){
		"provider: charge #2: where it has forgotten a step does": func(s *sim.System[Msg]) {
			sim.Put(s, 6, forgetful{Provider{TTL: 1, Connections: connections{First: 3, Slots: 2}}})
		},
		"client-1: response #1 200 is ignored, and does": func(s *sim.System[Msg]) {
			p := *of(text, small)
			c := p.client(0)
			c.Servers = [2]sim.NodeID{3, 4}
			sim.Put(s, 1, deaf{c})
		},
	} {
		s := &said{TB: t}
		of := func() sim.System[Msg] {
			made := system(t, text, small)()
			put(&made)
			return made
		}
		w, err := sim.NewWorld(declared(s, of)(), sim.Config{Until: modeltest.At(2000), Network: sim.Network{Default: sim.Link{Delay: sim.Constant(ms)}}})
		require.NoError(t, err)
		w.Run(1)
		assert.Contains(t, s.first, want)
	}
}
