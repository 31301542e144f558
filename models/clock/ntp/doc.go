// Package ntp is how a client learns what time it is: it exchanges readings with servers,
// decides whom to believe, and corrects its clock.
//
// An exchange is a [clock.NTPSample], of which a [Sample] is what the client keeps. Whom it
// believes is decided by [Latest] (latest.go), [LeastDelay] (leastdelay.go) or
// [MajorityOf] (marzullo.go), and what it does about an offset by a [clock.Discipline].
// A step cannot be done to the clock of a node from within: what the client corrects is a
// [Disciplined] clock (disciplined.go), its wall clock plus a correction. None of these
// needs an engine. Around them are thin nodes, [Client] and [Server]. A server tells its
// own wall clock; it is a falseticker if that is wrong.
//
// Five properties check what comes of it, by the true time that no node knows (truth.go):
//
//	within-bound     the offset of a sample is wrong by at most half its delay
//	bounded-error    the corrected clock is never further than epsilon from true time
//	monotonic        the corrected clock never goes back
//	no-falseticker   what the client believes holds the truth, if most servers are right
//	bounded-rate     the client's oscillator is as good as the client takes it to be
//
// # What is not here
//
// A client corrects the phase of its clock and not its frequency: what the oscillator
// gains between two polls it gains again, so that after a correction the error grows to
// the drift times the poll, and, where small delays are preferred, times up to eight
// polls. The real daemons learn the frequency. Ntpd steps its first offset at once; here
// it waits for the stepout each time, as the specification has it.
// What a daemon has written into the hardware clock is lost in a crash here.
package ntp
