// Package reach visits every state that a system of nodes can reach when messages may
// take any time and pauses may come at any moment. What package explore finds by trying
// schedules, this package proves absent for all of them.
//
// Time passes in ticks. A state is what every node remembers, how long it is still
// suspended, and what is in flight on every link. From a state lead these moves:
//
//   - a node that is not suspended handles a message that has come to the head of its
//     link: everything a node does is a reaction to a message, so a node that acts by
//     itself sends itself one, as a timer or over a link to itself. How long a timer
//     is armed for does not matter: it may fire at any time, as a message may arrive;
//   - a node is suspended, where [Pause] says that this may happen. Its clock stands
//     still meanwhile. A stop of the program alone, in which the clock runs on, needs no
//     Pause: it is as if every message to the node took longer;
//   - a node crashes, a message is handled and arrives once more, or is lost, as often as
//     [Faults] says;
//   - a tick passes: everyone who is suspended has one tick less to go, and everyone
//     else ages by one tick, see [Ager].
//
// The clocks of a node always read 0. A node that keeps a reading, say of when its lease
// expires, implements [Ager] and so keeps how far away it is: then states that differ
// only in when they are reached are one state, and there are finitely many of them.
//
// What a move does is computed once. The local states of each node, its messages and the
// contents of each link are numbered; since a step is a function of the local state and
// the message, it is a line in a table of numbers. A state is then a tuple of numbers,
// packed into one or two words, and a move is a few lookups. The set of states visited
// holds the words themselves, so none is lost to a hash. Moves that can be made in either
// order are looked up in one of them. Several processors share the work ([Limits].Workers)
// and find the same, to the last number.
//
// Source: Holzmann, "State compression in SPIN", 1997 (collapse compression);
// Lamport, "Real-time model checking is really simple", 2005 (explicit ticks).
package reach
