// Package kv is a key-value store as Dynamo describes one: nodes in a ring, each a
// coordinator and a replica, N replicas of a key, R answers for a read and W
// acknowledgements for a write.
//
// A person chooses N, R and W, which value wins when two meet, and how replicas come to
// agree, and reads what readers see: how stale, how often lost, how long unavailable.
//
//	client.go      a client: a script or a workload, and what it remembers of a key
//	replica        a node: requests, what it stores of a key, and how replicas come to agree
//	leader         a node of a store with a leader
//	membership     the controller: who changes the ring, one change at a time
//	core           messages and settings of these, and the ring: which nodes store a key
//
// A property is a file: no_lost_write.go, read_your_writes.go; history.go is the ledger that three of
// them share. Parameters are in the files params*.go, with move_params.go and ring_params.go.
//
// What a node does not store any more after a change of the ring stays on its disk, as in
// Cassandra before nodetool cleanup. It is deleted before the node becomes a replica of the key
// again; without streaming it is not, and the node answers with it.
//
// What a node stores of a key ([version.Object]) is immutable: messages and notes carry it
// by reference.
//
// Source: DeCandia et al., "Dynamo: Amazon's Highly Available Key-value Store", SOSP 2007.
//
//fencepost:readings
package kv
