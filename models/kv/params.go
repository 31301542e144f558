package kv

import (
	"fmt"
	"strconv"
	"time"

	"fencepost/internal/text"
	"fencepost/models/kv/pbs"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Params are the params block of a scenario. What is left out has the value that the comment
// gives.
type Params struct {
	Nodes    int    `yaml:"nodes" range:"1..1000"`      // of the store: 3
	Spare    int    `yaml:"spare-nodes" range:"0..24"`  // that are not members at the start and may join, after the others: 0
	Replicas *int   `yaml:"replicas" range:"1..10"`     // N, the nodes that store a key: 3, or as many as there are
	Read     *int   `yaml:"read-quorum" range:"1..10"`  // R, the answers that a read waits for: a majority of N
	Write    *int   `yaml:"write-quorum" range:"1..10"` // W, the acknowledgements that a write waits for: a majority of N
	Quorum   string `yaml:"quorum,oneof=strict|sloppy"` // strict: the N nodes of the key; sloppy: the first N that can be reached, others keep hints: strict

	Conflict version.PolicyParams `yaml:"conflict"` // which value replaces which
	Ring     RingParams           `yaml:"ring"`     // which nodes store a key

	Session SessionParams `yaml:"session"`                                                                                                                                                                                                           // what clients do so that they do not read less than what they have seen
	Claims  []string      `yaml:"claims,one-or-many,oneof=quorum-read|convergence|no-lost-write|concurrent-siblings|no-resurrection|available|linearizable|read-your-writes|monotonic-reads|monotonic-writes|writes-follow-reads|no-write-in-doubt"` // the properties that are checked: those that the store promises

	Coordinator    string        `yaml:"coordinator,oneof=replica|any"`    // who may coordinate a request; any: a node that does not store the key, too, under a new id for each write, which all policies with ids of nodes but server-vectors keep: replica
	Timeout        time.Duration `yaml:"timeout" range:"1ms..1h"`          // of a request at its coordinator: 500ms
	ReplicaTimeout time.Duration `yaml:"replica-timeout" range:"0s..1h"`   // after which a replica that has not answered is suspected; 0s, never: 100ms
	Suspect        time.Duration `yaml:"suspect" range:"0s..24h"`          // how long a node is suspected that has not answered: 3s
	Patience       time.Duration `yaml:"patience" range:"1ms..1h"`         // of a client with a request: 1s
	Route          string        `yaml:"route,oneof=first|sticky|in-turn"` // which node a client asks: the first of the key's preference list, always the same, one after the other: first

	ReadRepair   string         `yaml:"read-repair,oneof=async|blocking|none"` // what a read does about a replica that answers with less: sends it the rest and does not wait, or waits, or nothing: async
	Handoff      time.Duration  `yaml:"handoff" range:"0s..1000h"`             // after which a node looks through its hints, again and again while it has some; 0s, never: 10s
	HintLimit    *int           `yaml:"hint-limit" range:"0..1000000"`         // hints that a node keeps: 100000
	HintsDurable bool           `yaml:"hints-durable"`                         // they survive a crash: true
	AntiEntropy  time.Duration  `yaml:"anti-entropy" range:"0s..1000h"`        // after which replicas compare their hash trees, again and again; 0s, never: 60s
	MerkleLeaves *int           `yaml:"merkle-leaves" range:"1..1048576"`      // of the hash tree of the keys that the same nodes store, rounded up to a power of two: one for each key, at most 65536
	Gossip       time.Duration  `yaml:"gossip" range:"0s..1000h"`              // after which a node sends the number of its ring to another, which asks for the ring if it is new, again and again; 0s, never: 1s
	Converge     *time.Duration `yaml:"converge-within" range:"1ms..1000h"`    // after the last write and the last crash or pause, all replicas of a key store the same: twice anti-entropy; without that it is not checked
	Grace        time.Duration  `yaml:"gc-grace" range:"0s..10000h"`           // after which a node forgets a tombstone that it stores; 0s, never: 864000s
	Disk         string         `yaml:"disk,oneof=kept|lost"`                  // in a crash of a node: kept
	AnswerWithin *time.Duration `yaml:"answer-within" range:"1ms..1h"`         // of a request at a live node, an answer without an error: the patience

	Changes    []ChangeParams `yaml:"changes"`                           // joins and leaves of nodes, one at a time: none
	Streaming  string         `yaml:"streaming,oneof=quorum|none"`       // quorum: a node that gains keys fetches them from N - W + 1 replicas each, and writes go to the old and the new nodes until it has; none: the new ring is used at once: quorum
	StreamRate int            `yaml:"stream-rate" range:"0..1000000000"` // bytes per second that a node sends to one that gains keys; 0, without limit: 1000000
	Scale      *ScaleParams   `yaml:"scale"`                             // joins and leaves by the load, of the spare nodes: none
	Leader     *LeaderParams  `yaml:"leader"`                            // instead of quorums: none

	Latency pbs.Latency `yaml:"latency"` // of a coordinator's messages to other nodes and their answers, on top of the network: none

	Clients  []ClientParams  `yaml:"clients"`  // with a script
	Workload *WorkloadParams `yaml:"workload"` // of clients without one: none
}

// ClientParams is a client and its script.
type ClientParams struct {
	Name   string        `yaml:"name"`                              // client-1, ...
	Start  time.Duration `yaml:"start" range:"0s..1000h"`           // 0s
	Steps  []ScriptStep  `yaml:"steps,required"`                    //
	Repeat *int          `yaml:"repeat" range:"1..100000"`          // how often: 1
	Think  sim.Dist      `yaml:"think" range:"0s..1000h"`           // between two times: 0s
	Failed string        `yaml:"failed,oneof=next-step|next-round"` // what follows a request that fails; next-round: the steps up to the next time are left out: next-step
	Every  time.Duration `yaml:"every" range:"0s..1000h"`           // from the start of one time to that of the next, what "at" counts from: 0s, see think
}

// WorkloadParams is a workload of clients without a script.
type WorkloadParams struct {
	Clients    int           `yaml:"clients,required" range:"1..1000"`       //
	Operations int           `yaml:"operations" range:"0..10000000"`         // of each client: 0, without end
	Gap        sim.Dist      `yaml:"gap,required" range:"0s..1000h"`         // from one operation to the next
	Reads      sim.Chance    `yaml:"reads,proportion" range:"0..1000000000"` // the share of operations that read: 0
	Keys       *int          `yaml:"keys" range:"1..1000000"`                // 1
	Stagger    time.Duration `yaml:"stagger" range:"0s..24h"`                // from the start of one client to that of the next: 0s
	Writes     string        `yaml:"writes,oneof=put|update"`                // put: replaces what the client has read last of the key; update: the client reads the key first, and with a leader the write is a compare-and-set: put
}

// Limits of the parameters.
const (
	maxClients = 1000
	maxSteps   = 1000
	hintLimit  = 100_000
	maxLeaves  = 1 << 24 // of all hash trees
)

// DefaultParams are the parameters of an empty params block.
func DefaultParams() Params {
	return Params{Nodes: 3, Timeout: 500 * time.Millisecond, ReplicaTimeout: 100 * time.Millisecond, Suspect: 3 * time.Second, Patience: time.Second,
		Handoff: 10 * time.Second, HintsDurable: true, StreamRate: 1_000_000, AntiEntropy: time.Minute, Gossip: time.Second,
		Grace: 864_000 * time.Second, Conflict: version.DefaultPolicyParams(), Session: DefaultSessionParams()}
}

// all is how many nodes there are, also those that are not members yet.
func (p *Params) all() int { return p.Nodes + p.Spare }

// n is how many nodes store a key.
func (p *Params) n() int {
	if p.Leader != nil {
		return p.Nodes
	}
	return values.Or(p.Replicas, min(3, p.Nodes))
}

func (p *Params) r() int { return values.Or(p.Read, p.n()/2+1) }

func (p *Params) w() int { return values.Or(p.Write, p.n()/2+1) }

// converge is within which time replicas converge; 0, that is not checked.
func (p *Params) converge() time.Duration { return values.Or(p.Converge, 2*p.AntiEntropy) }

// Problems are all errors in the parameters.
func (p *Params) Problems() []model.ValidationError {
	found := model.Validate(p, DefaultParams())
	if len(found) > 0 { // what follows may rest on it
		return found
	}
	found.If(p.n() > p.Nodes, "replicas", "%d replicas of a key need as many nodes, and there are %d: want at most nodes", p.n(), p.Nodes)
	for _, q := range []struct {
		path  string
		value int
	}{{"read-quorum", p.r()}, {"write-quorum", p.w()}} {
		found.If(q.value > p.n(), q.path, "want at most replicas, which is %d, got %d", p.n(), q.value)
	}
	if w := p.Workload; w != nil && w.Operations == 0 && values.Brief(w.Gap) {
		found.Add("workload.gap", "operations without end at next to no distance make no progress: want 1µs or more in half of them")
	}
	for _, every := range []struct {
		path string
		of   time.Duration
	}{{"handoff", p.Handoff}, {"anti-entropy", p.AntiEntropy}, {"gossip", p.Gossip}} {
		found.If(every.of > 0 && every.of < time.Millisecond, every.path, "want 0s, never, or 1ms and more, got %s", values.Length(every.of))
	}
	p.leaderProblems(&found)
	p.idleProblems(&found)
	p.scriptProblems(&found)
	if leaves, trees := values.Or(p.MerkleLeaves, 0), p.keyCount()*p.n(); leaves > maxLeaves/trees {
		found.Add("merkle-leaves", "want at most %d, as there may be %d hash trees, one for each replica of a key, got %d", maxLeaves/trees, trees, leaves)
	}
	if len(found) == 0 {
		p.ringProblems(&found)
		p.moveProblems(&found)
	}
	return found
}

func (p *Params) scriptProblems(found *model.Errors) {
	if len(p.Clients) > maxClients {
		found.Add("clients", "want at most %d, got %d", maxClients, len(p.Clients))
		return
	}
	w := names{amounts: p.Conflict.Conflict == "counter"}
	policy := p.policy()
	if p.Workload != nil && !policy.Takes(version.Set) {
		found.Add("workload", "it writes values, and policy %s has none: want a script that adds and removes", policy.Name)
	}
	p.nameProblems(found)
	for i, c := range p.Clients {
		if len(c.Steps) == 0 || len(c.Steps) > maxSteps {
			found.Add(fmt.Sprintf("clients.%d.steps", i), "want 1 to %d, got %d", maxSteps, len(c.Steps))
			continue
		}
		for j := range c.Steps {
			s := &c.Steps[j]
			p.nodeProblems(found, fmt.Sprintf("clients.%d.steps.%d", i, j), s)
			p.opProblems(found, fmt.Sprintf("clients.%d.steps.%d", i, j), policy, s)
			w.action(s, p.node)
			p.mixProblems(found, fmt.Sprintf("clients.%d.steps.%d", i, j), &w, s)
		}
	}
	if most := p.Conflict.Elements(); len(w.items.list) > most {
		found.Add("clients", "want at most %d items in all scripts, got %d", most, len(w.items.list))
	}
}

// opProblems are those of a step with the conflict policy.
func (p *Params) opProblems(found *model.Errors, path string, policy *version.Policy, s *ScriptStep) {
	op, writes := s.Verb.op()
	if !writes {
		return
	}
	if !policy.Takes(op) {
		found.Add(path, "policy %s takes no %v: want %s", policy.Name, verbNames[s.Verb], map[bool]string{true: "add or remove", false: "add, remove or delete"}[policy.Name == "counter"])
	} else if policy.Name == "counter" {
		if _, err := strconv.ParseUint(s.Value, 10, 32); err != nil {
			found.Add(path, "want an amount of 0 to 4294967295, got %q", text.Excerpt(s.Value, maxWord))
		}
	}
}

// node is the node of a name, None if there is no such node.
func (p *Params) node(name string) sim.NodeID {
	var i int
	if n, err := fmt.Sscanf(name, "node-%d", &i); n != 1 || err != nil || i < 1 || i > p.all() || fmt.Sprintf("node-%d", i) != name {
		return sim.None
	}
	return sim.NodeID(i)
}
