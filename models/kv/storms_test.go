package kv

import (
	"testing"

	"fencepost/sim/model/modeltest"
)

// In a storm of late, lost and duplicated messages, pauses and crashes a strict quorum keeps its
// promise whatever repairs, and a sloppy one breaks it.
func TestQuorumsInStorms(t *testing.T) {
	for _, repair := range []string{"async", "blocking", "none"} {
		modeltest.Storms(t, system(t, func(p *Params) { busy(p); p.ReadRepair = repair }), 20, []string{"quorum-read"}, nil)
	}
	sloppy := func(p *Params) {
		busy(p)
		p.Nodes, p.Quorum, p.ReplicaTimeout, p.ReadRepair, p.AntiEntropy, p.Gossip = 9, "sloppy", 10*ms, "none", 0, 0
		p.Workload.Keys, p.Route, p.Coordinator = ptr(2), "in-turn", "any"
	}
	modeltest.Storms(t, system(t, sloppy), 40, nil, []string{"quorum-read"})
}
