package kv

import (
	"testing"
	"time"

	"fencepost/sim/model/modeltest"
)

func TestAParameterWithoutEffectIsRefused(t *testing.T) {
	modeltest.Refused(t, DefaultParams, (*Params).Problems,
		modeltest.Case[Params]{Path: "conflict.stamps", Says: "without effect with dvvset: want it left out, or last-write-wins", Set: func(p *Params) { p.Conflict.Stamps = "client" }},
		modeltest.Case[Params]{Path: "conflict.resolution", Says: "without effect with dvvset", Set: func(p *Params) { p.Conflict.Resolution = time.Millisecond }},
		modeltest.Case[Params]{Path: "conflict.moved", Says: "or last-write-wins-hlc", Set: func(p *Params) { p.Conflict.Moved = "messages" }},
		modeltest.Case[Params]{Path: "conflict.max-offset", Says: "or last-write-wins-hlc", Set: func(p *Params) { p.Conflict.MaxOffset = time.Second }},
		modeltest.Case[Params]{Path: "conflict.truncate", Says: "or client-vectors or server-vectors", Set: func(p *Params) { p.Conflict.Truncate = 10 }},
		modeltest.Case[Params]{Path: "ring.virtual-nodes", Says: "without effect with ordered: want it left out, or hashed or random", Set: func(p *Params) { p.Ring.VirtualNodes = ptr(7) }},
		modeltest.Case[Params]{Path: "ring.partitions", Says: "with hashed: want it left out, or partitions", Set: func(p *Params) {
			p.Ring = RingParams{Strategy: "hashed", Partitions: ptr(64)}
		}},
		modeltest.Case[Params]{Path: "ring.seed", Says: "or random", Set: func(p *Params) { p.Ring.Seed = 7 }},
		modeltest.Case[Params]{Path: "ring.hash", Says: "with ordered", Set: func(p *Params) { p.Ring.Hash = "crc32" }},
	)
}
