// Package policy is what stands between a rules file and a verdict: which version of the
// rules a limiter uses, what a change of the limit does to what has been used, and whether
// a verdict counts.
//
// Three wrappers need no engine: soft.go is a limit that may be exceeded a little for a
// while, tiers.go a bucket whose capacity changes in flight, shadow.go a limiter that only
// watches.
//
// Around them is a model: [Store] publishes versions of a rules file, each [Limiter] polls
// them and decides by the one that it has, [Counters] keep what has been used, and each
// [Client] sends requests. What they note is checked in properties.go, window.go and soft_bound.go.
//
// Source: S3 rules, detailed design and summary, and S2 14, of docs/sources.md;
// envoyproxy/ratelimit; bucket4j; gubernator.
package policy
