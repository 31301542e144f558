package replicas

import "fencepost/sim"

// The measures, in the order in which they are declared.
const (
	writes        = iota // that replicas took
	reads                // that were answered
	readSiblings         // of these, those with more than one value
	siblings             // at a replica, each time that what it keeps changes
	mostSiblings         // of them, the most
	siblingsEnd          // at the replica with the most of them
	falseEver            // values that a replica ever kept beside one that replaces them
	falseEnd             // values that a replica keeps so at the end, at the one with the most
	lostEver             // values that a replica ever dropped or refused while it kept none that replaces them
	lostEnd              // writes that no replica keeps at the end, nor one that replaces them
	metadata             // bytes beside the values, each time that what a replica keeps changes
	metadataValue        // and per value
	metadataEnd          // at the replica with the most of them
)

// meter records what a way to version values keeps and costs.
type meter struct {
	watcher
	most int // siblings
}

func (m *meter) measures() []sim.Measure {
	return []sim.Measure{
		writes:        {Name: "writes", Total: true},
		reads:         {Name: "reads", Total: true},
		readSiblings:  {Name: "reads-with-siblings", Total: true},
		siblings:      {Name: "siblings"},
		mostSiblings:  {Name: "most-siblings"},
		siblingsEnd:   {Name: "siblings-at-end"},
		falseEver:     {Name: "false-siblings"},
		falseEnd:      {Name: "false-siblings-at-end"},
		lostEver:      {Name: "lost-values"},
		lostEnd:       {Name: "lost-values-at-end"},
		metadata:      {Name: "metadata-bytes"},
		metadataValue: {Name: "metadata-bytes-per-value"},
		metadataEnd:   {Name: "metadata-bytes-at-end"},
	}
}

// Reset implements [sim.Observer].
func (m *meter) Reset(*sim.View[Msg]) {
	m.most = 0
	m.watcher.reset()
}

// Observe implements [sim.Observer].
func (m *meter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	m.follow(v, o)
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case Stored:
		v.Record(writes, 1)
	case Read:
		v.Record(reads, 1)
		if len(o.Msg.Set.values) > 1 {
			v.Record(readSiblings, 1)
		}
	}
	if m.changed && len(o.Msg.Set.values) > 0 {
		n := int64(len(o.Msg.Set.values))
		m.most = max(m.most, int(n))
		bytes := int64(o.Msg.Set.versions.Metadata())
		v.Record(siblings, n)
		v.Record(metadata, bytes)
		v.Record(metadataValue, (bytes+n-1)/n)
	}
}

// End implements [sim.Observer].
func (m *meter) End(v *sim.View[Msg]) {
	most, falses, bytes := 0, 0, 0
	for _, k := range m.kept {
		if k != nil {
			most, bytes = max(most, len(k.values)), max(bytes, k.versions.Metadata())
			falses = max(falses, m.falseSiblings(k))
		}
	}
	v.Record(mostSiblings, int64(m.most))
	v.Record(siblingsEnd, int64(most))
	v.Record(falseEver, int64(m.falses))
	v.Record(falseEnd, int64(falses))
	v.Record(lostEver, int64(m.losses))
	v.Record(lostEnd, int64(m.lostEverywhere()))
	v.Record(metadataEnd, int64(bytes))
}
