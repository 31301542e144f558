package check

import (
	"time"

	"fencepost/models/fact"
	"fencepost/sim"
)

// RetryAfterHonest holds if a request that comes when the retry-after of the last
// rejection of its key is over, with no other request of the key in between, is
// admitted.
//
// Source: RFC 9110, section 10.2.3.
type RetryAfterHonest struct {
	Keys     int       // are numbered 1 and up
	Promised []promise // by key
}

// promise is from when on the next request of a key is to be admitted, Never for no promise, if
// it costs no more than that.
type promise struct {
	at   sim.Time
	cost int64
}

// Hears implements [fact.Checker].
func (*RetryAfterHonest) Hears() []fact.Kind { return []fact.Kind{fact.Admitted, fact.Rejected} }

// Begin implements [fact.Checker].
func (c *RetryAfterHonest) Begin(*fact.Report) {
	for range c.Keys + 1 {
		c.Promised = append(c.Promised, promise{at: sim.Never})
	}
}

// Check implements [fact.Checker].
func (c *RetryAfterHonest) Check(r *fact.Report) {
	promised, admitted := &c.Promised[r.ID], r.Kind == fact.Admitted
	if r.At >= promised.at && r.Value <= promised.cost {
		r.Saw()
		if !admitted && r.Violated(r.Node) {
			r.Why("%s rejected a request at %v whose key had been told to come back at %v, and had been silent since", r.Name(r.Node), r.At, promised.at)
		}
	}
	promised.at = sim.Never
	if !admitted && r.Until > 0 {
		*promised = promise{r.At.Add(time.Duration(r.Until)), r.Value}
	}
}
