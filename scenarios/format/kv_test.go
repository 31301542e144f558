package format_test

import (
	"testing"

	"fencepost/scenarios"
	"fencepost/scenarios/format"
	"fencepost/scenarios/internal/fake"

	"github.com/stretchr/testify/assert"
)

// checkKV compares what is said of parameters and faults of a store, each with one error.
func checkKV(t *testing.T, want map[string]string) {
	t.Helper()
	for text, problem := range want {
		_, err := fake.LoadFrom(fake.Shelf("model: kv\nuntil: 5s\n"+text+"\n"), format.Options{}, scenarios.Models())
		assert.Equal(t, []string{problem}, fake.LinesOf(err), text)
	}
}

// Quorums are of the nodes that store a key, and these are among all nodes.
func TestKVQuorums(t *testing.T) {
	checkKV(t, map[string]string{
		"params: {read-quorum: 4}":             "3:23: want at most replicas, which is 3, got 4 (at params.read-quorum)",
		"params: {write-quorum: 4}":            "3:24: want at most replicas, which is 3, got 4 (at params.write-quorum)",
		"params: {read-quorum: 0}":             "3:23: want 1 to 10, got 0 (at params.read-quorum)",
		"params: {write-quorum: 0}":            "3:24: want 1 to 10, got 0 (at params.write-quorum)",
		"params: {replicas: 0}":                "3:20: want 1 to 10, got 0 (at params.replicas)",
		"params: {read-quorum: 11}":            "3:23: want 1 to 10, got 11 (at params.read-quorum)",
		"params: {nodes: 3, replicas: 4}":      "3:30: 4 replicas of a key need as many nodes, and there are 3: want at most nodes (at params.replicas)",
		"params: {nodes: 1, replicas: 3}":      "3:30: 3 replicas of a key need as many nodes, and there are 1: want at most nodes (at params.replicas)",
		"params: {nodes: 0}":                   "3:17: want 1 to 1000, got 0 (at params.nodes)",
		"params: {leader: {}, read-quorum: 1}": "3:35: not with a leader: all nodes store all keys, and a majority agrees on the order of writes (at params.read-quorum)",
		"params: {quorum: slopy}":              `3:18: "slopy" is not a valid word; did you mean "sloppy"? (at params.quorum)`,
	})
}

// What is over a limit is refused before anything is made of it.
func TestKVLimits(t *testing.T) {
	checkKV(t, map[string]string{
		"params: {nodes: 1000000000}":                                                             "3:17: want 1 to 1000, got 1000000000 (at params.nodes)",
		"params: {nodes: 1000000000000000000000000000000}":                                        `3:17: "1000000000000000000000000000000" is out of range: want -9223372036854775808 to 9223372036854775807 (at params.nodes)`,
		"params: {ring: {strategy: hashed, virtual-nodes: 1000000000}}":                           "3:50: want 1 to 1024, got 1000000000 (at params.ring.virtual-nodes)",
		"params: {workload: {clients: 1, operations: 1000000000000, gap: 1ms}}":                   "3:45: want 0 to 10000000, got 1000000000000 (at params.workload.operations)",
		"params: {workload: {clients: 1000000000, gap: 1ms}}":                                     "3:30: want 1 to 1000, got 1000000000 (at params.workload.clients)",
		"params: {workload: {clients: 1, gap: 1ms, keys: 1000000000}}":                            "3:49: want 1 to 1000000, got 1000000000 (at params.workload.keys)",
		"params: {clients: [{steps: [get x], repeat: 1000000000}]}":                               "3:45: want 1 to 100000, got 1000000000 (at params.clients.0.repeat)",
		"params: {conflict: {value-bytes: 10241}}":                                                "3:34: want 1 to 10240, got 10241 (at params.conflict.value-bytes)",
		"params: {clients: [{steps: [put aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa v]}]}":        `3:29: "put aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa v": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa..." is longer than 32 bytes (at params.clients.0.steps.0)`,
		"params: {clients: [{steps: [put a vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv]}]}":          `3:29: "put a vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv": "vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv..." is longer than 32 bytes (at params.clients.0.steps.0)`,
		"params: {merkle-leaves: 1048576, workload: {clients: 1, gap: 1s, keys: 1000000}}":        "3:25: want at most 5, as there may be 3000000 hash trees, one for each replica of a key, got 1048576 (at params.merkle-leaves)",
		"params: {spare-nodes: 25}":                                                               "3:23: want 0 to 24, got 25 (at params.spare-nodes)",
		"params: {workload: {clients: 1, gap: 1ms, keys: 0}}":                                     "3:49: want 1 to 1000000, got 0 (at params.workload.keys)",
		"params: {workload: {clients: 1, gap: 0s}}":                                               "3:38: operations without end at next to no distance make no progress: want 1µs or more in half of them (at params.workload.gap)",
		"params: {nodes: 1000, spare-nodes: 24, ring: {strategy: hashed}, scale: {capacity: 10}}": "3:73: 1022 rings of 102400 tokens and 1 keys are too large: want fewer changes, nodes, tokens or keys (at params.scale)",
		"params: {nodes: 1000, spare-nodes: 24, ring: {strategy: hashed, virtual-nodes: 1024}, changes: [{at: 1s, join: node-1001},{at: 2s, join: node-1002},{at: 3s, join: node-1003},{at: 4s, join: node-1004},{at: 5s, join: node-1005},{at: 6s, join: node-1006}], workload: {clients: 10, gap: 1s, keys: 1000000}}": "3:96: 64 rings of 1048576 tokens and 1000000 keys are too large: want fewer changes, nodes, tokens or keys (at params.changes)",
		"params: {timeout: -1s}":                                  `3:19: "-1s" has a sign: want a duration of 0 or more (at params.timeout)`,
		"params: {handoff: -1s}":                                  `3:19: "-1s" has a sign: want a duration of 0 or more (at params.handoff)`,
		"params: {suspect: -3s}":                                  `3:19: "-3s" has a sign: want a duration of 0 or more (at params.suspect)`,
		"params: {gossip: 1ns}":                                   "3:18: want 0s, never, or 1ms and more, got 1ns (at params.gossip)",
		"params: {anti-entropy: 999us}":                           "3:24: want 0s, never, or 1ms and more, got 999µs (at params.anti-entropy)",
		"params: {timeout: 0s}":                                   "3:19: want 1ms to 1h, got 0s (at params.timeout)",
		"params: {patience: 0s}":                                  "3:20: want 1ms to 1h, got 0s (at params.patience)",
		"params: {workload: {clients: 1, gap: 1ms, reads: 101%}}": `3:50: "101%" is too large for a proportion: want at most 100% (at params.workload.reads)`,
	})
}

// A word that is not known is refused with the nearest one.
func TestKVWords(t *testing.T) {
	checkKV(t, map[string]string{
		"params: {conflict: {policy: dvvst}}":                                            `3:29: "dvvst" is not a valid word; did you mean "dvvset"? (at params.conflict.policy)`,
		"params: {read-repair: asnc}":                                                    `3:23: "asnc" is not a valid word; did you mean "async"? (at params.read-repair)`,
		"params: {ring: {strategy: hased}}":                                              `3:27: "hased" is not a valid word; did you mean "hashed"? (at params.ring.strategy)`,
		"params: {ring: {strategy: hashed, hash: md6}}":                                  `3:41: "md6" is not a valid word; did you mean "md5"? (at params.ring.hash)`,
		"params: {claims: [linearisable]}":                                               `3:19: "linearisable" is not a valid word; did you mean "linearizable"? (at params.claims.0)`,
		"params: {clients: [{steps: [gte x]}]}":                                          `3:29: "gte x": no step begins with "gte": want one of get, put, blind-put, delete, add, remove, cas, wait, at (at params.clients.0.steps.0)`,
		"params: {clients: [{steps: [put x]}]}":                                          `3:29: "put x": want put KEY VALUE [via NODE] (at params.clients.0.steps.0)`,
		"params: {clients: [{steps: [wait -1s]}]}":                                       `3:29: "wait -1s": want wait DURATION (at params.clients.0.steps.0)`,
		"params: {clients: [{steps: [get x via]}]}":                                      `3:29: "get x via": want get KEY [from NODE...] [via NODE] (at params.clients.0.steps.0)`,
		"params: {conflict: {policy: counter}, clients: [{steps: [add x 99999999999]}]}": `3:58: want an amount of 0 to 4294967295, got "99999999999" (at params.clients.0.steps.0)`,
	})
}

// Every node has a place on the ring.
func TestKVRing(t *testing.T) {
	checkKV(t, map[string]string{
		"params: {ring: {strategy: explicit}}":                                                                                             "3:16: each of 3 nodes needs a token, node-1 has none (at params.ring.tokens)",
		"params: {ring: {strategy: explicit, tokens: []}}":                                                                                 "3:45: each of 3 nodes needs a token, node-1 has none (at params.ring.tokens)",
		"params: {ring: {strategy: explicit, tokens: [node-1 5]}}":                                                                         "3:45: each of 3 nodes needs a token, node-2 has none (at params.ring.tokens)",
		"params: {ring: {strategy: explicit, tokens: [node-1 5, node-2 5, node-3 6]}}":                                                     "3:56: node-1 has the token 5, too: want different ones (at params.ring.tokens.1)",
		"params: {ring: {strategy: explicit, tokens: [node-1 5, node-2 7, node-3 6, node-4 9]}}":                                           `3:76: no node "node-4": want node-1 to node-3 (at params.ring.tokens.3)`,
		"params: {ring: {strategy: explicit, tokens: [node-1 -5]}}":                                                                        `3:46: "node-1 -5": want a node and its token, as in "node-1 90", got "node-1 -5" (at params.ring.tokens.0)`,
		"params: {ring: {strategy: hashed, virtual-nodes: 0}}":                                                                             "3:50: want 1 to 1024, got 0 (at params.ring.virtual-nodes)",
		"params: {ring: {strategy: partitions, partitions: 0}}":                                                                            "3:51: want 1 to 65536, got 0 (at params.ring.partitions)",
		"params: {nodes: 5, ring: {strategy: partitions, partitions: 4}}":                                                                  "3:61: each node owns at least one: want at least nodes and spare-nodes, which are 5, got 4 (at params.ring.partitions)",
		"params: {spare-nodes: 3, ring: {strategy: partitions, partitions: 5}, scale: {capacity: 1}}":                                      "3:67: each node owns at least one: want at least nodes and spare-nodes, which are 6, got 5 (at params.ring.partitions)",
		"params: {ring: {strategy: hashed, hash: number}}":                                                                                 `3:41: tokens need a hash of labels, got "number" (at params.ring.hash)`,
		"params: {ring: {strategy: explicit, tokens: [node-1 1, node-2 2, node-3 3], positions: [5]}, clients: [{steps: [get x, get y]}]}": "3:88: want one of each key, of which there are 2, got 1 (at params.ring.positions)",
		"params: {ring: {strategy: hashed, positions: [5,6,7]}, clients: [{steps: [get x, get y]}]}":                                       `3:46: only strategy explicit has positions of its own, the strategy is "hashed" (at params.ring.positions)`,
		"params: {leader: {}, ring: {strategy: hashed}}":                                                                                   "3:39: not with a leader: all nodes store all keys, and a majority agrees on the order of writes (at params.ring.strategy)",
	})
}

// A name is that of one node.
func TestKVNames(t *testing.T) {
	checkKV(t, map[string]string{
		"params: {clients: [{name: a, steps: [get x]},{name: a, steps: [get x]}]}":                                   "3:53: the name a is taken: want another one (at params.clients.1.name)",
		"params: {clients: [{name: node-1, steps: [get x]}]}":                                                        "3:27: the name node-1 is taken: want another one (at params.clients.0.name)",
		"params: {spare-nodes: 1, changes: [{at: 1s, join: node-4}], clients: [{name: controller, steps: [get x]}]}": "3:78: the name controller is taken: want another one (at params.clients.0.name)",
		"params: {clients: [{name: client-2, steps: [get x]},{steps: [get x]}]}":                                     "3:27: the name client-2 is taken: want another one (at params.clients.0.name)",
		"params: {clients: [{name: 'a*', steps: [get x]}]}":                                                          `3:27: "a*" is no name: want 1 to 32 letters, digits and -, a letter first (at params.clients.0.name)`,
		"params: {clients: [{steps: [get x via node-4]}]}":                                                           `3:29: no node "node-4": want node-1 to node-3 (at params.clients.0.steps.0)`,
		"params: {clients: [{steps: [get x from node-4]}]}":                                                          `3:29: no node "node-4": want node-1 to node-3 (at params.clients.0.steps.0)`,
		"params: {clients: [{steps: [get x from node-1 node-1]}]}":                                                   "3:29: node-1 is named twice (at params.clients.0.steps.0)",
		"params: {read-quorum: 2, clients: [{steps: [get x from node-1]}]}":                                          "3:45: a read waits for 2 answers: want at least as many nodes to read from, got 1 (at params.clients.0.steps.0)",
		"params: {clients: [{steps: [put x v]}, {steps: [add x a, put y v]}]}":                                       "3:49: a store has values or items: want all scripts to put or cas, or all to add and remove, and no workload with items (at params.clients.1.steps.0)",
		"params: {clients: [{steps: [add x a]}], workload: {clients: 1, gap: 1s}}":                                   "3:29: a store has values or items: want all scripts to put or cas, or all to add and remove, and no workload with items (at params.clients.0.steps.0)",
		"params: {clients: [{steps: []}]}":                                                                           "3:28: want 1 to 1000, got 0 (at params.clients.0.steps)",
	})
}

// A change is possible whichever of those before it are made.
func TestKVChanges(t *testing.T) {
	checkKV(t, map[string]string{
		"params: {spare-nodes: 1, changes: [{at: 1s, join: node-3}]}":                         "3:51: node-3 is a member already (at params.changes.0.join)",
		"params: {spare-nodes: 1, changes: [{at: 1s, join: node-9}]}":                         `3:51: no node "node-9": want node-1 to node-4; spare-nodes are those that may join (at params.changes.0.join)`,
		"params: {spare-nodes: 1, changes: [{at: 1s, join: node-4}, {at: 2s, join: node-5}]}": `3:75: no node "node-5": want node-1 to node-4; spare-nodes are those that may join (at params.changes.1.join)`,
		"params: {changes: [{at: 1s, leave: node-4}]}":                                        `3:36: no node "node-4": want node-1 to node-3; spare-nodes are those that may join (at params.changes.0.leave)`,
		"params: {spare-nodes: 1, changes: [{at: 1s, leave: node-4}]}":                        "3:52: node-4 is not a member (at params.changes.0.leave)",
		"params: {changes: [{at: 1s, leave: node-3}]}":                                        "3:36: 3 replicas of a key need as many nodes: want at least 4 members, as one leaves (at params.changes.0.leave)",
		"params: {spare-nodes: 1, changes: [{at: 1s, leave: node-3, join: node-4}]}":          "3:36: want a node that joins or one that leaves (at params.changes.0)",
		"params: {spare-nodes: 1, changes: [{at: 1s}]}":                                       "3:36: want a node that joins or one that leaves (at params.changes.0)",
		"params: {spare-nodes: 2, changes: [{at: 1s, join: node-4},{at: 1s, join: node-5}]}":  "3:64: a change cannot start while another one runs: want later than 1s, got 1s (at params.changes.1.at)",
		"params: {spare-nodes: 2, changes: [{at: 2s, join: node-4},{at: 1s, join: node-5}]}":  "3:64: a change cannot start while another one runs: want later than 2s, got 1s (at params.changes.1.at)",
		"params: {spare-nodes: 7, changes: [{at: 1s, join: node-4},{at: 2s, join: node-5},{at: 3s, join: node-6},{at: 4s, join: node-7},{at: 5s, join: node-8},{at: 6s, join: node-9},{at: 7s, join: node-10}]}": "3:35: want at most 6, got 7 (at params.changes)",
		"params: {leader: {}, changes: [{at: 1s, leave: node-1}]}":                           "3:31: not with a leader: all nodes store all keys, and a majority agrees on the order of writes (at params.changes)",
		"params: {scale: {capacity: 60}}":                                                    "3:17: no node can be added or drained: want spare-nodes, or more nodes than replicas (at params.scale)",
		"params: {spare-nodes: 1, scale: {capacity: 60, drain-below: 80%}}":                  "3:61: want less than add-above, as the same load would add and drain nodes (at params.scale.drain-below)",
		"params: {spare-nodes: 1, scale: {capacity: 60}, changes: [{at: 1s, join: node-4}]}": "3:33: either the load changes the ring or a list of changes does: leave out one of scale and changes (at params.scale)",
		"params: {scale: {capacity: 0}}":                                                     "3:28: want 1 to 1000000, got 0 (at params.scale.capacity)",
		"params: {spare-nodes: 1, scale: {capacity: 60, every: 1ms}}":                        "3:55: want 100ms to 1h, got 1ms (at params.scale.every)",
	})
}

// A fault names nodes that exist.
func TestKVFaults(t *testing.T) {
	checkKV(t, map[string]string{
		"faults: [{cut: {between: [[node-1, node-9], [node-2, node-3]]}, at: 1s, for: 1s}]": `3:36: there is no node "node-9"; did you mean "node-1"? (at faults.0.cut.between.0.1)`,
		"faults: [{cut: {between: [[nod-1], [node-2, node-3]]}, at: 1s, for: 1s}]":          `3:28: there is no node "nod-1"; did you mean "node-1"? (at faults.0.cut.between.0.0)`,
		"faults: [{cut: {between: [[node-1]]}, at: 1s, for: 1s}]":                           "3:26: 1 groups: want 2 to 200 (at faults.0.cut.between)",
		"faults: [{cut: {between: [[], [node-1]]}, at: 1s, for: 1s}]":                       "3:27: a list of no nodes: want at least one (at faults.0.cut.between.0)",
		"faults: [{cut: {between: [[node-1],[node-1]]}, at: 1s, for: 1s}]":                  "3:36: node-1 is on two sides (at faults.0.cut.between.1)",
		"faults: [{crash: node-7, at: 1s, for: 1s}]":                                        `3:18: there is no node "node-7"; did you mean "node-1"? (at faults.0.crash)`,
	})
}
