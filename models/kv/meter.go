package kv

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// meter records what clients see.
type meter struct {
	Reads        kit.Measure `measure:"reads,total"`                  // answered
	Writes       kit.Measure `measure:"writes,total"`                 // acknowledged
	Failures     kit.Measure `measure:"failures,total,counts=failed"` // of both
	ReadLatency  kit.Measure `measure:"read-latency,duration"`
	WriteLatency kit.Measure `measure:"write-latency,duration"`
	Siblings     kit.Measure `measure:"siblings"` // that a read returns

	*Layout
	Since []sim.Time // of the request of a client, by node
}

// Observe implements [kit.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch {
	case o.Event != sim.Noted:
	case o.Msg.Kind == Asked:
		*kit.At(&m.Since, o.Node) = v.Now()
	case o.Msg.Kind == Answered && o.Msg.Write == nil:
		m.Reads.Record(v, 1)
		m.ReadLatency.RecordDuration(v, v.Now().Sub(m.Since[o.Node]))
		m.Siblings.Record(v, int64(len(o.Msg.Obj.Values())))
	case o.Msg.Kind == Answered:
		m.Writes.Record(v, 1)
		m.WriteLatency.RecordDuration(v, v.Now().Sub(m.Since[o.Node]))
	}
}
