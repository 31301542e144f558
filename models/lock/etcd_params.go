package lock

import (
	"fmt"
	"time"

	"fencepost/models/internal/etcd"
	"fencepost/models/internal/raft"
	"fencepost/models/lock/core"
	"fencepost/models/lock/etcdlock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// EtcdParams are the block of service etcd.
type EtcdParams struct {
	Recipe       string          `yaml:"recipe,oneof=mutex|election|txn|put"`              // mutex and election queue; txn and put have one key for all: mutex
	TTL          []time.Duration `yaml:"ttl,one-or-many" each:"clients" range:"1s..1000h"` // of the sessions, if not all have params.ttl
	Session      string          `yaml:"session,oneof=kept|fresh"`                         // one for all acquisitions of a client, or for each: kept
	Shared       int             `yaml:"shared" range:"0..64"`                             // clients, from the first on, that use one session: 0
	Verify       *bool           `yaml:"verify"`                                           // a waiter looks whether its key is still there: true; etcd 3.4.3 does not
	Unlock       string          `yaml:"unlock,oneof=name|guarded"`                        // delete the key by name, or under its create revision: name
	DeadlineFrom string          `yaml:"deadline-from,oneof=response|send"`                // from when a client counts the TTL: response
	Margin       time.Duration   `yaml:"margin" range:"0s..1000h"`                         // by which it ends its session earlier: 0s
	Timeout      *time.Duration  `yaml:"request-timeout" range:"0s..1000h"`                // a request or watch is sent again after this: 5s; 0s never
	GuardedWrite bool            `yaml:"guarded-write"`                                    // what the lock protects is a key of etcd, written in a transaction under the lock's key: false
	Heartbeat    *time.Duration  `yaml:"heartbeat" range:"1ms..1m"`                        // 100ms
	Election     *time.Duration  `yaml:"election-timeout" range:"1ms..10m"`                // 1s
	Changes      []time.Duration `yaml:"leader-changes" range:"1ms..1000h"`                // when the leader changes: never
	Checkpoints  time.Duration   `yaml:"checkpoint-interval" range:"0s..1000h"`            // of what is left of each lease: 0s, never
	Revocation   time.Duration   `yaml:"revoke-delay" range:"0s..1000h"`                   // from finding an expired lease to the deletion of its keys: 0s
	Raft         bool            `yaml:"raft"`                                             // servers that replicate a log, not one machine: false
	Servers      *int            `yaml:"servers" range:"1..7"`                             // with raft: 3
	Begins       *int            `yaml:"first-leader" range:"0..7"`                        // with raft: the server that campaigns as the run begins: 1; 0: none, the first election is after a timeout
	Confirm      string          `yaml:"confirm-leader,oneof=late|always|never"`           // with raft: a leader checks that it leads before it renews or revokes a lease: late, if its ticks were late; never: etcd up to 3.5.12
}

func (e *EtcdParams) heartbeat() time.Duration { return values.Or(e.Heartbeat, 100*time.Millisecond) }

func (e *EtcdParams) election() time.Duration { return values.Or(e.Election, time.Second) }

func (e *EtcdParams) minTTL() int64 {
	return etcd.MinTTL(int(e.election()/e.heartbeat()), e.heartbeat())
}

// etcd is the block of service etcd.
func (p *Params) etcd() EtcdParams { return values.Or(p.Etcd, EtcdParams{}) }

// etcdTTL is the TTL that a client asks for, by its number from 0.
func (p *Params) etcdTTL(client int) time.Duration {
	return values.At(p.etcd().TTL, client, values.Or(p.TTL, usualTTL))
}

// planEtcd is the plan of a lock in etcd.
func planEtcd(p *Params, first sim.NodeID) plan {
	e := p.etcd()
	client := etcdlock.Client{Server: first, First: first, Servers: 1, Blind: e.Verify != nil && !*e.Verify, Guarded: e.Unlock == "guarded", Fresh: e.Session == "fresh",
		Resend: values.Or(e.Timeout, 5*time.Second), Session: etcdlock.Session{FromSend: e.DeadlineFrom == "send", Margin: e.Margin}}
	client.Recipe = word(e.Recipe, map[string]etcdlock.Recipe{"election": etcdlock.Election, "txn": etcdlock.Txn, "put": etcdlock.PutPrevKV}, etcdlock.Mutex)
	server := etcdlock.Server{MinTTL: e.minTTL(), Election: e.election(), Changes: e.Changes, Revocation: e.Revocation, Checkpoints: e.Checkpoints}
	servers := []sim.Spec[core.Msg]{sim.Place[core.Msg]("etcd-1", server)}
	var extend func(*sim.System[Msg])
	if e.Raft {
		sent := new(raft.Sent)
		servers = e.members(first, sent)
		client.Servers = len(servers)
		extend = func(s *sim.System[Msg]) { forgetSent(s, sent) }
	}
	placed := 0
	return plan{
		servers: servers, quorum: 1, replicated: e.Raft, needed: len(servers)/2 + 1, ttl: p.etcdOutlives(), extend: extend,
		worker: func(name string, c Critical) sim.Spec[core.Msg] {
			own := client
			own.Session.TTL = p.etcdTTL(placed)
			if placed++; placed <= e.Shared {
				own.Session.Shared = etcdSharedLease
			}
			if e.GuardedWrite {
				c.Store = first
			}
			return worker[etcdlock.Client](own)(name, c)
		},
	}
}

// etcdSharedLease is the lease of the session that several clients use.
const etcdSharedLease etcd.LeaseID = 1

// etcdOutlives is for how long a key can outlive its client: its lease, the period of the
// scan, and the revocation.
func (p *Params) etcdOutlives() time.Duration {
	longest := time.Duration(0)
	for i := range max(p.Clients, 1) {
		longest = max(longest, p.etcdTTL(i))
	}
	e := p.etcd()
	return max(longest, time.Duration(e.minTTL())*time.Second) + etcdlock.ScanEvery + e.Revocation
}

// checkEtcd is what the tags do not say of a lock in etcd.
func checkEtcd(p *Params, found *model.Errors) {
	e := p.etcd()
	wholeSeconds := func(path string, d time.Duration) {
		found.If(d%time.Second != 0 || d <= 0, path, "want whole seconds, as etcd has them, got %v", d)
	}
	if p.TTL != nil {
		wholeSeconds("ttl", *p.TTL)
	}
	for i, d := range e.TTL {
		wholeSeconds(fmt.Sprintf("etcd.ttl.%d", i), d)
	}
	for i := range min(max(p.Clients, 1), maxClients) {
		if e.Margin > 0 && e.Margin >= p.etcdTTL(i) {
			found.Add("etcd.margin", "must be shorter than the TTL of %v, got %v", p.etcdTTL(i), e.Margin)
			break
		}
	}
	found.If(e.Shared > p.Clients, "etcd.shared", "there are %d clients", p.Clients)
	found.If(e.Shared > 0 && e.Session == "fresh", "etcd.session", "a session that clients share is kept: etcd.shared is %d", e.Shared)
	if e.Verify != nil && e.Recipe != "" && e.Recipe != "mutex" {
		found.Add("etcd.verify", "recipe %s does not do that: it is of recipe mutex", e.Recipe)
	}
	if e.election() < 5*e.heartbeat() {
		path := "etcd.election-timeout"
		if e.Election == nil { // then it is the heartbeat that the file has
			path = "etcd.heartbeat"
		}
		found.Add(path, "election-timeout should be at least as 5 times as heartbeat %v, got %v", e.heartbeat(), e.election())
	}
	e.checkRaft(found)
	found.If(e.GuardedWrite && (p.Tokens != "own" || p.Fencing != "" && p.Fencing != "none"), "etcd.guarded-write", "the condition is on the lock's own token, and takes the place of fencing: want tokens: own and no fencing")
}
