package kv

import (
	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// repairMeter records what repair does and what it costs.
type repairMeter struct {
	Repairs     model.Measure `measure:"read-repairs,counts=repaired"`
	RepairBytes model.Measure `measure:"read-repair-bytes,total"` // of objects
	Hints       model.Measure `measure:"hints,counts=hinted"`
	HandedOver  model.Measure `measure:"hints-handed-over,counts=handed-over"`
	Refused     model.Measure `measure:"hints-refused,counts=hint-refused"`
	Lost        model.Measure `measure:"hints-lost,total"`                        // in crashes
	Bytes       model.Measure `measure:"handoff-bytes,total"`                     // of objects
	Compared    model.Measure `measure:"hash-comparisons,counts=compared"`        // of hash trees
	Exchanged   model.Measure `measure:"anti-entropy-exchanges,counts=exchanged"` // objects, or none, of a key in a leaf that differs
	Moved       model.Measure `measure:"anti-entropy-bytes,total"`                // of objects, and 8 of each hash
	Suspicions  model.Measure `measure:"suspicions,counts=suspected"`
}

// hashBytes is the size of a hash on the wire.
const hashBytes = 8

// Observe implements [model.Recorder].
func (m *repairMeter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case core.Repaired:
		m.RepairBytes.Record(v, int64(o.Msg.Obj.Bytes()))
	case core.HandedOver:
		m.Bytes.Record(v, int64(o.Msg.Obj.Bytes()))
	case core.HintsLost:
		m.Lost.Record(v, int64(o.Msg.Hints()))
	case core.Compared:
		m.Moved.Record(v, hashBytes)
	case core.Exchanged:
		m.Moved.Record(v, int64(o.Msg.Obj.Bytes()))
	}
}
