package lock

import (
	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// failoverMeter records what Sentinels do, and how long it takes until there is another master.
type failoverMeter struct {
	FailoversTried  model.Measure `measure:"failovers-tried,counts=candidacy"` // by Sentinels, each time that one asks the others for their votes
	Promotions      model.Measure `measure:"promotions,counts=promoted"`       // of a replica to the master
	TimeToPromotion model.Measure `measure:"time-to-promotion,duration"`       // from when a quorum of Sentinels first takes the master to be down

	Down  bool // a quorum of Sentinels has taken the master to be down, and no replica was promoted since
	Since sim.Time
}

// Kinds are the notes that change what it remembers.
func (m *failoverMeter) Kinds() []sim.Kind {
	return []sim.Kind{core.ObjectivelyDown, core.Promoted}
}

// Observe implements [model.Recorder].
func (m *failoverMeter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted {
		return
	}
	switch o.Msg.Kind {
	case core.ObjectivelyDown:
		if !m.Down {
			m.Down, m.Since = true, v.Now()
		}
	case core.Promoted:
		if m.Down {
			m.TimeToPromotion.RecordDuration(v, v.Now().Sub(m.Since))
		}
		m.Down = false
	}
}

// addFailoverMeter adds the measures of a Redis with Sentinels.
func addFailoverMeter(s *sim.System[Msg]) { model.AddMeter(s, &failoverMeter{}) }
