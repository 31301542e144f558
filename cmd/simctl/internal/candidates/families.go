package candidates

import (
	"slices"

	"fencepost/result"
)

// family is what "simctl compare lock" compares without a file: one scenario that ships
// under several algorithms. A scenario with a grid is compared point by point.
type family struct {
	Name, About string
	Scenario    string
	Members     []member // none: the points of its grid
	Measures    []string // that are shown besides those that the scenario expects something of
}

// member is one of a family: the scenario with some values replaced.
type member struct {
	Name string
	Sets []result.Setting
}

// Families lists them. The baseline is the first member: what is safest, or in most use.
var Families = []family{
	{"lock", "every lock, from none to ZooKeeper; with and without fencing", "lock/compare", []member{
		with("redlock"),
		with("redlock, fenced", fenced),
		with("redlock, no check", set("params.check", "false")),
		with("redlock reference", set("params.preset", "reference")),
		with("redsync", set("params.preset", "redsync")),
		with("node-redlock", set("params.preset", "node-redlock")),
		with("redis script", redis),
		with("redis script, fenced", redis, fenced),
		with("redis get-del", redis, set("params.release", "get-del")),
		with("redis get-del, fenced", redis, set("params.release", "get-del"), fenced),
		with("redis del", redis, set("params.release", "del")),
		with("redis del, fenced", redis, set("params.release", "del"), fenced),
		with("naive", set("params.service", "naive")),
		with("naive, fenced", set("params.service", "naive"), fenced),
		with("none", service("none", "counter")...), // no server of its own crashes
		with("sentinel", service("sentinel", "redis-1")...),
		with("watchdog", service("watchdog", "redis-1")...),
		with("etcd", etcd...),
		with("etcd, fenced", slices.Concat(etcd, own)...),
		with("zookeeper", zookeeper...),
		with("zookeeper, fenced", slices.Concat(zookeeper, own)...),
		with("k8s-lease", k8s...),
		with("k8s-lease, fenced", slices.Concat(k8s, own)...),
	}, nil},
	{"ratelimit", "all algorithms of a limiter, each as one script at a store", "limiter/compare-algorithms", nil, []string{"wait-for-turn"}},
	{"clock", "wall, Lamport, vector, pruned and hybrid clocks", "clock/compare", nil, nil},
	{"idempotency", "strategies for an order that is asked for twice, by what goes wrong", "idempotency/compare", nil, nil},
	{"kv", "conflict policies and quorums of a store, in a partition and with a wrong clock", "kv/compare", []member{
		with("dvvset, R = W = 2"),
		with("dvvset, R = W = 1", one...),
		with("dvvset, sloppy", sloppy),
		with("client vectors", conflict("client-vectors")),
		with("server vectors", conflict("server-vectors")),
		with("last write wins", conflict("last-write-wins")),
		with("last write wins, R = W = 1", append(one[:2:2], conflict("last-write-wins"))...),
		with("last write wins, sloppy", sloppy, conflict("last-write-wins")),
		with("hybrid clock", conflict("last-write-wins-hlc")),
		with("a leader", set("params.leader", "{}"), conflict("last-write-wins")),
	}, nil},
}

var (
	redis  = set("params.service", "redis")
	fenced = set("params.fencing", "lex")

	own       = []result.Setting{fenced, set("params.tokens", "own"), set("network.links.0.to", "store"), set("network.links.1.from", "store")} // there is no counter
	etcd      = append(service("etcd", "etcd-1"), set("params.etcd.raft", "true"))
	zookeeper = service("zookeeper", "zookeeper")
	k8s       = append(service("k8s-lease", "api-server"), set("params.kubernetes.release-on-cancel", "true"),
		set("params.kubernetes.lease", "10s"), set("params.kubernetes.renew", "6s"), set("params.kubernetes.retry", "1s"))
)

// service is a lock that has no retry of its own, and the node that crashes instead of the first Redis.
func service(name, crashes string) []result.Setting {
	return []result.Setting{set("params.service", name), set("params.retry", "null"), set("faults.4.crash", crashes)}
}

var (
	one    = []result.Setting{set("params.read-quorum", "1"), set("params.write-quorum", "1")}
	sloppy = set("params.quorum", "sloppy")
)

func conflict(policy string) result.Setting { return set("params.conflict.policy", policy) }

func set(path, value string) result.Setting { return result.Setting{Path: path, Value: value} }

func with(name string, sets ...result.Setting) member { return member{name, sets} }

// Find is the family of a name, nil if there is none.
func Find(name string) *family {
	i := slices.IndexFunc(Families, func(f family) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &Families[i]
}
