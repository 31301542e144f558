package scenarios

import (
	_ "embed"
	"path"
	"slices"
	"strings"
	"sync"

	"fencepost/scenarios/format"
)

// Folder is what some scenarios are about, those whose names begin with it.
type Folder struct{ Name, About string }

// folders lists the folders in the order in which they are shown.
var folders = []Folder{
	{"lock", "what holds for any lock: none, naive, Consul, nightly jobs; all locks compared"},
	{"redis", "a lock on one Redis: SET NX and scripts, Sentinel, Redisson and its watchdog"},
	{"redlock", "Redlock: pauses, clocks, restarts, figures"},
	{"fencing", "the store that a lock protects: tokens, their order and what a token does not do"},
	{"etcd", "locks of etcd: leases, sessions, revisions, Raft"},
	{"zookeeper", "locks of ZooKeeper: ephemeral nodes, sessions, Curator"},
	{"election", "elections of a leader: terms, Kubernetes leases"},
	{"limiter", "one rate limiter: windows, logs, buckets, time that runs backwards; all algorithms compared"},
	{"store", "limiters that share a store: races, expiry, outages, replicas, clocks"},
	{"fleet", "limiters that share no store: local counts, balancers, leases, synchronisation, regions, shards, dimensions"},
	{"client", "clients that are refused and come back: backoff, jitter, Retry-After"},
	{"overload", "queues, shedding, metastable failures, limits that find themselves"},
	{"permits", "limits of concurrency with a queue: a Go middleware as published, and repaired"},
	{"policy", "rules that change in flight: reloads, tiers, soft limits, shadow mode"},
	{"clock", "wall, Lamport, vector and hybrid clocks"},
	{"ordering", "mutual exclusion and broadcast by logical clocks"},
	{"versions", "versions of one key: vectors, dotted vectors, siblings, carts"},
	{"ntp", "how a client learns what time it is"},
	{"idempotency", "requests that are sent again: keys, flows, outboxes, consumers, incidents"},
	{"kv", "a Dynamo-style store: quorums, hints, repair, conflicts, sessions, growth"},
}

// Folders lists the folders of the embedded scenarios, in the order in which they are shown.
func Folders() []Folder { return slices.Clone(folders) }

// start are scenarios to begin with.
var start = []string{
	"redlock/gc-pause", "redlock/gc-pause-fenced", "limiter/fixed-window-boundary", "store/central-atomic",
	"idempotency/strategy-2-as-written", "idempotency/strategy-2-repaired", "clock/hlc-backward-step", "kv/partition",
}

// Start lists some scenarios to begin with: a failure of each kind, and fixes.
func Start() []string { return slices.Clone(start) }

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

// Renamed returns the name that an embedded scenario has now, for one that it had before; ok is false where the name
// is none of those, or a path of a file.
func Renamed(nameOrPath string) (now string, ok bool) {
	if isPath(nameOrPath) {
		return "", false
	}
	now, ok = aliases()[nameOrPath]
	return now, ok
}

// current is the name that a scenario has now.
func current(name string) string {
	if now, ok := Renamed(name); ok {
		return now
	}
	return name
}

// FoldersOf are the folders that have scenarios of a model, in the order in which they are shown.
func FoldersOf(model string) (list []string) {
	for _, f := range folders {
		if slices.ContainsFunc(Names(), func(name string) bool {
			h, ok := HeadlineOf(name)
			return ok && h.Model == model && path.Dir(name) == f.Name
		}) {
			list = append(list, f.Name)
		}
	}
	return list
}

// Mentions reports whether the name or the file of an embedded scenario has each of some words, in capitals or not.
func Mentions(name string, words []string) bool {
	text, err := embedded.ReadFile(name + format.Suffix)
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(text), "\n") // the first line names the schema
	all := strings.ToLower(name + "\n" + rest)
	return !slices.ContainsFunc(words, func(w string) bool { return !strings.Contains(all, strings.ToLower(w)) })
}
