package certify

import (
	"fmt"
	"reflect"
	"slices"

	"fencepost/sim"
	"fencepost/sim/certify/internal/codec"
)

// call names a step, or what a property is told: the root of a tree.
type call struct {
	node     sim.NodeID // that steps, or that the property is told of
	property bool
	event    sim.Event // of which the property is told
	ended    bool      // the property is told that the run is over
	from     sim.NodeID
	state    uint32
	msg      uint32
	pattern  string // of the symbols of the message, and of what an alarm waits for: which of all they are
	offset   int64  // of what an alarm waits for
	last     bool   // of what may be ignored: see [sim.Arrival]
}

// known is the tree of a call, and how many symbols it begins with.
type known struct {
	root  *tree
	now   int   // the symbol of the instant of the step
	wall  int   // and of what the wall clock reads then: the same one where that is true time
	state []int // symbols of the state, 0 and up
	msg   []int
}

// grow computes what a tree does: its question, or its result. It does so twice, with other
// names for the symbols: a step that looks at a reading otherwise than by its methods gives two
// results.
func (t *theatre) grow(c *call, k *known, at *tree) error {
	if at.known {
		return nil
	}
	var forward, backward [sim.MaxSymbols]int
	var biased codec.Biases
	for i := range forward {
		forward[i], backward[i] = i, sim.MaxSymbols-1-i
		biased[i] = int64(i)*1_234_567_891 + 987_654_321
	}
	none := t.bias
	defer func() { t.bias = none }()
	one, err := t.try(c, k, at.answers, forward[:])
	if err != nil {
		return err
	}
	t.bias = &biased
	two, err := t.try(c, k, at.answers, backward[:])
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(one, two) {
		return fmt.Errorf("%s depends on the number of a reading: it is to compare readings with Before, and to keep them whole (simctl vet says where it does not)", t.describe(c))
	}
	at.kind, at.a, at.b, at.unit, at.leaf, at.known = one.kind, one.a, one.b, one.unit, one.leaf, true
	switch at.kind {
	case fork:
		at.yes, at.no = &tree{answers: at.answers + "y"}, &tree{answers: at.answers + "n"}
	case rounding:
		at.yes = &tree{answers: at.answers + "r"}
	}
	return nil
}

func (t *theatre) describe(c *call) string {
	if c.property {
		return "the property"
	}
	return "a step of " + t.names[c.node-1]
}

// try lets the step run on the given answers.
func (t *theatre) try(c *call, k *known, answers string, names []int) (result *tree, err error) {
	s := &scene{search: t.search, names: names, bias: t.bias, answers: answers, made: k.wall + 1}
	sim.SetOracle(t.search, s)
	named := func(symbols []int) (list []int) {
		for _, i := range symbols {
			list = append(list, names[i])
		}
		return list
	}
	var in *parts
	var state any
	if c.property {
		in, state = t.properties, t.Property(t.property)
	} else {
		in, state = t.node[c.node], t.Node(c.node)
	}
	t.put(in, c.state, named(k.state), state)
	t.put(t.messages, c.msg, named(k.msg), t.Message())
	defer func() {
		sim.SetOracle(t.search, nil)
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = fmt.Errorf("%s: %w", t.describe(c), r.error)
		default:
			if r == any(errUnknown) {
				result = s.asked
				return
			}
			result = &tree{leaf: &leaf{panics: fmt.Sprint(r)}}
		}
	}()
	l, err := t.perform(c, s, s.reading(k.now), s.reading(k.wall))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.describe(c), err)
	}
	var symbols []int
	l.id, symbols, err = t.save(in, state)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.describe(c), err)
	}
	l.symbols = s.indexes(symbols)
	return &tree{leaf: l}, nil
}

// indexes are the symbols of names.
func (s *scene) indexes(names []int) (list []int) {
	for _, n := range names {
		list = append(list, slices.Index(s.names, n))
	}
	return list
}

// perform runs the step, or tells the property.
func (t *theatre) perform(c *call, s *scene, now, wall int64) (*leaf, error) {
	l := &leaf{}
	switch {
	case c.ended:
		l.violated = t.End(t.property, sim.Time(now))
		return l, nil
	case c.property:
		l.violated = t.Tell(t.property, c.event, c.node, sim.Time(now))
		return l, nil
	}
	for _, e := range t.Step(c.node, c.from, sim.Mono(now), sim.Boot(now), sim.Wall(wall)) {
		f := effect{kind: e.Kind, to: e.To, least: int64(e.For), most: int64(e.Most), drawn: e.Drawn, note: e.Note}
		f.watched = e.Kind == sim.Notes && t.Watches(t.property, sim.Noted, e.Note)
		if from, to, offset, ok := sim.AsDifference(f.least); ok && e.Kind == sim.Arms {
			f.differs, f.least, f.most = true, 0, 0
			f.at, f.less = term{slices.Index(s.names, to), offset}, term{slices.Index(s.names, from), 0}
		}
		if e.Kind == sim.Arms && f.most > sim.MaxOffset {
			return nil, fmt.Errorf("a timer of more than 13 days")
		}
		if e.Kind == sim.Sets {
			f.at = s.term(int64(e.At))
		}
		if e.Kind != sim.Notes || f.watched {
			id, symbols, err := t.save(t.messages, e.Msg)
			if err != nil {
				return nil, err
			}
			f.msg, f.symbols = id, s.indexes(symbols)
		}
		l.effects = append(l.effects, f)
	}
	t.Forget(c.node)
	return l, nil
}
