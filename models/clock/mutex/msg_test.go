package mutex

import (
	"testing"

	"fencepost/sim/model/modeltest"
)

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, Msg{Kind: Entered}, Msg{Kind: Left}, Msg{Kind: Left, Peer: 1}, Msg{Kind: Left, Messages: 1}, Msg{Kind: Left, Stamp: 1})
}
