// Package traffic makes the requests that limiters are compared on: arrival processes
// with classes of clients and keys, as streams that can be played again, exactly, from
// a seed.
package traffic

import "fencepost/sim"

// Request is one request of a stream. Requests come in order of their instants.
type Request struct {
	At    sim.Time // since the start of the stream
	Key   uint64   // whose limit it counts against: a number, or the hash of a name
	Class int      // of the client, 0 and up
	Cost  int64    // 1 and up
}
