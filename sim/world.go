package sim

import (
	"errors"
	"fmt"
	"math"
	"runtime/debug"
	"slices"

	"fencepost/internal/splitmix"
	"fencepost/sim/internal/queue"
)

// World runs a system, again and again, each time from the start. It is not safe
// for concurrent use.
type World[M Message] struct {
	now     Time
	digest  Digest
	steps   uint64
	checked Time // the instant at the last look whether time passes
	q       queue.Queue[body[M]]
	nodes   []*node[M] // by NodeID; 0 is unused
	out     Out[M]
	src     source
	net     networkState
	plain   *Dist // the delay of every message, if nothing else can happen to one
	guarded bool  // some fault decides about messages
	ranges  bool  // of a stage: timers that are drawn are wanted with their distributions
	careful bool  // every step is traced, run twice, or looked at by an adversary

	clocks  []oscillator
	saved   []savedState[M]
	horizon Time // the run is [0, horizon)
	skip    func(Handling) bool
	result  Result

	observing[M]
	handled[M]
	measured
	planned
	forking
	adversary *adversaryState // if there is an adversary
	watching[M]

	names  []string
	slots  []nodeSlot[M]
	system System[M]
	config Config
}

// node is what the engine needs of a node at each step: half a cache line.
type node[M Message] struct {
	node        Node[M]
	sent        uint64 // messages so far, in a network that keeps no order
	incarnation uint32 // how often it has crashed
	state       state
	touched     uint8 // see [World.touch]
}

type state uint16

const (
	paused state = 1 << iota
	busy         // the cost of a step is not yet over
	down
	skewed  // some clock does not read true time
	costly  // a step may occupy the node
	exact   // its steps are looked at effect by effect
	watched // an adversary is asked before each step
)

// savedState is what the engine keeps of a node that is rarely needed.
type savedState[M Message] struct {
	until    Time        // paused until then
	since    Time        // paused since then
	occupied Time        // busy until then
	frozen   Time        // the machine is suspended until then
	inbox    []event[M]  // what came due meanwhile
	handled  int         // of the inbox, from its front
	effects  []effect[M] // what has not left
	drawn    uint64      // timers drawn so far
	costs    uint64      // step costs drawn so far
	cost     Dist        // of each step now
}

// NewWorld makes a world. It refuses a configuration that names what the system
// does not have, with all mistakes in one error.
func NewWorld[M Message](s System[M], c Config) (*World[M], error) {
	w := &World[M]{system: s, config: c, names: []string{"no node"}, slots: make([]nodeSlot[M], 1)}
	for _, n := range s.Nodes {
		w.names = append(w.names, n.Name)
		w.slots = append(w.slots, n.slot)
	}
	n := len(w.names)
	if err := w.check(); err != nil {
		return nil, err
	}
	w.nodes, w.clocks, w.saved = make([]*node[M], n), make([]oscillator, n), make([]savedState[M], n)
	w.nodes[0] = new(node[M])
	for i, h := range w.slots[1:] {
		w.slots[i+1] = h.fresh()
		w.nodes[i+1] = w.slots[i+1].slot()
	}
	w.net, w.totals = newNetworkState(c.Network, n), make([]int, len(s.Measures))
	w.draws()
	w.out.w, w.view.w, w.horizon = w, w, c.Until
	w.observers = slices.Clone(s.Ledgers)
	for _, p := range s.Properties {
		w.observers = append(w.observers, p)
	}
	w.observers, w.goal = append(w.observers, s.Meters...), aimed(&s)
	w.listen()
	w.plan()
	return w, nil
}

// listen finds out which observers are notified of what.
func (w *World[M]) listen() {
	for event := range w.audiences {
		kinds := 1
		if Event(event) == Noted {
			kinds = len(w.system.Kinds)
		}
		w.audiences[event] = make([]audience[M], kinds)
		for kind := range w.audiences[event] {
			a := &w.audiences[event][kind]
			for i, o := range w.observers {
				if s, ok := o.(Selective); !ok && Event(event) < NetworkChanged || ok && s.Watches(Event(event), Kind(kind)) {
					a.observers, a.prints = append(a.observers, o), a.prints|w.printBit(i)
				}
			}
			if len(a.observers) > 0 && Event(event) == Noted {
				if j, ok := a.observers[0].(Joiner[M]); ok {
					a.observers = j.Join(a.observers)
				}
			}
		}
	}
}

// remembering are the observers whose memory is part of a fingerprint: ledgers and properties, and meters where a goal is
// about what they record.
func (w *World[M]) remembering() []Observer[M] {
	if w.goal != nil {
		return w.observers
	}
	return w.observers[:len(w.system.Ledgers)+len(w.system.Properties)]
}

// printBit is the bit of an observer among those that have a print, by its place, all bits if
// there are more than bits, and none of one that has no print.
func (w *World[M]) printBit(observer int) uint64 {
	switch n := len(w.remembering()); {
	case observer >= n:
		return 0
	case n > 64:
		return math.MaxUint64
	}
	return 1 << observer
}

func (w *World[M]) check() error {
	if w.system.Err != nil {
		return w.system.Err // the rest is none, or makes no sense
	}
	var errs []error
	if w.config.Until <= 0 {
		errs = append(errs, fmt.Errorf("until: must be positive, got %v", w.config.Until))
	}
	if len(w.config.Clocks) >= len(w.names) || len(w.config.Costs) >= len(w.names) {
		errs = append(errs, fmt.Errorf("clocks and costs: more than the %d nodes have", len(w.names)-1))
	}
	for i, c := range w.config.Clocks {
		if c.Rate < -MaxPPB || c.Rate > MaxPPB {
			errs = append(errs, fmt.Errorf("clock of %s: a rate error of %v is beyond %v", w.names[i+1], c.Rate, MaxPPB))
		}
	}
	for i, h := range w.slots[1:] {
		if h == nil {
			errs = append(errs, fmt.Errorf("node %s has no state: want one by Put or Place", w.names[i+1]))
		}
	}
	errs = append(errs, w.config.Network.check(len(w.names)))
	errs = append(errs, w.system.checkTimeline()...)
	for i := range w.config.Faults {
		errs = append(errs, w.config.Faults[i].check(len(w.names), len(w.system.Kinds)))
	}
	errs = append(errs, checkStreams(w.config.Faults), checkAfter(w.config.Faults))
	return errors.Join(errs...)
}

// Run plays the system from the start with the given seed. The result holds until
// the next run.
func (w *World[M]) Run(seed uint64) *Result {
	w.reset(seed)
	w.play()
	w.finish()
	return &w.result
}

// reset makes the world as it was before its first run, but keeps its memory.
func (w *World[M]) reset(seed uint64) {
	w.now, w.steps, w.digest, w.checked, w.awaited = 0, 0, Digest(splitmix.Mix(seed)), -1, Never
	w.handling.Self, w.out.mode, w.latest = None, leaving, 0 // a run may have ended in a panic
	w.q.Reset()
	w.src.reset(seed)
	if w.fork != 0 {
		w.draws() // a run before may have come to the fork
	}
	w.net.reset()
	w.plain = w.net.plain(w.guarded || w.src.special)
	w.careful = w.trace != nil || w.config.Twice || w.adversary != nil || w.fork != 0 || w.watch.Journal != nil || w.skip != nil
	if w.adversary != nil {
		w.plain = nil
		w.adversary.reset()
	}
	w.watch.Journal.reset(len(w.system.Properties))
	w.chart.reset()
	clear(w.causes)
	w.samples = w.samples[:0]
	clear(w.totals)
	w.result = Result{Seed: seed, Faults: w.result.Faults[:0], Properties: w.result.Properties[:0]}
	for i := 1; i < len(w.nodes); i++ {
		w.resetNode(NodeID(i))
	}
	for i := range w.plans {
		if when := &w.plans[i].When; when.Note == 0 && when.Before != 0 {
			w.nodes[w.plans[i].by()].state |= exact
		}
	}
	if w.describe = nil; (w.watch.Moments != nil || w.watch.Journal != nil) && w.system.Describe != nil {
		w.describe = w.system.Describe()
	}
	if w.detail = nil; w.watch.Journal != nil && w.system.Detail != nil {
		w.detail = w.system.Detail()
	}
	for _, o := range w.observers {
		o.Reset(&w.view)
	}
	w.kept.reset()
	if w.trace != nil {
		w.trace.head(w)
	}
	w.schedule() // before the starts: a fault at instant 0 is injected before what happens then
	for i := 1; i < len(w.nodes); i++ {
		w.start(NodeID(i))
	}
}

// start sends a node the zero message.
func (w *World[M]) start(id NodeID) {
	e := &w.q.Push(0).Body
	e.due, e.to, e.from, e.incarnation, e.class = 0, id, id, 0, timer
	var start M
	e.msg = start
}

func (w *World[M]) resetNode(id NodeID) {
	w.slots[id].reset()
	w.changed(id)
	n, a := w.nodes[id], &w.saved[id]
	*n = node[M]{node: w.slots[id].node()}
	*a = savedState[M]{inbox: a.inbox[:0], effects: a.effects[:0]}
	var c Clock
	if int(id) <= len(w.config.Clocks) {
		c = w.config.Clocks[id-1]
	}
	w.clocks[id] = newOscillator(c)
	w.readClocks(id)
	w.setCost(id, w.configuredCost(id))
	if w.adversary != nil {
		n.state |= watched
	}
	if w.careful {
		n.state |= exact
	}
}

// play handles events until none is left before the end. A panic of a step ends
// the run as a finding; any other is a fault of the engine or a property.
func (w *World[M]) play() {
	defer func() {
		if w.handling.Self == None {
			return
		}
		if r := recover(); r != nil {
			w.result.Panic = &Panic{At: w.now, Node: w.handling.Self, Name: w.names[w.handling.Self],
				Message: w.q.Popped().Body.msg.String(), Value: fmt.Sprint(r), Stack: string(debug.Stack())}
		}
		w.handling.Self = None
	}()
	for last := w.horizon - 1; w.next(last); {
	}
}

// next handles the next event, if there is one up to the given instant.
func (w *World[M]) next(last Time) bool {
	var due *event[M]
	if w.q.Few() {
		due = w.q.PopFew(int64(last))
	} else {
		if w.q.Dry() {
			if !w.q.Refill() {
				return false
			}
			w.touch()
		}
		due = w.q.Pop(int64(last))
	}
	if due == nil {
		return false
	}
	w.now = Time(due.At)
	e := &due.Body
	n := w.nodes[e.to]
	if e.class == change || n.state != 0 || e.class != message && e.incarnation != n.incarnation {
		w.unusual(due)
	} else { // what handle does
		in := In[M]{e.to, e.from, Mono(w.now), Boot(w.now), Wall(w.now), e.msg}
		w.enterStep(e)
		n.node.Step(in, &w.out)
		w.out.mode = leaving
		w.handling.Self = None
	}
	w.q.Free()
	return true
}

// touch writes to the nodes of the next events, and to the events that follow those. The cache
// misses of independent writes overlap, and nothing waits for them; those of consecutive steps
// do not.
func (w *World[M]) touch() {
	for _, k := range w.q.Near() {
		w.nodes[w.q.Entry(k.Slot()).Body.to].touched = 1
	}
	for _, k := range w.q.Coming() {
		w.q.Entry(k.Slot()).Body.touched = 1
	}
}
