// Package adaptive holds the controllers that find a limit on requests under way by
// themselves, and a model in which they have something to control.
//
// The controllers are exact integers without an engine: aimd.go, vegas.go, gradient2.go
// and cpu.go; [Controller] (controller.go) is any of them. Around them are three nodes:
// [Load] sends requests, [Limiter] lets as many in as the controller says, and [Plant]
// serves them, or only says how busy it is. What they note is checked in properties.go.
//
// Source: Netflix/concurrency-limits, Limit.java, onSample.
package adaptive

import (
	"errors"
	"fmt"
	"time"
)

// Sample is what a controller is told of a round trip, or of those of a while.
type Sample struct {
	RTT      time.Duration // more than 0
	Inflight int64         // requests under way, this one included; of a while, the most
	Dropped  bool          // a request was refused downstream, or timed out
	CPU      int64         // percent, 0 to 100; for [CPU] only
}

// maxLimit bounds the limits: their products with round trips of years fit.
const maxLimit = 1 << 20

// Bounds are between which limits a controller moves.
type Bounds struct {
	Min, Max int64 // 1 to 2^20

	// Unguarded lets the limit grow though less than half of it is in use: then it drifts
	// to Max while there are no requests, and the next burst finds no limit. A mistake that is made.
	Unguarded bool
}

func (b *Bounds) clamp(limit int64) int64 { return min(max(limit, b.Min), b.Max) }

// used reports whether a limit may grow. To be at ease with half of it says nothing
// about the whole.
func (b *Bounds) used(s Sample, limit int64) bool { return b.Unguarded || s.Inflight*2 >= limit }

// Validate returns all mistakes.
func (b *Bounds) Validate() error {
	var found []error
	if b.Min < 1 || b.Min > maxLimit {
		found = append(found, fmt.Errorf("min: must be 1 to %d, got %d", maxLimit, b.Min))
	}
	if b.Max < b.Min || b.Max > maxLimit {
		found = append(found, fmt.Errorf("max: must be min to %d, got %d", maxLimit, b.Max))
	}
	return errors.Join(found...)
}
