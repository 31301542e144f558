package policy

import "fencepost/models/ratelimit"

// Shadow asks a rule and lets the request through whatever it says. The state evolves as
// if the verdict counted: what the rule refuses is not charged unless the rule charges what
// it refuses, so that as much is counted as refused as would have been.
//
// It is not what enforcing would show: clients that are refused come again, or go away.
//
// Source: envoyproxy/ratelimit, shadow_mode.
func Shadow[S any](rule ratelimit.Rule[S], k *S, now ratelimit.Reading, cost int64) (answer ratelimit.Decision, refused bool) {
	d := rule.Take(k, now, cost)
	refused = !d.Allowed
	return ratelimit.Decision{Allowed: true, Remaining: d.Remaining, ResetAfter: d.ResetAfter}, refused
}
