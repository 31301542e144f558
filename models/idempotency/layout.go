package idempotency

import (
	"fmt"

	"fencepost/sim"
)

// Layout is what properties need to know of the system and its flow.
type Layout struct {
	Database  sim.NodeID
	Clients   int             // the first nodes
	Roles     [][2]sim.NodeID // first and last node: while all of one are stopped the system cannot answer
	Effects   []string        // tables whose rows are effects
	Watched   string          // the columns whose values are shown
	Ordered   string          // the columns with the keys of ordered events
	Charges   bool            // the flow charges at the provider
	Publishes bool            // the flow publishes an event for each effect
	Folds     bool            // events are added to something
	Events    bool            // the flow handles events; if not, the amounts of requests are added
	// ConflictIsSuccess: clients take a 409 for success.
	ConflictIsSuccess bool
}

// effects reports whether the flow has any.
func (l *Layout) effects() bool { return len(l.Effects) > 0 || l.Charges }

// EffectName is what one sort of effect is called, in the plural.
func (l *Layout) EffectName(of int) string {
	if of < len(l.Effects) {
		return "rows in " + l.Effects[of]
	}
	return "charges"
}

// success reports whether a client takes an answer for success.
func (l *Layout) success(status uint16) bool {
	return success(status) || status == 409 && l.ConflictIsSuccess
}

// success reports whether an answer says that what was asked for is done. 202 says that it will
// be.
func success(status uint16) bool { return status >= 200 && status < 300 && status != 202 }

// answer is an answer in words.
func answer(status uint16, body Value) string {
	if body == Null {
		return fmt.Sprint(status)
	}
	return fmt.Sprintf("%d, %d", status, body)
}
