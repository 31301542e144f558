package broadcast

import (
	"testing"

	"fencepost/models/clock"
	"fencepost/sim/model/modeltest"
)

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, Msg{Kind: Cast}, Msg{Kind: Ack}, Msg{Kind: Cast, Op: Operation{Earns, 0}}, Msg{Kind: Cast, Op: Operation{Adds, 1}},
		Msg{Kind: Cast, Sender: 1}, Msg{Kind: Cast, Seq: 1}, stamped(Msg{Kind: Cast}, 1),
		Msg{Kind: Cast, Vector: clock.Vector{1, 2}}, Msg{Kind: Cast, Vector: clock.Vector{1, 3}})
}
