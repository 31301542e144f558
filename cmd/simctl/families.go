package main

import (
	"slices"

	"fencepost/scenarios"
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
	Sets []scenarios.Setting
}

// families lists them. The baseline is the first member: what is safest, or in most use.
var families = []family{
	{"lock", "naive, Redis with each way to release, Redlock and its implementations; with and without fencing", "lock/compare", []member{
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
	}, nil},
	{"ratelimit", "all algorithms of a limiter, each as one script at a store", "ratelimit/compare-algorithms", nil, []string{"wait-for-turn"}},
	{"clock", "wall, Lamport, vector, pruned and hybrid clocks", "clock/compare", nil, nil},
	{"idempotency", "strategies for an order that is asked for twice, by what goes wrong", "idempotency/compare", nil, nil},
}

var (
	redis  = set("params.service", "redis")
	fenced = set("params.fencing", "lex")
)

func set(path, value string) scenarios.Setting { return scenarios.Setting{Path: path, Value: value} }

func with(name string, sets ...scenarios.Setting) member { return member{name, sets} }

// findFamily is the family of a name, nil if there is none.
func findFamily(name string) *family {
	i := slices.IndexFunc(families, func(f family) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &families[i]
}
