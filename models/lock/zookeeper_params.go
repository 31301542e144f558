package lock

import (
	"time"

	"fencepost/models/internal/zookeeper"
	"fencepost/models/lock/core"
	"fencepost/models/lock/zklock"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// ZooKeeperParams are what only the lock on ZooKeeper has. Its `ttl` is the session timeout
// that a client asks for, and the server grants between 2 and 20 ticks.
type ZooKeeperParams struct {
	Tick       *time.Duration `yaml:"tick" range:"1ms..1h"`                 // tickTime: 2s
	Watch      string         `yaml:"watch,oneof=predecessor|directory"`    // that a waiter sets: predecessor; on the directory it is a herd
	Session    string         `yaml:"session,oneof=kept|fresh"`             // one for all acquisitions of a client, or for each, closed after the release: kept
	GUID       *bool          `yaml:"guid"`                                 // in the name of a node, Curator's protection: true
	StopAt     string         `yaml:"stop-at,oneof=suspended|lost|expired"` // what ends the critical section: suspended; lost is Curator's, expired the server's word
	Percent    *int           `yaml:"expiration-percent" range:"1..100"`    // of the session timeout, from SUSPENDED to LOST: 100
	Token      string         `yaml:"token,oneof=czxid|suffix|version"`     // of tokens: own: czxid; the others are no tokens, and are counted from 1
	Sort       string         `yaml:"sort,oneof=suffix|name"`               // of the directory: suffix; whole names are sorted by GUID
	Creates    int32          `yaml:"creates" range:"0..2147483647"`        // nodes that the directory has had: 0, and it does not exist
	Overflow   string         `yaml:"overflow,oneof=negative|stuck"`        // of the numbers after 2147483647: negative, as documented; stuck, as in 3.8 while no other create is in flight
	Containers *time.Duration `yaml:"container-check" range:"1ms..1000h"`   // between two searches for empty directories: 60s
}

// planZooKeeper is the plan of the lock on a ZooKeeper ensemble. The lock outlives its
// holder until the session has expired, at most a tick after the timeout.
func planZooKeeper(p *Params, first sim.NodeID) plan {
	b := values.Or(p.ZooKeeper, ZooKeeperParams{})
	client := zklock.Client{Herd: b.Watch == "directory", Fresh: b.Session == "fresh", NoGUID: !values.Or(b.GUID, true)}
	client.Server, client.Timeout, client.Percent = first, values.Or(p.TTL, usualTTL), values.Or(b.Percent, 100)
	client.StopAt = word(b.StopAt, map[string]zklock.Event{"suspended": zklock.Disconnected, "lost": zklock.Lost, "expired": zklock.Expired}, zklock.Disconnected)
	client.Token = word(b.Token, map[string]zklock.Token{"czxid": zklock.Czxid, "suffix": zklock.Suffix, "version": zklock.Version}, zklock.Czxid)
	if client.StopAt == zklock.Expired {
		client.Percent = 0
	}
	tick := values.Or(b.Tick, 2*time.Second)
	server := zklock.NewServer(tick, b.Overflow == "stuck")
	server.Containers, server.ByName, server.Creates = values.Or(b.Containers, time.Minute), b.Sort == "name", b.Creates
	return plan{
		servers: []sim.Spec[core.Msg]{sim.Place[core.Msg]("zookeeper", server)},
		worker:  worker(client),
		quorum:  1,
		ttl:     zookeeper.Clamp(client.Timeout, tick) + tick,
		endless: true,
		extend:  zklock.Extend,
	}
}

// checkZooKeeper is what the tags do not say of the lock on ZooKeeper.
func checkZooKeeper(p *Params, found *model.Errors) {
	b := values.Or(p.ZooKeeper, ZooKeeperParams{})
	if ttl := values.Or(p.TTL, usualTTL); ttl%time.Millisecond != 0 {
		found.Add("ttl", "want whole milliseconds, as ZooKeeper has them, got %v", ttl)
	}
	if tick := values.Or(b.Tick, time.Second); tick%time.Millisecond != 0 {
		found.Add("zookeeper.tick", "want whole milliseconds, as ZooKeeper has them, got %v", tick)
	}
	found.If(b.StopAt == "expired" && b.Percent != nil, "zookeeper.expiration-percent", "there is no LOST to wait for: stop-at is expired")
	fenced := p.Fencing != "" && p.Fencing != "none" && p.Fencing != "cas"
	found.If(b.Token != "" && p.Tokens != "own" && (p.Tokens != "" || !fenced), "zookeeper.token", "the lock's own token is not used: add tokens: own")
}
