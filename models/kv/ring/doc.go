// Package ring says which nodes store a key: positions on a circle, the tokens of nodes,
// preference lists, and what a join or a leave moves.
//
// A [Ring] is made of members and parameters and never changes: a join makes another ring.
// Four strategies place tokens, of which Dynamo's paper compares two in section 6.2; a fifth
// shows what a store without a ring moves.
//
//	file           what it is
//	hash.go        the position of a label
//	circle.go      tokens in order; the walk from a position on
//	strategy.go    the tokens of a node: hashed, random, ordered, explicit
//	partitions.go  fixed partitions of equal size; a join takes some of each owner
//	fallback.go    preference lists of partitions where nodes are down, as Riak has them
//	ring.go        a ring with its members and keys
//	moves.go       what differs between two rings: ranges, keys
//	balance.go     keys per node
//	jump.go        jump hash
//	bounded.go     partitions with a bounded load
//
// A node is named by its index, from 0: the label of its k-th token is node-<index>#<k>.
//
// Source: DeCandia et al., "Dynamo: Amazon's Highly Available Key-value Store", SOSP 2007,
// sections 4.2, 4.3 and 6.2; Karger et al., "Consistent Hashing and Random Trees", STOC 1997.
package ring
