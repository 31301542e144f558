// Package replica holds a node of a Dynamo-style store, a file for each thing that it does.
//
//	node.go          its state, and what it does about a message
//	coordinate.go    a request of a client: whom it asks, and when it answers; requests.go, get.go, put.go
//	write.go         what it stores; tombstone.go collects
//	repair.go        read repair
//	handoff.go       hints
//	antientropy.go   hash trees
//	forward.go       requests for keys of others
//	gossip.go        the ring, from node to node
//	move.go          a change of the ring; stream.go, the keys that it brings
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package replica
