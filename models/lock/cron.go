package lock

import (
	"time"

	"fencepost/models/lock/core"
	"fencepost/sim"
	"fencepost/sim/model"
)

// A job that is to run once in each period, as every night: each client wants the lock when
// its own wall clock says so, and the one that has it runs the job, whose write to the store
// carries the number of the night. A lock alone does not make that once: a client whose
// clock is behind finds the lock free again. A mark in the store that the night is done does.

// wants plans the next acquisition: after a while or, of a job, on the next night.
func (c *Critical) wants(in *sim.In[Msg], out *sim.Out[Msg], after time.Duration) {
	if c.Period == 0 {
		out.After(after, core.New(core.Begin))
		return
	}
	c.night = int64(in.Wall)/int64(c.Period) + 1
	out.At(sim.Wall(c.night*int64(c.Period)), core.New(core.Begin))
}

// skips reports whether the store says that the job of this night is done.
func (c *Critical) skips(out *sim.Out[Msg]) bool {
	if !c.Mark || c.counter < c.night {
		return false
	}
	out.Note(core.NewSkipped(c.hold.Try, c.night))
	return true
}

// writes is what the client writes: the counter plus one, or which night is done.
func (c *Critical) result() int64 {
	if c.Period > 0 {
		return c.night
	}
	return c.counter + 1
}

// cronMeter counts the nights, those in which the job was run more than once, and those in
// which it was not.
type cronMeter struct {
	Nights     model.Measure `measure:"nights,total"`
	Duplicates model.Measure `measure:"duplicates,total"`
	Missed     model.Measure `measure:"missed,total"`

	Period time.Duration
	Done   map[int64]uint64 // by night: the grant that has run the job
}

// Observe implements [model.Recorder].
func (m *cronMeter) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	if o.Event != sim.Noted || o.Msg.Kind != core.Applied {
		return
	}
	night := o.Msg.Counter()
	grant, done := m.Done[night]
	if m.Done[night] = o.Msg.Grant(); done && grant != o.Msg.Grant() {
		m.Duplicates.Record(v, 1)
	}
}

// End records what the whole run gives: of the nights that were over.
func (m *cronMeter) End(v *sim.View[Msg]) {
	nights := int64(v.Now()) / int64(m.Period)
	m.Nights.Record(v, nights)
	for night := int64(1); night <= nights; night++ {
		if _, done := m.Done[night]; !done {
			m.Missed.Record(v, 1)
		}
	}
}
