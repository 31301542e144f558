package fleet

import "fencepost/sim"

// The kinds of message between limiters and whoever keeps their counts together: synchronised counts, leases, regions.
const (
	frontKinds = peerKinds + iota
)

var peerNames = []string{}

// peerNoted are those that are notes.
var peerNoted = []sim.Kind{}

// peerText is such a message in words, but for its kind.
func (m Msg) peerText() string {
	return ""
}
