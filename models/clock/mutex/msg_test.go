package mutex

import (
	"testing"

	"fencepost/models/internal/kit/kittest"
)

func TestEachFieldCountsInADigest(t *testing.T) {
	kittest.Folds(t, Msg{Kind: Entered}, Msg{Kind: Left}, Msg{Kind: Left, Peer: 1}, Msg{Kind: Left, Messages: 1}, Msg{Kind: Left, Stamp: 1})
}
