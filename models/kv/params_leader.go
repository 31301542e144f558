package kv

import (
	"fmt"
	"time"

	"fencepost/models/internal/raft"
	"fencepost/models/kv/core"
	"fencepost/models/kv/leader"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// LeaderParams are those of a store with a leader: every node stores every key, and a log
// that a majority agrees on is the order of all writes.
type LeaderParams struct {
	Heartbeat *time.Duration `yaml:"heartbeat" range:"1ms..1h"` // 30ms
	Election  *time.Duration `yaml:"election" range:"2ms..10h"` // the shortest election timeout; the longest is twice that: 300ms
	First     *int           `yaml:"first" range:"1..7"`        // the number of the node that leads first: 1
	Reads     string         `yaml:"reads,oneof=confirmed|own"` // confirmed: the leader asks a majority whether it leads; own: each node answers with what it stores: confirmed
}

func (l *LeaderParams) heartbeat() time.Duration { return values.Or(l.Heartbeat, 30*time.Millisecond) }
func (l *LeaderParams) election() time.Duration  { return values.Or(l.Election, 300*time.Millisecond) }

// leaderProblems are those of a store with a leader, and with what it cannot be combined.
func (p *Params) leaderProblems(found *model.Errors) {
	if p.Leader == nil {
		return
	}
	for _, k := range []struct {
		path string
		set  bool
	}{
		{"replicas", p.Replicas != nil}, {"read-quorum", p.Read != nil}, {"write-quorum", p.Write != nil}, {"quorum", p.Quorum != ""},
		{"spare-nodes", p.Spare > 0}, {"changes", len(p.Changes) > 0}, {"scale", p.Scale != nil}, {"ring.strategy", p.Ring.Strategy != ""},
	} {
		found.If(k.set, k.path, "not with a leader: all nodes store all keys, and a majority agrees on the order of writes")
	}
	usual := version.DefaultPolicyParams().Conflict
	if c := &p.Conflict; c.Conflict != usual && c.Conflict != "last-write-wins" || c.Stamps == "client" {
		found.Add("conflict.policy", "not with a leader, whose log has one order of writes: leave the block conflict out")
	}
	found.If(p.Disk == "lost", "disk", "not with a leader: a node that forgets its log may vote for one that lacks what is committed")
	found.If(p.Nodes > raft.MaxServers, "nodes", "want at most %d with a leader, got %d", raft.MaxServers, p.Nodes)
	if first := values.Or(p.Leader.First, 1); first > p.Nodes {
		found.Add("leader.first", "there are %d nodes", p.Nodes)
	}
	found.If(p.Leader.election() < 2*p.Leader.heartbeat(), "leader.election", "want at least two heartbeats, which are %s, got %s", values.Length(2*p.Leader.heartbeat()), values.Length(p.Leader.election()))
}

// policy is which value replaces which: with a leader that which is later in the log.
func (p *Params) policy() *version.Policy {
	conflict := p.Conflict
	if p.Leader != nil {
		conflict.Conflict = "last-write-wins"
	}
	return version.New(conflict)
}

// servers are the nodes of a store with a leader.
func (p *Params) servers(l *Layout) (list []sim.Spec[core.Msg]) {
	for id := 1; id <= p.Nodes; id++ {
		list = append(list, sim.Place[core.Msg](fmt.Sprintf("node-%d", id), p.server(l, id)))
	}
	return list
}

func (p *Params) server(l *Layout, id int) leader.Node {
	d := p.Leader
	return leader.Node{
		Settings: l.Settings, Heartbeat: d.heartbeat(), Election: d.election(),
		Begins: id == values.Or(d.First, 1), OwnReads: d.Reads == "own",
		Raft: raft.Server{ID: uint64(id), Servers: p.Nodes, ElectionTicks: int(d.election() / d.heartbeat())},
	}
}
