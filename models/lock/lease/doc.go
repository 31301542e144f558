// Package lease is a lock that is granted for a time, in so few states that all of them
// can be visited: two clients that may be suspended while they hold it, a server, and a
// store that may look at fencing tokens. Time is in ticks.
//
// Source: Gray and Cheriton, "Leases", 1989, section 2; Kleppmann, "How to do distributed
// locking", 2016, for the token.
package lease
