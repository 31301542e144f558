// Package version holds what a replica of a key-value store stores of a key, and which value
// replaces which: the conflict policy. It needs no engine.
//
//	file                policy                what is left of concurrent writes      what it loses
//	last_write_wins.go  last-write-wins       the one with the later wall clock      the others; also what was read and replaced by a
//	                                                                                 node whose clock is behind
//	                    last-write-wins-hlc   the one with the later hybrid clock    the others
//	vectors.go          client-vectors        siblings, a vector each                one of two blind writes of a client at two nodes
//	                    server-vectors        siblings of different nodes            all but the last of the blind writes at one node
//	vnode_vectors.go    vnode-vectors         siblings under one vector              nothing; it keeps what was replaced as well
//	dvvset.go           dvvset                siblings under one dotted vector       nothing
//	                    register              siblings of different nodes            nothing; a write replaces what its node has
//	counter.go          counter               their sum                              nothing
//	or_set.go           or-set                the elements that no removal has read  nothing
//
// "Nothing" is on condition that no node gives out a dot twice (actor.go).
//
// An [Object] is what a replica stores of a key. It is immutable: messages and nodes share it,
// and only a write or a merge that changes something allocates. A [Policy] makes it and is
// shared by all nodes; a [Replica] is what a node needs of its own to take writes.
//
// A merge of any two objects is commutative, associative and idempotent, but for vnode-vectors,
// whose merge is not associative.
//
// Sizes: an actor id takes 8 bytes, a counter a varint, a wall clock 8 and a hybrid clock 12.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4; S4 9 and 11 of docs/sources.md.
//
//fencepost:readings
package version
