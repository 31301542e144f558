package lock

import (
	"fmt"
	"time"

	"fencepost/internal/text"
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

// runOnce holds if the job of each night is run once: by one holder of the lock. A write that arrives twice is one run.
type runOnce struct {
	Done map[int64]uint64 // by night: the grant that has run the job
}

// Check implements [model.Checker].
func (c *runOnce) Check(r *model.Report[Msg]) {
	r.Saw()
	night, grant := r.Msg.Counter(), r.Msg.Grant()
	first, again := c.Done[night]
	if !again {
		c.Done[night] = grant
		return
	}
	if id, before := core.Client(grant), core.Client(first); first != grant && r.Violated(id, before) {
		r.Why("%s ran the job of night %d, which %s had run", r.Name(id), night, r.Name(before))
	}
}

// noMissedRun holds if the job of each night is run before the next night begins, whatever is down meanwhile. A night
// that has not ended when the run does is not checked.
type noMissedRun struct {
	Period time.Duration
	Done   map[int64]bool // the nights whose job was run, from Next on
	Next   int64          // the first night that is not checked yet, less 1
}

// Bound implements [sim.Bounded].
func (c *noMissedRun) Bound() sim.Bound {
	return sim.Bound{Text: fmt.Sprintf("a run of the job every %s", text.Duration(c.Period))}
}

// Check implements [model.Checker].
func (c *noMissedRun) Check(r *model.Report[Msg]) {
	c.Done[r.Msg.Counter()] = true
	c.over(r)
}

// over checks the nights that are over.
func (c *noMissedRun) over(r *model.Report[Msg]) {
	for ; ; c.Next++ {
		night := c.Next + 1
		ends := sim.Time(0).Add(time.Duration(night+1) * c.Period)
		if r.Now() < ends || r.Now() == ends && r.Event != sim.Ended {
			r.Await(ends)
			return
		}
		r.Saw()
		if !c.Done[night] && r.ViolatedAt(ends) {
			r.Why("the job of night %d was not run before the next night began", night)
		}
		delete(c.Done, night)
	}
}

// End checks the time up to now.
func (c *noMissedRun) End(r *model.Report[Msg]) { c.over(r) }

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
