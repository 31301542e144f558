package core

import (
	"fmt"

	"fencepost/models/ratelimit/fleet/message"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Jain is Jain's index of what each of several got over a whole run, in parts per thousand.
//
// Source: Jain, Chiu and Hawe, DEC TR-301, 1984.
func Jain(shares []int64) int64 { return int64(1000 * measure.Jain(shares)) }

// LeastIndex is the bound of an index that the measure of a name has.
func LeastIndex(least int64, measure string) sim.Bound {
	if least == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("Jain's index at least %d of 1000", least), Least: measure}
}

// CheckIndex checks at the end of a run the index of what each of several got; least 0 checks
// nothing.
func CheckIndex(r *model.Report[message.Msg], shares []int64, least int64, what, whose string) {
	if least == 0 {
		return
	}
	r.Saw()
	if index := Jain(shares); index < least && r.Violated() {
		r.Why("%s has an index of %d, less than %d; by %s: %v", what, index, least, whose, shares)
	}
}
