package kv

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/ring"
	"fencepost/sim"
	"fencepost/sim/model"
)

// moveMeter records what changes of the ring move, and how evenly keys are spread.
type moveMeter struct {
	Changes   model.Measure `measure:"ring-changes,counts=change-done"`
	Refused   model.Measure `measure:"ring-changes-refused,counts=change-refused"`
	Duration  model.Measure `measure:"ring-change,duration"`
	Bytes     model.Measure `measure:"streamed-bytes,total"`
	Objects   model.Measure `measure:"streamed-objects,total"`
	Primaries model.Measure `measure:"primaries-moved,total"` // keys that have another first node
	Sets      model.Measure `measure:"sets-changed,total"`    // keys that a node stores that did not
	Copies    model.Measure `measure:"copies-moved,total"`    // of keys that a node stores and did not
	Load      model.Measure `measure:"load,most=1000000"`     // of members: a sample, in thousandths
	Members   model.Measure `measure:"members"`               // at each sample
	Moving    model.Measure `measure:"latency-while-moving,duration"`
	Keys      model.Measure `measure:"keys-of-node"`  // at the end: keys that a node is the first of
	Largest   model.Measure `measure:"largest-share"` // of keys that a node is the first of, in thousandths of the mean
	Smallest  model.Measure `measure:"smallest-share"`
	Deviation model.Measure `measure:"share-deviation"` // the standard deviation, in thousandths of the mean

	*Layout
	Now     *core.Ring
	Started sim.Time
	Active  bool
	Since   []sim.Time // of the request of a client, by node
}

// Observe implements [model.Recorder].
func (m *moveMeter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch n := &o.Msg; n.Kind {
	case core.ChangeStarted:
		m.Started, m.Active = v.Now(), true
		before, after := m.RingsOf(n.Rings())
		moved := ring.CountMoves(before.Tokens, after.Tokens, m.N)
		m.Primaries.Record(v, int64(moved.Primaries))
		m.Sets.Record(v, int64(moved.Sets))
		m.Copies.Record(v, int64(moved.Copies))
	case core.ChangeDone:
		m.Active = false
		_, m.Now = m.RingsOf(n.Rings())
		m.Duration.RecordDuration(v, v.Now().Sub(m.Started))
	case core.Streamed:
		m.Bytes.Record(v, int64(n.Bytes()))
		m.Objects.Record(v, int64(n.Objects()))
	case core.Sampled:
		m.Load.Record(v, int64(n.Load()))
		m.Members.Record(v, int64(n.Members()))
	case core.Asked:
		*model.At(&m.Since, o.Node) = v.Now()
	case core.Answered:
		if m.Active {
			m.Moving.RecordDuration(v, v.Now().Sub(m.Since[o.Node]))
		}
	}
}

// End records how many keys each member has.
func (m *moveMeter) End(v *sim.View[core.Msg]) {
	if m.Ordered {
		return
	}
	r := m.Now
	if r == nil {
		r = m.Ring
	}
	loads := r.Tokens.Load(1)
	for _, l := range loads {
		m.Keys.Record(v, int64(l))
	}
	b := ring.BalanceOf(loads)
	m.Largest.Record(v, int64(b.Max))
	m.Smallest.Record(v, int64(b.Min))
	m.Deviation.Record(v, int64(b.Deviation))
}
