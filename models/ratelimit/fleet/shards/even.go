package shards

import (
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
)

// shardsEven holds if Jain's index of what the shards were asked, over the whole run, is
// not below Even parts per thousand. With Even 0 it says nothing.
type shardsEven struct {
	Layout core.Layout

	Asked []int64 // by shard
}

// NewShardsEven makes the property shards-even: Jain's index of what the shards serve is not below a bound.
func NewShardsEven(l core.Layout) sim.Property[message.Msg] {
	return model.NewProperty("shards-even", &shardsEven{Layout: l}, message.ShardOp).
		Needs("params.form must be shards, params.shards.even more than 0, and a shard must be asked")
}

// Bound implements [sim.Bounded].
func (p *shardsEven) Bound() sim.Bound { return core.LeastIndex(p.Layout.Even, "store-jain-index") }

// Begin implements [model.Checker].
func (p *shardsEven) Begin(*model.Report[message.Msg]) {
	p.Asked = core.Resized(p.Asked, p.Layout.Shards)
}

// Check implements [model.Checker].
func (p *shardsEven) Check(r *model.Report[message.Msg]) {
	if p.Layout.Even > 0 {
		p.Asked[p.Layout.Shard(r.Node)]++
	}
}

// End implements [model.Checker].
func (p *shardsEven) End(r *model.Report[message.Msg]) {
	core.CheckIndex(r, p.Asked, p.Layout.Even, "what the shards were asked", "shard")
}
