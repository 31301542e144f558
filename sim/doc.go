// Package sim runs distributed algorithms in virtual time, and checks what they did.
//
// A [World] is a handful of nodes, a network and a list of faults. A node is a state
// machine: [Node.Step] gets one message together with the readings of the node's own
// clocks, changes the receiver, and says through [Out] what it sends, arms and notes.
// That is all it may do. Everything that enters is a message: the zero message starts
// a node, a timer is a message to oneself. The engine keeps true time, which no node
// sees, and hands out messages in the order in which they come due.
//
// A model is a [System]: the nodes, made with [Place], the names of its kinds of
// message, and the observers that follow the notes: a [Property] comes to a verdict,
// a meter records measures. [NewWorld] joins it with a [Config], which is everything
// else that a run consists of but the seed; [World.Run] plays it from the start, as
// often as you like. The example of this package is a whole model in 30 lines.
//
// # Time and clocks
//
// [Time] is a true instant in nanoseconds. Each node has an oscillator with a rate
// error, and three clocks that follow from it: [Mono], [Boot] and [Wall]. They are
// different types, so that their readings cannot be mixed up. Timers run on the
// monotonic clock of their node, alarms on its wall clock.
//
// # Faults
//
// A [Fault] is injected at an instant, after a note, again and again, or as in a real log.
// A pause may be injected at an effect boundary, between two effects of one step (pause.go): what the step decided is then
// done, what it asked for after the note leaves when the node resumes. That is how
// "checked, then paused, then wrote" happens without the model doing anything for it.
// [Result].Faults says of each fault whether it was injected.
//
// # Determinism
//
// A run is the system, the configuration, the seed and the overrides, and nothing
// else. The same four give the same steps, the same trace and the same digest on every
// operating system, processor and release of Go: a step is one thread's, samples are
// integer arithmetic, and events have a total order. A draw is a function of seed,
// stream and index, so that a fault that is added, or a node, leaves every other draw
// as it was. What this asks of a node is that it is pure; Config.Twice checks that it
// is, at twice the price. [DigestVersion] changes when a digest does.
//
// # Files
//
//	node.go system.go builder.go program.go   what a model is: nodes, messages, observers; the model without its types
//	property.go watch.go result.go            what follows a run, and what is left of it
//	world.go step.go out.go notes.go          a run: its state, a step, the effects of a step, who is notified of it
//	route.go network.go timers.go             how a message travels, and what partitions and faults do to it; timers and alarms
//	fault.go plan.go pause.go                 what goes wrong, when it is injected, and what a stopped node's effects wait for
//	clockchange.go followlog.go               faults of clocks
//	time.go clock.go                          instants and readings, each of a type of its own; a node's oscillator
//	dist.go rand.go digest.go event.go        durations, draws, the digest; an event that waits
//	fingerprint.go pending.go                 the print of a state, for searches that keep states
//	variation.go adversary.go                 a run with other draws, and with faults chosen while it runs
//	symbol.go stage.go trial.go               time as a symbol, a step at a time, one step alone
//	trace.go journal.go order.go              a run as text, as entries with causes, as the order of its events
//	timeline.go show.go                       a run as a picture: states, spans, what a client is shown
//	inline.go                                 what the compiler inlines from the packages below
package sim
