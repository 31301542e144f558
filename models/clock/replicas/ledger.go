package replicas

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/models/clock"
	"fencepost/sim"
)

// Layout is what observers know of a system.
type Layout struct {
	Names  []string // of replicas and clients, by [sim.NodeID]; the first is of none
	Labels []string // of values; the first is of none
	Items  []string // of carts: by addition, what is added

	Replicas int // nodes 1 to that many
	Disk     Disk
	Carts    bool
	Settle   time.Duration // in which replicas reach agreement; 0, they need not
	Final    []Final
	Clocks   []ClockOf
}

// written is what the ledger knows of a write.
type written struct {
	ref     Ref
	label   uint16
	gone    uint64                  // additions that it or a write before it has taken out of the cart
	stored  bool                    // a replica has taken it
	dropped uint64                  // by replica: it keeps neither this value nor one that replaces it, and has been told
	isLost  bool                    // some replica has dropped it so
	isFalse bool                    // some replica has kept it beside one that replaces it
	version clock.VersionVector[ID] // of its value, when it was taken
}

// Ledger is who has written what, and what the replicas keep, as the notes tell it. One is
// shared by all observers of a run; the property no-false-siblings, the first of them, keeps it. It
// knows what replaces what from what the writers had read, and looks at no clock.
type Ledger struct {
	layout *Layout
	seen   int // observations

	oracle clock.Writes
	writes []written         // by [clock.WriteID]
	byRef  [][]clock.WriteID // by client, from the first: its writes
	kept   []*Kept           // by replica
	last   sim.Time          // when a write was stored, or something went wrong
	mark   []int             // by write: the last observation in which a replica kept it
	ids    []clock.WriteID   // of what is kept now

	changed   bool             // in the last observation: what a replica keeps has changed
	falsePair [2]clock.WriteID // a value that is new to a replica beside one that replaces it
	hasFalse  bool
	lost      []clock.WriteID  // values that the replica drops, and keeps none that replaces them
	reappears uint64           // additions to the cart that a client reads although they were taken out
	samePair  [2]clock.WriteID // two values of one version
	hasSame   bool

	losses, falses int // in the run: values that are isLost and isFalse
}

func newLedger(l *Layout) *Ledger { return &Ledger{layout: l} }

func (l *Ledger) reset() {
	clear(l.writes)
	for i := range l.byRef {
		l.byRef[i] = l.byRef[i][:0]
	}
	if l.byRef == nil {
		l.byRef, l.kept = make([][]clock.WriteID, len(l.layout.Names)), make([]*Kept, l.layout.Replicas+1)
	}
	clear(l.kept)
	l.oracle.Reset()
	*l = Ledger{layout: l.layout, oracle: l.oracle, writes: l.writes[:0], byRef: l.byRef, kept: l.kept,
		mark: l.mark[:0], ids: l.ids[:0], lost: l.lost[:0]}
}

// observe brings the ledger up to date.
func (l *Ledger) observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	l.seen++
	l.changed, l.hasFalse, l.hasSame, l.reappears, l.lost = false, false, false, 0, l.lost[:0]
	m := &o.Msg
	switch {
	case o.Event != sim.Noted:
		l.last = v.Now()
		if o.Event == sim.Crashed && l.layout.Disk != Safe && int(o.Node) <= l.layout.Replicas {
			l.kept[o.Node] = nil
		}
		return
	case m.Kind == Wrote:
		l.write(m.Write)
	case m.Kind == Read:
		l.reappears = merge(m.Set.values).present() & l.goneFrom(m.Set.values)
	case m.Kind == Stored:
		l.last = v.Now()
		l.check(o.Node, m.Set, []Value{m.Write.Value})
		l.store(m)
	case m.Kind == Synced:
		l.check(o.Node, m.Set, m.Heard.values)
	case m.Kind == Opened:
		l.check(o.Node, m.Set, nil)
	}
}

// write takes in a write that its writer is about to send.
func (l *Ledger) write(w *Write) {
	l.ids = l.ids[:0]
	if w.Read != nil {
		l.ids = l.idsOf(w.Read.values, l.ids)
	}
	id, err := l.oracle.Add(l.ids...)
	if err != nil {
		panic("replicas: " + err.Error())
	}
	info := written{ref: w.Write, label: w.Label, gone: w.Removes}
	for _, read := range l.ids {
		info.gone |= l.writes[read].gone
	}
	own := &l.byRef[w.Write.client()]
	for len(*own) < int(w.Write.nth()) { // a crash can come between a write and its note: then it is not sent either
		*own = append(*own, id)
	}
	l.writes, l.mark = append(l.writes, info), append(l.mark, 0)
}

// store takes in the version of a value, and looks whether another has the same.
func (l *Ledger) store(m *Msg) {
	id := l.id(m.Write.Value)
	info := &l.writes[id]
	version := m.Set.version
	if version == nil || info.stored {
		info.stored = true
		return
	}
	for i := range l.writes {
		if w := &l.writes[i]; w.version != nil && w.version.Compare(version) == clock.Equal {
			l.samePair, l.hasSame = [2]clock.WriteID{clock.WriteID(i), id}, true
			break
		}
	}
	info.stored, info.version = true, version
}

// check compares what a replica keeps with what it kept, and what has reached it.
func (l *Ledger) check(replica sim.NodeID, set *Kept, came []Value) {
	was := l.kept[replica]
	if was == set { // it has been told of what it keeps
		return
	}
	l.kept[replica] = set
	l.changed = was == nil || !was.equal(set)
	l.ids = l.idsOf(set.values, l.ids[:0])
	for _, id := range l.ids {
		l.mark[id] = -l.seen // kept now, and new as far as is known
		l.writes[id].dropped &^= 1 << (replica - 1)
	}
	if was != nil {
		l.dropped(replica, was.values)
	}
	l.dropped(replica, came)
	if was != nil {
		for _, v := range was.values {
			if id := l.id(v); l.mark[id] == -l.seen {
				l.mark[id] = l.seen // kept before: checked then
			}
		}
	}
	for _, x := range l.ids {
		if l.mark[x] == -l.seen {
			l.beside(x)
		}
	}
}

// dropped finds what is lost of what was there, each value once.
func (l *Ledger) dropped(replica sim.NodeID, values []Value) {
	for _, v := range values {
		id := l.id(v)
		told := &l.writes[id].dropped
		replaced := func(by clock.WriteID) bool { return l.oracle.Before(id, by) }
		if l.mark[id] != -l.seen && *told>>(replica-1)&1 == 0 && !slices.ContainsFunc(l.ids, replaced) {
			l.lost = append(l.lost, id)
			*told |= 1 << (replica - 1)
			once(&l.writes[id].isLost, &l.losses)
		}
	}
}

// beside finds which values are kept beside one that replaces them, of those that a new
// value replaces and itself. The pair to tell is of the first new value that has one.
func (l *Ledger) beside(x clock.WriteID) {
	told := l.hasFalse
	for _, y := range l.ids {
		pair := [2]clock.WriteID{x, y}
		switch {
		case l.oracle.Before(x, y):
		case l.oracle.Before(y, x):
			pair = [2]clock.WriteID{y, x}
		default:
			continue
		}
		once(&l.writes[pair[0]].isFalse, &l.falses)
		if !told {
			l.falsePair, l.hasFalse = pair, true
		}
	}
}

// once counts what has not been counted yet.
func once(counted *bool, n *int) {
	if !*counted {
		*counted = true
		*n++
	}
}

// falseSiblings is how many values a replica keeps beside one that replaces them.
func (l *Ledger) falseSiblings(k *Kept) (n int) {
	if k == nil {
		return 0
	}
	l.ids = l.idsOf(k.values, l.ids[:0])
	for _, x := range l.ids {
		if slices.ContainsFunc(l.ids, func(y clock.WriteID) bool { return l.oracle.Before(x, y) }) {
			n++
		}
	}
	return n
}

// lostEverywhere is how many writes were taken that no replica keeps, nor one that replaces
// them.
func (l *Ledger) lostEverywhere() (n int) {
	l.ids = l.ids[:0]
	for _, k := range l.kept {
		if k != nil {
			l.ids = l.idsOf(k.values, l.ids)
		}
	}
	for i := range l.writes {
		x := clock.WriteID(i)
		if l.writes[i].stored && !slices.ContainsFunc(l.ids, func(y clock.WriteID) bool { return x == y || l.oracle.Before(x, y) }) {
			n++
		}
	}
	return n
}

// goneFrom are the additions that have been taken out of carts.
func (l *Ledger) goneFrom(carts []Value) (gone uint64) {
	for _, v := range carts {
		gone |= l.writes[l.id(v)].gone
	}
	return gone
}

func (l *Ledger) id(v Value) clock.WriteID { return l.byRef[v.Write.client()][v.Write.nth()-1] }

func (l *Ledger) idsOf(values []Value, into []clock.WriteID) []clock.WriteID {
	for _, v := range values {
		into = append(into, l.id(v))
	}
	return into
}

// names are the names of ids and values in reports.
func (l *Ledger) names() names { return names{l.idName, l.valueName} }

// idName is a node, with a prime for each disk that it has lost.
func (l *Ledger) idName(id ID) string {
	return l.layout.Names[id.Node()] + strings.Repeat("'", int(id.Epoch()))
}

// valueName is the name of a value; of a cart what is in it, and of a value without a name
// its number among all writes of the run.
func (l *Ledger) valueName(v Value) string {
	id := l.id(v)
	switch label := l.writes[id].label; {
	case label != 0:
		return l.layout.Labels[label]
	case l.layout.Carts:
		return l.layout.cart(v.present())
	}
	return l.writeName(id)
}

// writeName is the name of the value of a write, and of a cart its number.
func (l *Ledger) writeName(id clock.WriteID) string {
	if label := l.writes[id].label; label != 0 {
		return l.layout.Labels[label]
	}
	return fmt.Sprintf("v%d", id+1)
}

// cart is what is in a cart, in alphabetical order: A+B.
func (l *Layout) cart(additions uint64) string {
	if additions == 0 {
		return "nothing"
	}
	var items []string
	for i, item := range l.Items {
		if additions>>i&1 == 1 && !slices.Contains(items, item) {
			items = append(items, item)
		}
	}
	slices.Sort(items)
	return strings.Join(items, "+")
}

// writer is whose write it is.
func (l *Ledger) writer(id clock.WriteID) sim.NodeID { return l.writes[id].ref.client() }

// version is the version of the value of a write when it was taken, nil if there is none.
func (l *Ledger) version(id clock.WriteID) clock.VersionVector[ID] { return l.writes[id].version }

// text is what a replica keeps, in words.
func (l *Ledger) text(k *Kept) string {
	if k == nil {
		return ""
	}
	return k.versions.Text(l.names())
}
