package fleet

import (
	"fencepost/models/internal/kit"
	"fencepost/sim"
)

// shardsEven holds if Jain's index of what the shards were asked, over the whole run, is
// not below Even parts per thousand. With Even 0 it says nothing.
type shardsEven struct {
	Layout Layout

	Asked []int64 // by shard
}

func newShardsEven(l Layout) sim.Property[Msg] {
	return kit.NewProperty("shards-even", &shardsEven{Layout: l}, ShardOp)
}

// Bound implements [sim.Bounded].
func (p *shardsEven) Bound() sim.Bound { return leastIndex(p.Layout.Even, "store-jain-index") }

// Begin implements [kit.Checker].
func (p *shardsEven) Begin(*kit.Report[Msg]) { p.Asked = resized(p.Asked, p.Layout.Shards) }

// Check implements [kit.Checker].
func (p *shardsEven) Check(r *kit.Report[Msg]) {
	if p.Layout.Even > 0 {
		p.Asked[p.Layout.shard(r.Node)]++
	}
}

// End implements [kit.Checker].
func (p *shardsEven) End(r *kit.Report[Msg]) {
	checkIndex(r, p.Asked, p.Layout.Even, "what the shards were asked", "shard")
}
