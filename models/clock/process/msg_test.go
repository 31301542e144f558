package process

import (
	"testing"

	"fencepost/models/clock"
	"fencepost/sim/model/modeltest"
)

func TestEachFieldCountsInADigest(t *testing.T) {
	modeltest.Folds(t, Msg{}, Msg{Kind: Local}, Msg{Why: 1}, Msg{From: 1}, Msg{Send: 1}, Msg{Event: 1}, Msg{PT: 1},
		Msg{Stamp: readingStamp(1)}, Msg{Stamp: hybridStamp(clock.Timestamp{C: 1})},
		Msg{Stamp: vectorStamp(&clock.Vector{})}, Msg{Stamp: vectorStamp(&clock.Vector{1, 2})}, Msg{Stamp: vectorStamp(&clock.Vector{2, 1})})
}
