package fleet

import "fencepost/sim"

// The kinds of message before the limiter: balancers, several dimensions.
const (
	kinds = frontKinds + iota // how many there are
)

var frontNames = []string{}

// frontNoted are those that are notes.
var frontNoted = []sim.Kind{}

// frontText is such a message in words, but for its kind.
func (m Msg) frontText() string {
	return ""
}
