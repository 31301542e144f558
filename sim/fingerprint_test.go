package sim

import (
	"fencepost/sim/internal/queue"
	"slices"
	"testing"

	"fencepost/internal/splitmix"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// spy is an adversary that does something once, at the first choice at Stepping of which
// when holds, and then ends the run.
type spy struct {
	w    *World[tm]
	when func(Choice) bool
	do   func(Choice)
}

func (s *spy) Choose(c Choice) (FaultChoice, bool) {
	if c.Point == Stepping && s.do != nil && s.when(c) {
		s.do(c)
		s.do = nil
		s.w.Stop()
	}
	return FaultChoice{}, false
}

// spyOn runs a world up to a choice, and does something there.
func spyOn(w *World[tm], seed uint64, when func(Choice) bool, do func(Choice)) {
	w.SetAdversary(&spy{w, when, do})
	w.Run(seed)
	w.SetAdversary(nil)
}

// from is each choice from an instant on.
func from(at Time) func(Choice) bool { return func(c Choice) bool { return c.At >= at } }

func printAt(w *World[tm], seed uint64, when func(Choice) bool) (p Print) {
	spyOn(w, seed, when, func(Choice) { p = w.Fingerprint() })
	return p
}

// ear is a property that remembers the last note of each node.
type ear struct {
	Check
	last  map[NodeID]int64
	count *int
}

func (e *ear) Name() string         { return "ear" }
func (e *ear) Reset(*View[tm])      { e.Clear(); e.last, e.count = map[NodeID]int64{}, new(int) }
func (e *ear) End(*View[tm])        {}
func (e *ear) Why(*View[tm]) string { return "" }
func (e *ear) Observe(_ *View[tm], o *Observation[tm]) {
	if o.Event == Noted {
		e.last[o.Node] = o.Msg.n
		*e.count++
	}
}

// busyWorld is a world that comes into the midst of everything, see inTheMidst.
func busyWorld(t testing.TB, c Config) *rig {
	c.Until = at(1000)
	c.Network = Network{Default: Link{Delay: forMillis(30)}}
	c.Costs = []Dist{Constant(0), Constant(0), forMillis(8)}
	c.Clocks = []Clock{{Offset: 5 * ms}, {Rate: 1000}, {}}
	c.Faults = append(c.Faults,
		Fault{Name: "asleep", Do: Suspend, Node: 2, When: When{Before: tick, Nth: 4}, For: forMillis(400)},
		Fault{Name: "gc", Do: Pause, Node: 1, When: When{Every: forMillis(300)}, For: forMillis(1)},
		Fault{Name: "lost", Do: Lose, Msg: MsgChoice{Kind: beta, Nth: 100}},
		Fault{Name: "slew", Do: SetRate, Node: 3, Rate: 2000, When: When{At: at(10)}, For: forMillis(500)},
		Fault{Name: "held", Do: Hold, Sides: [][]NodeID{{1}, {2}}, When: When{At: at(85)}, For: forMillis(100)})
	c.Minimal = c.Overrides == nil || c.Minimal
	r := newChat(t, c)
	r.sys.Properties = []Property[tm]{&ear{}}
	w, err := NewWorld(r.sys, c)
	require.NoError(t, err)
	r.w = w
	return r
}

// inTheMidst is when node 1 acts, node 2 is suspended between two effects, with an inbox,
// and node 3 is busy.
func inTheMidst(w *World[tm]) func(Choice) bool {
	return func(c Choice) bool {
		return c.Node == 1 && w.nodes[3].state&busy != 0 && len(w.saved[2].inbox) > 1 && len(w.saved[2].effects) > 1 &&
			w.net.state(1, 2).arrival > c.At && c.Kind == alpha
	}
}

// parts are what can differ between two worlds that go on differently: each changes one
// thing, and gives what changes it back.
func parts(w *World[tm]) map[string]func() func() {
	set := func(p *int64, v int64) func() func() {
		return func() func() { old := *p; *p = v; return func() { *p = old } }
	}
	bump := func(p *int64) func() func() { return set(p, *p+1) }
	time := func(t *Time) *int64 { return (*int64)(t) }
	node, property := w.slots[1].node().(*chatter), w.system.Properties[0].(*ear)
	hears := func(change func()) func() { // what a property remembers changes when it is told something
		w.kept.heard = 1
		return func() { change(); w.kept.heard = 1 }
	}
	event := func(change func() func()) func() func() { // an event stays what it was when it was pushed; this is another one
		return func() func() {
			forget := func() { w.kept.forgetEvents(); w.changed(2) }
			back := change()
			forget()
			return func() { back(); forget() }
		}
	}
	timers := slices.DeleteFunc(slices.Clone(w.q.Snapshot()), func(k queue.Key) bool { e := &w.q.Entry(k.Slot()).Body; return e.class != timer || e.to != 1 })
	armed := w.q.Entry(timers[0].Slot())
	a2, a3, inbox, held := &w.saved[2], &w.saved[3], w.saved[2].inbox, w.saved[2].effects
	m := map[string]func() func(){
		"true time":                         bump(time(&w.now)),
		"the state of a node":               func() func() { node.rounds++; w.changed(1); return func() { node.rounds--; w.changed(1) } },
		"the message of an event":           event(bump(&armed.Body.msg.n)),
		"the instant of an event":           event(bump(&armed.At)),
		"the reading of a timer":            event(bump(&armed.Body.due)),
		"a node that is down":               func() func() { w.nodes[1].state |= down; return func() { w.nodes[1].state &^= down } },
		"a rate":                            bump((*int64)(&w.clocks[1].rate)),
		"a step of a clock":                 bump(&w.clocks[1].ahead),
		"the reading of an oscillator":      bump(&w.clocks[1].raw),
		"a remainder":                       bump(&w.clocks[2].frac),
		"the boot of a node":                bump(&w.clocks[1].bootRaw),
		"the time that a machine slept":     bump(&w.clocks[1].slept),
		"since when a machine sleeps":       bump(time(&w.clocks[2].since)),
		"whether a machine sleeps":          func() func() { w.clocks[2].suspended = false; return func() { w.clocks[2].suspended = true } },
		"the end of a pause":                bump(time(&a2.until)),
		"the beginning of a pause":          bump(time(&a2.since)),
		"the end of a suspension":           bump(time(&a2.frozen)),
		"the end of a step":                 bump(time(&a3.occupied)),
		"the message of a held effect":      bump(&held[0].msg.n),
		"a held effect that had its chance": func() func() { held[0].met = false; return func() { held[0].met = true } },
		"a held effect more":                func() func() { a2.effects = held[:len(held)-1]; return func() { a2.effects = held } },
		"the message in an inbox":           event(bump(&inbox[1].Body.msg.n)),
		"the order of an inbox": event(func() func() {
			inbox[0], inbox[1] = inbox[1], inbox[0]
			return func() { inbox[0], inbox[1] = inbox[1], inbox[0] }
		}),
		"how much of an inbox is done": func() func() { a2.handled++; return func() { a2.handled-- } },
		"a link's last arrival":        bump(time(&w.net.state(1, 2).arrival)),
		"the message at hand":          event(bump(&w.q.Popped().Body.msg.n)),
		"the verdict of a property": func() func() {
			property.found.Violations++
			return hears(func() { property.found.Violations-- })
		},
		"a pointer of a property":          func() func() { *property.count++; return hears(func() { *property.count-- }) },
		"a map of a property":              func() func() { property.last[1]++; return hears(func() { property.last[1]-- }) },
		"effects that a plan has counted":  func() func() { w.plans[0].noted++; return func() { w.plans[0].noted-- } },
		"messages that a plan has counted": func() func() { w.plans[2].seen++; return func() { w.plans[2].seen-- } },
		"the place in a log":               func() func() { w.plans[1].next++; return func() { w.plans[1].next-- } },
		"the beginning of a log":           bump(time(&w.plans[1].base)),
		"the draws of a plan":              func() func() { w.plans[1].drawn++; return func() { w.plans[1].drawn-- } },
		"whether a plan goes on":           func() func() { w.plans[4].active--; return func() { w.plans[4].active++ } },
		"the end of a plan":                bump(time(&w.plans[4].ends)),
		"which plan came last":             func() func() { w.plans[3].latest++; return func() { w.plans[3].latest-- } },
		"who has been asked":               set(time(&w.adversary.stepped[2]), int64(w.now)),
	}
	return m
}

// A print tells two worlds apart that differ in any one thing on which the rest of the run
// depends, and in nothing else.
func TestFingerprintSeesEachPart(t *testing.T) {
	r := busyWorld(t, Config{})
	w := r.w
	done := false
	spyOn(w, 1, inTheMidst(w), func(Choice) {
		done = true
		before := w.Fingerprint()
		for name, change := range parts(w) {
			back := change()
			assert.NotEqual(t, before, w.Fingerprint(), name)
			back()
			require.Equal(t, before, w.Fingerprint(), name)
		}
		w.steps, w.digest, w.checked, w.samples = w.steps+1, w.digest+1, 3, append(w.samples, Sample{})
		for i := range w.net.links {
			if l := &w.net.links[i]; l.arrival < w.now {
				l.arrival++
			}
		}
		w.nodes[1].sent++
		w.saved[3].drawn++
		w.saved[3].costs++
		w.net.state(1, 2).sent++
		w.plans[0].injection.Count++
		assert.Equal(t, before, w.Fingerprint(), "what the future does not depend on")
	})
	require.True(t, done)
}

// Which draw comes next matters only where a draw is not 0: without minimal draws, and with an
// override that may still come.
func TestFingerprintOfDraws(t *testing.T) {
	late := []Override{{Draw: Draw{Purpose: Timers, From: 1, Index: 1000}, Value: 1 << 60}}
	for _, c := range []Config{{Overrides: late}, {Overrides: late, Minimal: true}} {
		w := busyWorld(t, c).w
		spyOn(w, 1, from(at(250)), func(Choice) {
			before := w.Fingerprint()
			for name, n := range map[string]*uint64{"messages of a node": &w.nodes[1].sent, "timers": &w.saved[1].drawn, "costs": &w.saved[3].costs,
				"messages of a link": &w.net.state(1, 3).sent} {
				*n++
				assert.NotEqual(t, before, w.Fingerprint(), "%s, calm %v", name, c.Minimal)
				*n--
			}
			assert.Equal(t, before, w.Fingerprint())
		})
	}
}

// Worlds that stand alike have the same print, however they came there.
func TestFingerprintOfEqualWorlds(t *testing.T) {
	want := printAt(busyWorld(t, Config{}).w, 1, from(at(250)))
	w := busyWorld(t, Config{}).w
	assert.Equal(t, want, printAt(w, 1, from(at(250))))
	for seed := range uint64(5) {
		w.Run(seed)
		printAt(w, seed, from(at(500)))
	}
	assert.Equal(t, want, printAt(w, 1, from(at(250))), "a world that is used again")
	assert.NotEqual(t, want, printAt(w, 1, from(at(300))), "another instant")

	// Of two replies of which one is lost it does not matter which, once both are due.
	lose := func(nth int) *World[tm] {
		c := busyWorld(t, Config{}).w.config
		c.Faults = []Fault{{Do: Lose, Msg: MsgChoice{Kind: beta, From: 1, Nth: nth}}}
		return newChat(t, c).w
	}
	assert.NotEqual(t, printAt(lose(1), 1, from(at(100))), printAt(lose(3), 1, from(at(100))))
	assert.Equal(t, printAt(lose(1), 1, from(at(300))), printAt(lose(3), 1, from(at(300))))
}

// doer is a node that has no state: what a func refers to is not part of a print.
type doer struct{ do does }

func (d *doer) Step(in In[tm], out *Out[tm]) { d.do(in, out) }

// witness is an adversary that does random faults in the beginning of a run and looks at
// the print of the world at each later choice. Its log is all that happens.
type witness struct {
	gremlin
	log    []Digest
	prints []Print
	marks  []int // of the log, by print
}

func (w *witness) add(words ...uint64) {
	var d Digest
	for _, x := range words {
		d = d.Fold(x, 1)
	}
	w.log = append(w.log, d)
}

func (w *witness) Choose(c Choice) (FaultChoice, bool) {
	if c.At < at(60) {
		return w.gremlin.Choose(c)
	}
	if c.Point == Stepping {
		w.prints = append(w.prints, w.rig.w.Fingerprint())
		w.marks = append(w.marks, len(w.log))
	}
	w.add(uint64(c.Point), uint64(c.At), uint64(c.Node), uint64(c.To), uint64(c.Kind))
	return FaultChoice{}, false
}

func (w *witness) Reset(*View[tm]) { w.log = nil }
func (w *witness) End(*View[tm])   {}

// Observe also takes down since when nodes are paused, which a property may ask.
func (w *witness) Observe(v *View[tm], o *Observation[tm]) {
	w.add(uint64(v.Now()), uint64(o.Event), uint64(o.Node), uint64(o.Msg.kind), uint64(o.Msg.n))
	for id := NodeID(1); id <= 3; id++ {
		if since, ok := v.PausedSince(id); ok {
			w.add(uint64(id), uint64(since), uint64(v.Read(id, BootClock)))
		}
	}
}

// "Two worlds with the same print go on alike, whatever becomes of them": after a few
// random faults, runs that come to the same print have the same future, step by step and
// choice by choice.
func TestFingerprintIsSound(t *testing.T) {
	worlds, pairs := 8, 0
	if testing.Short() {
		worlds = 4
	}
	for world := range uint64(worlds) {
		type future struct {
			seed uint64
			log  []Digest
		}
		known := map[Print]future{}
		d := dice(splitmix.Mix(world + 1))
		c, nodes := storm(&d)
		c.Until, c.Faults = at(140), slices.DeleteFunc(c.Faults, func(f Fault) bool { return !f.When.Every.IsZero() })
		r := newRig(t, c, nodes...)
		w := &witness{}
		for id, do := range nodes {
			r.sys.Nodes[id] = Place[tm](nodeName(NodeID(id+1)), doer{func(in In[tm], out *Out[tm]) {
				w.add(uint64(r.w.now), uint64(in.Self), uint64(in.From), uint64(in.Mono), uint64(in.Boot), uint64(in.Wall), uint64(in.Msg.kind), uint64(in.Msg.n))
				do(in, out)
			}})
		}
		r.sys.Meters = []Observer[tm]{w}
		var err error
		r.w, err = NewWorld(r.sys, c)
		require.NoError(t, err)
		for seed := range uint64(100) {
			*w = witness{gremlin: gremlin{rig: r, dice: dice(splitmix.Mix(seed)), rarely: 8, most: d.below(3)}}
			r.w.SetAdversary(w)
			require.Nil(t, r.w.Run(world).Panic)
			for i, p := range w.prints {
				log := w.log[w.marks[i]:]
				if f, ok := known[p]; ok {
					require.True(t, slices.Equal(f.log, log), "world %d: seeds %d and %d come to the same print and go on otherwise", world, f.seed, seed)
					pairs++
				} else {
					known[p] = future{seed, log}
				}
			}
		}
	}
	assert.Greater(t, pairs, 500*worlds)
}
