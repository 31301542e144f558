package scenarios

import (
	_ "embed"
	"strings"
	"sync"

	"fencepost/scenarios/catalog"
)

// folders lists the folders in the order in which they are shown.
var folders = []catalog.Folder{
	{Name: "lock", About: "what holds for any lock: none, naive, Consul, nightly jobs; all locks compared"},
	{Name: "redis", About: "a lock on one Redis: SET NX and scripts, Sentinel, Redisson and its watchdog"},
	{Name: "redlock", About: "Redlock: pauses, clocks, restarts, figures"},
	{Name: "fencing", About: "the store that a lock protects: tokens, their order and what a token does not do"},
	{Name: "etcd", About: "locks of etcd: leases, sessions, revisions, Raft"},
	{Name: "zookeeper", About: "locks of ZooKeeper: ephemeral nodes, sessions, Curator"},
	{Name: "election", About: "elections of a leader: terms, Kubernetes leases"},
	{Name: "limiter", About: "one rate limiter: windows, logs, buckets, time that runs backwards; all algorithms compared"},
	{Name: "store", About: "limiters that share a store: races, expiry, outages, replicas, clocks"},
	{Name: "fleet", About: "limiters that share no store: local counts, balancers, leases, synchronisation, regions, shards, dimensions"},
	{Name: "client", About: "clients that are refused and come back: backoff, jitter, Retry-After"},
	{Name: "overload", About: "queues, shedding, metastable failures, limits that find themselves"},
	{Name: "permits", About: "limits of concurrency with a queue: a Go middleware as published, and repaired"},
	{Name: "policy", About: "rules that change in flight: reloads, tiers, soft limits, shadow mode"},
	{Name: "clock", About: "wall, Lamport, vector and hybrid clocks"},
	{Name: "ordering", About: "mutual exclusion and broadcast by logical clocks"},
	{Name: "versions", About: "versions of one key: vectors, dotted vectors, siblings, carts"},
	{Name: "ntp", About: "how a client learns what time it is"},
	{Name: "idempotency", About: "requests that are sent again: keys, flows, outboxes, consumers, incidents"},
	{Name: "kv", About: "a Dynamo-style store: quorums, hints, repair, conflicts, sessions, growth"},
}

// start are scenarios to begin with: a failure of each kind, and fixes.
var start = []string{
	"redlock/gc-pause", "redlock/gc-pause-fenced", "limiter/fixed-window-boundary", "store/central-atomic",
	"idempotency/strategy-2-as-written", "idempotency/strategy-2-repaired", "clock/hlc-backward-step", "kv/partition",
}

// aliasText has a line for each name that a scenario had before: that name, and the scenario that has what it showed.
//
//go:embed aliases.txt
var aliasText string

var aliases = sync.OnceValue(func() map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(aliasText) {
		if old, now, ok := strings.Cut(strings.TrimSpace(line), " "); ok {
			names[old] = strings.TrimSpace(now)
		}
	}
	return names
})
