// Package vet finds, in the source of models, what makes a step depend on more than
// the node and its message. Such a step is another one when a run is repeated, on
// another processor or in another order, and a seed that showed a violation shows it
// no more. [Analyzer] runs in simctl vet, in go vet with simctl as its -vettool, and in
// every driver of go/analysis.
//
// # What is looked at
//
// The Step of every node, its Recover and Reset, the Label, Fold and String of every
// message, and every function or literal that takes sim.In or *sim.Out, since only a
// step can call it. From there every function that is called or only mentioned: also
// deferred, as a method value, through an embedded type, as the argument of a type
// parameter. A finding says how it is reached: "Client.Step calls tick, which calls
// now". What stands in another package is reported where this package calls it, with
// the place in brackets.
//
// Calls through an interface go to every type that has its methods, of those that the
// package declares or names. Calls through a variable, field or parameter go to
// whatever this package puts there. What another package puts into an exported field
// or variable, or hands to a function, is looked at in that package. What reads a
// variable of a package depends on its initial value, and on what init assigns.
//
// # Rules
//
//   - clock: time.Now and the like, timers of real time, the time zone.
//   - random: math/rand, crypto/rand, hash/maphash, also with a seed of one's own: its
//     state is neither copied nor reset with the node.
//   - concurrency: go, channels, select, sync, sync/atomic, context.
//   - map: loops over maps, and maps.Keys, Values and All, unless their order is lost
//     again: collected and then sorted, one element written for each key, deleted,
//     integers added up or the largest found, constants set, one answer returned.
//   - global: variables of packages that are written, also through another name or in
//     a function that is handed them, whose address is taken, or that are read and
//     written by a function other than init.
//   - pointer: addresses that are printed or made numbers; out, and memory of the
//     message, stored where they outlive the step.
//   - io: files, networks, processes, the environment, standard output, logs, and
//     functions without a body in Go.
//   - machine: package runtime.
//   - float: functions of math that differ between processors, and sums of products
//     that some of them round once.
//   - reading: in a package with a comment //fencepost:readings, readings of a node's clock
//     (sim.Mono, Boot and Wall) that are compared otherwise than by Before, or divided, and
//     differences of readings that are compared. There every function that takes a reading
//     is looked at: an algorithm that needs no engine is called by a step elsewhere.
//   - allow: a comment that allows nothing, or gives no reason.
//
// Functions of the standard library are known by name; their bodies are not looked
// into. Those of sim are trusted, and so are its internal tests.
//
// # Exceptions
//
// A comment allows what is found on its line or, standing alone, on the line after it.
// On a call it allows whatever the call leads to, there and nowhere else. It has to
// say why:
//
//	started := time.Now() //fencepost:allow it is for the log, which no run reads
//
// One that allows nothing is reported itself. In a function that no step reaches it
// counts as if one did.
//
// # What is not followed
//
// The package testdata/blind shows most of these.
//
//   - Functions and methods called through reflect, cgo, plugins or assembly, and those
//     taken out of an any.
//   - What the standard library calls back, other than methods of what it is handed for
//     printing, encoding or as an interface with methods.
//   - Values of the standard library that hold a file or a clock, such as a
//     bufio.Writer on standard output, once they are in a node.
//   - Types behind an interface that the package neither declares nor names, unless
//     they are put into an exported field or handed to one of its functions.
//   - Memory that two nodes share because both were placed with the same pointer, and
//     memory that a node sends and continues to write.
//   - Which field of a message was replaced by a copy: keep the copy, not the message.
//   - Comparisons that can tie: slices.SortFunc leaves equal elements in the order in
//     which they came, which may be a map's.
//   - The same pointer under two keys of a map.
//   - Floats converted to integers that cannot hold them, the width of int, the
//     capacity that append chooses, and text that another release of Go words otherwise.
//   - Observers and properties, which look at a run and do not take part in it.
//   - More than 16 findings of one function of another package.
//
// Config.Twice of package sim sees at run time some of what is not seen here: it does
// every step a second time and compares.
package vet
