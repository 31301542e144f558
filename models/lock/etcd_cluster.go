package lock

import (
	"fmt"

	"fencepost/models/internal/raft"
	"fencepost/models/lock/core"
	"fencepost/models/lock/etcdlock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// members are the servers of a cluster on Raft.
func (e *EtcdParams) members(first sim.NodeID, sent *raft.Sent) (list []sim.Spec[core.Msg]) {
	n, begins := values.Or(e.Servers, 3), values.Or(e.Begins, 1)
	s := etcdlock.Member{First: first, Sent: sent, MinTTL: e.minTTL(), Heartbeat: e.heartbeat(), Election: e.election(), Changes: e.Changes, Checkpoints: e.Checkpoints}
	s.Confirm = word(e.Confirm, map[string]etcdlock.Confirm{"late": etcdlock.ConfirmLate, "always": etcdlock.ConfirmAlways, "never": etcdlock.ConfirmNever}, s.Confirm)
	for id := 1; id <= n; id++ {
		s.Raft = raft.Server{ID: uint64(id), Servers: n, ElectionTicks: int(e.election() / e.heartbeat())}
		s.Begins = id == begins
		list = append(list, sim.Place[core.Msg](fmt.Sprintf("etcd-%d", id), s))
	}
	return list
}

// forgetSent adds to a system what empties the packets that its servers share when a run begins, and drops those that no
// message names.
func forgetSent(s *sim.System[Msg], sent *raft.Sent) {
	s.Ledgers = append(s.Ledgers, model.NewLedger(sent, &sweeper{sent}))
}

// sweeper drops packets after each note.
type sweeper struct{ sent *raft.Sent }

// Check implements [model.Checker].
func (s *sweeper) Check(r *model.Report[Msg]) {
	s.sent.Sweep(func(keep func(raft.Header)) {
		r.Pending(func(m *Msg) {
			if m.Kind == core.Raft {
				keep(m.RaftHeader())
			}
		})
	})
}

// checkRaft is what the tags do not say of servers on Raft.
func (e *EtcdParams) checkRaft(found *model.Errors) {
	if !e.Raft {
		for _, k := range []struct {
			path string
			set  bool
		}{{"etcd.servers", e.Servers != nil}, {"etcd.first-leader", e.Begins != nil}, {"etcd.confirm-leader", e.Confirm != ""}} {
			found.If(k.set, k.path, "there is one machine, and no servers: add raft: true")
		}
		return
	}
	n := values.Or(e.Servers, 3)
	found.If(n%2 == 0, "etcd.servers", "want an odd number: %d servers survive no more failures than %d", n, n-1)
	found.If(values.Or(e.Begins, 1) > n, "etcd.first-leader", "there are %d servers", n)
	found.If(e.Revocation > 0, "etcd.revoke-delay", "on Raft a revocation takes as long as the servers need")
	found.If(e.GuardedWrite, "etcd.guarded-write", "what is written is kept by the one machine: not with raft")
}
