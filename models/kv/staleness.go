package kv

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
)

// staleMeter records how old what a read returns is: by how many versions, which is how many
// writes had been acknowledged when its client asked and are not covered by what it returns;
// and by how long, which is since when the first of these had been acknowledged.
//
// Source: Bailis et al., "Probabilistically Bounded Staleness for Practical Partial Quorums",
// VLDB 2012, section 2: k-staleness and t-visibility.
type staleMeter struct {
	Stale    model.Measure `measure:"stale-reads,total"`
	Share    model.Measure `measure:"stale-share,per=reads,most=1"`
	Versions model.Measure `measure:"staleness"`          // of each read, in versions
	Age      model.Measure `measure:"stale-for,duration"` // of each stale read

	*Layout
	Writes []acknowledged // the latest: number n is at n modulo mostWrites
	Number uint32         // of the latest, from 1
	Gone   collected
	Latest []uint32  // by key
	Since  []reading // by client
}

// acknowledged is a write that was.
type acknowledged struct {
	object *version.Object // that it made
	all    *version.Object // what is left of it and all before it of its key
	at     sim.Time
	before uint32 // the write of the key before it
}

// reading is a read that is not answered yet.
type reading struct {
	At     sim.Time // when its client asked
	Latest uint32   // acknowledged write of the key
}

// mostWrites bounds what is remembered: a read that lacks older writes as well lacks at
// least this many.
const mostWrites = 1 << 14

// Observe implements [model.Recorder].
func (m *staleMeter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	switch msg := &o.Msg; {
	case o.Event != sim.Noted:
	case msg.Kind == core.Collected:
		m.Gone.add(m.Policy, msg)
	case msg.Kind == core.Asked && msg.Write == nil:
		*model.At(&m.Since, o.Node) = reading{v.Now(), *model.At(&m.Latest, msg.Key())}
	case msg.Kind == core.Answered && msg.Write == nil:
		m.read(v, m.Since[o.Node], msg)
	case msg.Kind == core.Answered && msg.Obj != nil:
		m.write(v.Now(), model.At(&m.Latest, msg.Key()), msg.Obj)
	}
}

// remembered is a write by its number, nil if it is none or too old.
func (m *staleMeter) remembered(number uint32) *acknowledged {
	if number == 0 || m.Number-number >= mostWrites {
		return nil
	}
	return &m.Writes[number%mostWrites]
}

func (m *staleMeter) write(now sim.Time, latest *uint32, o *version.Object) {
	w := acknowledged{object: o, all: o, at: now, before: *latest}
	if before := m.remembered(*latest); before != nil {
		w.all = m.Policy.Merge(before.all, o)
	}
	m.Number++
	*latest = m.Number
	*model.At(&m.Writes, m.Number%mostWrites) = w
}

// read counts the writes that a read lacks, the latest first.
func (m *staleMeter) read(v *sim.View[core.Msg], since reading, msg *core.Msg) {
	var lacks int64
	var first sim.Time
	for w := m.remembered(since.Latest); w != nil && !m.Gone.includes(m.Policy, msg.Key(), msg.Obj, w.all); w = m.remembered(w.before) {
		if !m.Gone.includes(m.Policy, msg.Key(), msg.Obj, w.object) {
			lacks++
			first = w.at
		}
	}
	m.Versions.Record(v, lacks)
	if lacks > 0 {
		m.Stale.Record(v, 1)
		m.Share.Record(v, 1)
		m.Age.RecordDuration(v, max(0, since.At.Sub(first)))
	}
}
