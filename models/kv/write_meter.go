package kv

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// writeMeter records what becomes of writes, and what conflicts cost.
type writeMeter struct {
	Lost      model.Measure `measure:"lost-writes,total"`            // acknowledged, and at the end stored by no node: see noLostWrite
	Share     model.Measure `measure:"lost-share,per=writes,most=1"` // of the acknowledged writes
	Siblings  model.Measure `measure:"stored-siblings"`              // each time that a node stores a key
	Most      model.Measure `measure:"most-siblings"`                // that a node stores
	False     model.Measure `measure:"false-siblings,total"`         // how often a node stores a value beside one that replaced it
	Metadata  model.Measure `measure:"metadata-bytes"`               // of clocks, each time that a node stores a key
	Collected model.Measure `measure:"tombstones-collected,total"`   // by nodes
	MostSoFar int64
	Writes    shared
}

// Observe implements [model.Recorder].
func (m *writeMeter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	m.Writes.follow(v, o)
	if o.Event == sim.Noted && o.Msg.Kind == core.Collected {
		m.Collected.Record(v, 1)
	}
	if o.Event != sim.Noted || o.Msg.Kind != core.Stored {
		return
	}
	n := int64(len(o.Msg.Obj.Values()))
	m.MostSoFar = max(m.MostSoFar, n)
	m.Siblings.Record(v, n)
	m.Metadata.Record(v, int64(o.Msg.Obj.Metadata()))
	if m.Writes.falsePair[0] != nil {
		m.False.Record(v, 1)
	}
}

// End is called when the run is over.
func (m *writeMeter) End(v *sim.View[core.Msg]) {
	lost := 0
	for i := range m.Writes.keys {
		lost += m.Writes.keys[i].missing
	}
	m.Lost.Record(v, int64(lost))
	m.Share.Record(v, int64(lost))
	m.Most.Record(v, m.MostSoFar)
}
