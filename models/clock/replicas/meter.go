package replicas

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// meter records what a way to version values keeps and costs.
type meter struct {
	Writes        model.Measure `measure:"writes,counts=stored"`      // that replicas took
	Reads         model.Measure `measure:"reads,counts=read"`         // that were answered
	ReadSiblings  model.Measure `measure:"reads-with-siblings,total"` // of these, those with more than one value
	Siblings      model.Measure `measure:"siblings"`                  // at a replica, each time that what it keeps changes
	MostSiblings  model.Measure `measure:"most-siblings"`             // of them, the most
	SiblingsEnd   model.Measure `measure:"siblings-at-end"`           // at the replica with the most of them
	FalseEver     model.Measure `measure:"false-siblings"`            // values that a replica ever kept beside one that replaces them
	FalseEnd      model.Measure `measure:"false-siblings-at-end"`     // values that a replica keeps so at the end, at the one with the most
	LostEver      model.Measure `measure:"lost-values"`               // values that a replica ever dropped or refused while it kept none that replaces them
	LostEnd       model.Measure `measure:"lost-values-at-end"`        // writes that no replica keeps at the end, nor one that replaces them
	Metadata      model.Measure `measure:"metadata-bytes"`            // beside the values, each time that what a replica keeps changes
	MetadataValue model.Measure `measure:"metadata-bytes-per-value"`
	MetadataEnd   model.Measure `measure:"metadata-bytes-at-end"` // at the replica with the most of them

	*Ledger
	Most int // siblings
}

// Observe implements [model.Recorder].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	if o.Msg.Kind == Read && len(o.Msg.Set.values) > 1 {
		m.ReadSiblings.Record(v, 1)
	}
	if m.changed && len(o.Msg.Set.values) > 0 {
		n := int64(len(o.Msg.Set.values))
		m.Most = max(m.Most, int(n))
		bytes := int64(o.Msg.Set.versions.Metadata())
		m.Siblings.Record(v, n)
		m.Metadata.Record(v, bytes)
		m.MetadataValue.Record(v, (bytes+n-1)/n)
	}
}

// End looks at what replicas keep at the end.
func (m *meter) End(v *sim.View[Msg]) {
	most, falses, bytes := 0, 0, 0
	for _, k := range m.kept {
		if k != nil {
			most, bytes = max(most, len(k.values)), max(bytes, k.versions.Metadata())
			falses = max(falses, m.falseSiblings(k))
		}
	}
	m.MostSiblings.Record(v, int64(m.Most))
	m.SiblingsEnd.Record(v, int64(most))
	m.FalseEver.Record(v, int64(m.falses))
	m.FalseEnd.Record(v, int64(falses))
	m.LostEver.Record(v, int64(m.losses))
	m.LostEnd.Record(v, int64(m.lostEverywhere()))
	m.MetadataEnd.Record(v, int64(bytes))
}
