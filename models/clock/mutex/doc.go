// Package mutex holds mutual exclusion among processes that share nothing but messages,
// decided by the order of Lamport's clock.
//
// lamport.go is the algorithm of 1978 and ricart_agrawala.go the one of 1981. Both need
// no engine: see [Algorithm]. process.go is the thin node around them: a [Process]
// thinks, asks, enters, works and leaves. What it notes is checked by order.go,
// progress.go and package check.
//
//	                       Lamport 1978                    Ricart and Agrawala 1981
//	messages per entry     3(N-1)                          2(N-1)
//	messages overtake      two may be in, or none          safe
//	a request is lost      two may be in                   blocks
//	a reply is lost        blocks, until more is said      blocks
//	a release is lost      blocks                          there is none
//	one arrives twice      may block, or let two in        may let two in
//	a process crashes      blocks everybody                blocks everybody
//	... and comes back     two may be in, unless it kept   two may be in, unless it kept
//	                       its clock and its queue, and    its clock, and no reply was on
//	                       nothing came meanwhile          its way to it
//
// A process that stops in its critical section keeps all others out until it resumes: there
// is no lease that could end. Neither paper sends anything again or suspects anybody, so
// neither does this package.
package mutex
