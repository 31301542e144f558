package fleet

import (
	"fencepost/models/check"
	"fencepost/models/fact"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// facts says which note is which fact.
var facts = fact.Map(
	fact.Row[message.Msg]{Note: message.Admitted, Fact: fact.Admitted, Fill: charged},
	fact.Row[message.Msg]{Note: message.Rejected, Fact: fact.Rejected, Fill: func(m *message.Msg, f *fact.Fact) {
		charged(m, f)
		f.Until = int64(m.Wait())
	}},
)

func charged(m *message.Msg, f *fact.Fact) { f.ID, f.Value = uint64(m.Key), int64(m.Cost) }

// windowLimit is that no window of true time admits more than the bound.
func windowLimit(h *fact.Hearing[message.Msg], l *core.Layout) sim.Property[message.Msg] {
	return h.Property(fact.Property{Claim: model.Claim{Name: "window-limit", Needs: "a request must be admitted, by a form other than dimensions"},
		Checker: &check.WindowLimit{Keys: l.Keys, Most: l.Bound, Limit: l.Limit, Window: l.Window, Dimensions: l.Dimensions != nil}})
}

// burstBound is that a bucket admits no more than its burst and its refill.
func burstBound(h *fact.Hearing[message.Msg], l *core.Layout) sim.Property[message.Msg] {
	return h.Property(fact.Property{
		Claim:   model.Claim{Name: "burst-bound", Needs: "params.algorithm must be token-bucket, gcra or leaky-meter, and a request must be admitted"},
		Checker: &check.BurstBound{Keys: l.Keys, Burst: l.Burst, Limit: l.Limit, Window: l.Window}})
}

// retryAfterHonest is that a request which comes after the retry-after is admitted.
func retryAfterHonest(h *fact.Hearing[message.Msg], l *core.Layout) sim.Property[message.Msg] {
	return h.Property(fact.Property{Claim: model.Claim{Name: "retry-after-honest", Needs: "a client must come back after the retry-after of its rejection"},
		Checker: &check.RetryAfterHonest{Keys: l.Keys}})
}
