// Package certify proves properties for all delays, drawn timers and pauses in their ranges at
// once, by the Step functions that runs of package sim take.
//
// Time is a symbol. A reading that a step is given is a symbol and an offset, see [sim.Symbol], and
// the step compares it by its methods alone. What is pending, and what a reading that a node
// remembers reads, is a variable, and a [zone] bounds the differences of each two: an event fires
// where it may be the first of all, and where a comparison can be true or false the zone is cut
// in two. States that differ only in instants are one state class, and one whose zone lies within
// that of another need not be looked at. There is no variable for now, and no clock that grows.
//
//   - messages take any time in the range of their link, timers that are drawn any time in the range
//     of their distribution;
//   - a pause begins just before a step, or between two effects of one: elsewhere it is as if it had
//     begun at the next of these moments;
//   - some messages may be lost, and some come twice, as many as a search says;
//   - clocks are perfect, or fast or slow by a part, see rate.go, which is proven from above;
//   - events of different nodes are not put in an order, see order.go: their orders are one path;
//   - what happens at one instant happens in every order. A run of the engine has one of these.
//
// A violation is turned into a run: its path is a list of bounds, of which whole nanoseconds are a
// solution, and these are played by the engine as delays, draws and pauses. Only what that run
// shows is called violated.
//
// A model says which of its nodes and properties can be driven so, and what of them does not matter
// any more: see [sim.Symbolic]. What it does not say is refused.
//
// Source: Berthomieu and Diaz, "Modeling and Verification of Time Dependent Systems Using Time
// Petri Nets", 1991; Bengtsson and Yi, "Timed Automata: Semantics, Algorithms and Tools", 2004.
package certify
