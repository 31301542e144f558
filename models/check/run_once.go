package check

import "fencepost/models/fact"

// RunOnce holds if the job of each night is run once: by one holder of the lock. A write that arrives twice is one run.
type RunOnce struct {
	Done map[int64]fact.Holder // by night: who has run the job
}

// Hears implements [fact.Checker].
func (*RunOnce) Hears() []fact.Kind {
	return []fact.Kind{fact.Written}
}

// Check implements [fact.Checker].
func (c *RunOnce) Check(r *fact.Report) {
	r.Saw()
	night := r.Value
	first, again := c.Done[night]
	if !again {
		c.Done[night] = r.By
		return
	}
	if id, before := r.By.Node, first.Node; first != r.By && r.Violated(id, before) {
		r.Why("%s ran the job of night %d, which %s had run", r.Name(id), night, r.Name(before))
	}
}
