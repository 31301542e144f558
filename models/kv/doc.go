// Package kv is a key-value store as Dynamo describes one: nodes in a ring, each a
// coordinator and a replica, N replicas of a key, R answers for a read and W
// acknowledgements for a write.
//
// A person chooses N, R and W, which value wins when two meet, and how replicas come to
// agree, and reads what readers see: how stale, how often lost, how long unavailable.
//
//	file        what it is
//	client.go   a client: a script or a workload, and what it remembers of a key
//	node.go     a node: the table of what it does
//	forward.go  a request at a node that does not store the key
//	put.go      a write at its coordinator
//	get.go      a read at its coordinator
//	replica.go  what a node stores of a key
//	ring.go     which nodes store a key
//	move.go     joins and leaves at a node: writes to two rings, then reads from the new one
//	stream.go   how a node fetches the keys that it gains
//	controller.go  who changes the ring, one change at a time; scale.go: as the load demands
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
