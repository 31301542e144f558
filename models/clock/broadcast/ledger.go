package broadcast

import "fencepost/sim"

// ledger is who has broadcast and delivered what, as the notes tell it. One is shared by
// all observers of a run; the property fifo-order, the first of them, keeps it.
//
// What happened before what it knows without looking at any stamp: before a message are
// those that its sender had broadcast or delivered by then, and those before these. Of
// each process these are the first N, since a process knows its own past; so the
// history of a message is a number per process. The test beside this file compares that
// with [clock.History].
type ledger struct {
	processes int
	opening   Account

	casts   []cast
	history []uint32  // by message and process: how many messages of the process are in its history, itself included
	ids     [][]int32 // by sender, its messages: where they are in casts; unsent if there is none of that number

	replicas []replica
	common   []uint32 // by two processes: how many messages both have delivered
	furthest []uint32 // by two processes p, q: of those messages, where the last at q is
	now      delivery
}

// unsent is the place of a message that its sender has counted, and did not broadcast: it
// crashed in between.
const unsent = -1

// cast is a message that was broadcast.
type cast struct {
	sender sim.NodeID
	seq    uint32
	at     sim.Time
	first  sim.Time // when a process delivered it that has not crashed, Never if none has
	by     sim.NodeID
}

// replica is what is known of a process.
type replica struct {
	places  []uint32 // by message: which one it delivered as, from 1; 0 if it has not
	prefix  []uint32 // by sender: how many of its messages it has delivered without a gap, as far as was asked for
	knows   []uint32 // by sender: how many of its messages happened before what it does now
	count   uint32   // messages that it has delivered, without copies
	balance Account
	crashed bool // once; a process that has restarted is not checked
}

// delivery is what the last observation told of, with what was known before it.
type delivery struct {
	sim.NodeID            // that delivered, None if it was no delivery that is checked
	id         int32      // the message
	copy       bool       // it had been delivered before
	behind     sim.NodeID // another process that delivered it and an earlier one the other way round
}

func newLedger(processes int, opening Account) *ledger {
	l := &ledger{processes: processes, opening: opening, ids: make([][]int32, processes+1), replicas: make([]replica, processes+1),
		common: make([]uint32, (processes+1)*(processes+1)), furthest: make([]uint32, (processes+1)*(processes+1))}
	for p := range l.replicas {
		l.replicas[p].prefix, l.replicas[p].knows = make([]uint32, processes+1), make([]uint32, processes+1)
	}
	l.reset()
	return l
}

func (l *ledger) reset() {
	l.casts, l.history = l.casts[:0], l.history[:0]
	for p := range l.replicas {
		r := &l.replicas[p]
		l.ids[p], r.places = l.ids[p][:0], r.places[:0]
		clear(r.prefix)
		clear(r.knows)
		r.count, r.balance, r.crashed = 0, l.opening, false
	}
	clear(l.common)
	clear(l.furthest)
	l.now = delivery{}
}

// observe brings the ledger up to date.
func (l *ledger) observe(now sim.Time, o *sim.Observation[Msg]) {
	l.now = delivery{}
	r := &l.replicas[o.Node]
	switch {
	case o.Event == sim.Crashed:
		l.crash(now, o.Node)
	case o.Event != sim.Noted:
	case o.Msg.Kind == Sent:
		l.sent(now, o.Node, o.Msg.Seq)
	case o.Msg.Kind == Delivered:
		r.balance = o.Msg.balance()
		l.delivered(now, o.Node, l.ids[o.Msg.Sender][o.Msg.Seq-1])
	}
}

// crash is a process that has forgotten what it knew. What it delivered counts only if
// another process has delivered it, too.
func (l *ledger) crash(at sim.Time, p sim.NodeID) {
	l.replicas[p].crashed = true
	clear(l.replicas[p].knows)
	for id := range l.casts {
		m := &l.casts[id]
		if m.by != p {
			continue
		}
		m.first, m.by = sim.Never, sim.None
		for q := range l.replicas {
			if r := &l.replicas[q]; r.places[id] != 0 && !r.crashed {
				m.first, m.by = at, sim.NodeID(q) // at the latest
				break
			}
		}
	}
}

// sent is a broadcast: its history is all that its sender knows.
func (l *ledger) sent(at sim.Time, sender sim.NodeID, seq uint32) {
	for len(l.ids[sender])+1 < int(seq) {
		l.ids[sender] = append(l.ids[sender], unsent)
	}
	l.ids[sender] = append(l.ids[sender], int32(len(l.casts)))
	l.casts = append(l.casts, cast{sender: sender, seq: seq, at: at, first: sim.Never})
	for p := range l.replicas {
		l.replicas[p].places = append(l.replicas[p].places, 0)
	}
	knows := l.replicas[sender].knows
	knows[sender] = seq
	l.history = append(l.history, knows...)
}

// past is the history of a message.
func (l *ledger) past(id int32) []uint32 {
	n := len(l.replicas)
	return l.history[int(id)*n:][:n]
}

func (l *ledger) delivered(at sim.Time, p sim.NodeID, id int32) {
	r, m := &l.replicas[p], &l.casts[id]
	for q, n := range l.past(id) {
		r.knows[q] = max(r.knows[q], n)
	}
	if r.crashed {
		return
	}
	if l.now = (delivery{NodeID: p, id: id, copy: r.places[id] != 0}); l.now.copy {
		return
	}
	if m.first == sim.Never {
		m.first, m.by = at, p
	}
	r.count++
	r.places[id] = r.count
	l.now.behind = l.compare(p, id)
}

// compare holds a delivery against those of the same message at other processes. It
// returns one that had delivered the message before another one that both have delivered,
// and p after it.
func (l *ledger) compare(p sim.NodeID, id int32) (behind sim.NodeID) {
	n := len(l.replicas)
	mine := l.replicas[p].places[id]
	for q := 1; q < n; q++ {
		other := l.replicas[q].places[id]
		if q == int(p) || other == 0 || l.replicas[q].crashed {
			continue
		}
		forth, back := int(p)*n+q, q*n+int(p)
		if other < l.furthest[forth] && behind == sim.None {
			behind = sim.NodeID(q)
		}
		l.furthest[forth] = max(l.furthest[forth], other)
		l.furthest[back] = max(l.furthest[back], mine)
		l.common[forth]++
		l.common[back]++
	}
	return behind
}

// have is how many of a sender's messages a process has delivered without a gap.
func (l *ledger) have(p, sender sim.NodeID) uint32 {
	r, ids := &l.replicas[p], l.ids[sender]
	n := r.prefix[sender]
	for int(n) < len(ids) && (ids[n] == unsent || r.places[ids[n]] != 0) {
		n++
	}
	r.prefix[sender] = n
	return n
}

// same reports whether two processes have delivered the same messages.
func (l *ledger) same(p, q sim.NodeID) bool {
	a, b := l.replicas[p].count, l.replicas[q].count
	return a == b && l.common[int(p)*len(l.replicas)+int(q)] == a
}

// missing is a sender of whose messages in the history of a message a process has not
// delivered all; so is the first one that is missing.
func (l *ledger) missing(p sim.NodeID, id int32) (sender sim.NodeID, seq uint32) {
	m := &l.casts[id]
	for q, n := range l.past(id) {
		if q == int(m.sender) {
			n--
		}
		if have := l.have(p, sim.NodeID(q)); have < n {
			return sim.NodeID(q), have + 1
		}
	}
	return sim.None, 0
}
