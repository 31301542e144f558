package fleet

import "fencepost/sim"

// The kinds of message between limiters and a store, and what a store and its limiters tell.
const (
	peerKinds = storeKinds + iota
)

var storeNames = []string{}

// storeNoted are those that are notes.
var storeNoted = []sim.Kind{}

// storeText is such a message in words, but for its kind.
func (m Msg) storeText() string {
	return ""
}
