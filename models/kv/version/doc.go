// Package version holds what a replica of a key-value store stores of a key, and which value
// replaces which: the conflict policy. It needs no engine.
//
//	file                what it does with concurrent writes            its failure
//	last_write_wins.go  keeps the later stamp of a wall clock, or of   loses all but one of them; by a wall clock that is
//	                    a hybrid clock                                 ahead also writes that were read and replaced
//
// An [Object] is what a replica stores of a key. It is immutable: messages and nodes share it,
// and only a write or a merge that changes something allocates. A [Policy] makes it and is
// shared by all nodes; a [Replica] is what a node needs of its own to take writes.
//
// Sizes: an actor id takes 8 bytes, a counter a varint, a wall clock 8 and a hybrid clock 12.
//
// Source: DeCandia et al., "Dynamo", 2007, section 4.4; S4 9 and 11 of docs/sources.md.
//
//fencepost:readings
package version
