package kv

import (
	"slices"
	"time"

	"fencepost/models/kv/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what clients see, and what that takes. Other meters record what becomes of
// writes (write_meter.go), how stale reads are (staleness.go), what repair moves
// (repair_meter.go), what a change of the ring moves (move_meter.go), and what each client
// sees (meter_client.go).
type meter struct {
	Requests     model.Measure `measure:"requests,total"`                   // answered or failed
	Reads        model.Measure `measure:"reads,total"`                      // answered
	Writes       model.Measure `measure:"writes,total"`                     // acknowledged
	Failures     model.Measure `measure:"failures,total,counts=failed"`     // of both
	Mismatches   model.Measure `measure:"mismatches,total"`                 // compare-and-sets that find another value: an answer, and no write
	Availability model.Measure `measure:"availability,per=requests,most=1"` // those answered without an error
	ReadLatency  model.Measure `measure:"read-latency,duration"`
	WriteLatency model.Measure `measure:"write-latency,duration"`
	Siblings     model.Measure `measure:"siblings"`                  // that a read returns
	Replicated   model.Measure `measure:"replicated-bytes,total"`    // of writes that are acknowledged, from coordinators to replicas
	Busiest      model.Measure `measure:"busiest-node,per=requests"` // requests that it is asked, over the mean of the nodes

	*Layout
	Since []sim.Time // of the request of a client, by node
	To    []uint16   // whom it asks
	Asked []int64    // requests, by node
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[core.Msg], o *sim.Observation[core.Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch msg := &o.Msg; msg.Kind {
	case core.Asked:
		*model.At(&m.Since, o.Node) = v.Now()
		*model.At(&m.To, o.Node) = uint16(msg.Other())
	case core.Answered:
		m.ended(v, o.Node)
		m.answered(v, msg, v.Now().Sub(m.Since[o.Node]))
	case core.Failed:
		m.ended(v, o.Node)
		if msg.Status() == core.Mismatch { // that is an answer
			m.Availability.Record(v, 1)
			m.Mismatches.Record(v, 1)
		}
	}
}

func (m *meter) ended(v *sim.View[core.Msg], client sim.NodeID) {
	m.Requests.Record(v, 1)
	*model.At(&m.Asked, uint32(m.To[client]))++
}

func (m *meter) answered(v *sim.View[core.Msg], msg *core.Msg, latency time.Duration) {
	m.Availability.Record(v, 1)
	if msg.Write != nil {
		m.Writes.Record(v, 1)
		m.Replicated.Record(v, int64(msg.Copies())*int64(msg.Obj.Bytes()))
		m.WriteLatency.RecordDuration(v, latency)
		return
	}
	m.Reads.Record(v, 1)
	m.ReadLatency.RecordDuration(v, latency)
	m.Siblings.Record(v, int64(len(msg.Obj.Values())))
}

// End is called when the run is over.
func (m *meter) End(v *sim.View[core.Msg]) {
	if len(m.Asked) > 0 {
		m.Busiest.Record(v, slices.Max(m.Asked)*int64(m.Nodes))
	}
}
