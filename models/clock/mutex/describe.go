package mutex

import (
	"fmt"

	"fencepost/sim"
	"fencepost/sim/model"
)

// describer says in words who wants to enter and who is in, for one run.
type describer struct {
	*model.Description[Msg]
	crowd crowd
	since sim.Time // when the process asked of which something is noted
}

func newDescriber(processes int) *describer {
	t := &describer{crowd: newCrowd(processes)}
	t.Description = model.Describe(kinds, model.Facts[Msg]{
		"stamp":   model.Number(func(m *Msg) uint64 { return m.Stamp }),
		"peer":    model.Number(func(m *Msg) sim.NodeID { return m.Peer }),
		"waited":  model.Words(t.waited),
		"overlap": model.Words(t.overlap),
	})
	return t
}

// description is that of messages alone, of which no crowd is known.
var description = newDescriber(0).Description

func (t *describer) waited(told *model.Told[Msg]) string {
	if waited := told.Now().Sub(t.since); waited > 0 {
		return fmt.Sprintf(", after %v", waited)
	}
	return ""
}

func (t *describer) overlap(told *model.Told[Msg]) string {
	if other := t.crowd.other(told.Node); other != sim.None {
		return ", while " + told.Who(other) + " is in"
	}
	return ""
}

// describe returns "" for what is not worth a line of the log.
func (t *describer) describe(v *sim.View[Msg], o *sim.Observation[Msg]) string {
	t.since = t.crowd.since[o.Node]
	t.crowd.observe(v.Now(), o)
	return t.Log(v, o)
}
