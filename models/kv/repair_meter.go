package kv

import (
	"fencepost/models/internal/kit"
	"fencepost/models/kv/core"
	"fencepost/sim"
)

// repairMeter records what repair does and what it costs.
type repairMeter struct {
	Repairs     kit.Measure `measure:"read-repairs,counts=repaired"`
	RepairBytes kit.Measure `measure:"read-repair-bytes,total"` // of objects
	Hints       kit.Measure `measure:"hints,counts=hinted"`
	HandedOver  kit.Measure `measure:"hints-handed-over,counts=handed-over"`
	Refused     kit.Measure `measure:"hints-refused,counts=hint-refused"`
	Lost        kit.Measure `measure:"hints-lost,total"`                        // in crashes
	Bytes       kit.Measure `measure:"handoff-bytes,total"`                     // of objects
	Compared    kit.Measure `measure:"hash-comparisons,counts=compared"`        // of hash trees
	Exchanged   kit.Measure `measure:"anti-entropy-exchanges,counts=exchanged"` // objects, or none, of a key in a leaf that differs
	Moved       kit.Measure `measure:"anti-entropy-bytes,total"`                // of objects, and 8 of each hash
	Suspicions  kit.Measure `measure:"suspicions,counts=suspected"`
}

// hashBytes is the size of a hash on the wire.
const hashBytes = 8

// Observe implements [kit.Recorder].
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
