// Package eventlog reads and writes logs of distributed programs whose events carry
// vector clocks, in the format of ShiViz, and says what order such a log describes and
// what in it contradicts itself.
//
// A file for ShiViz begins with two lines that say how to read the others: a regular
// expression with the named groups host, clock and event, and one that parts several
// executions, which may be empty. The clock is a JSON object with the counter of each
// host that the event knows of:
//
//	(?<host>\S*) (?<clock>{.*})\n(?<event>.*)
//
//	alice {"alice":1}
//	asks bob
//	bob {"alice":1,"bob":1}
//	is asked
//
// [Read] takes such a file, or an event script (package script), [Log.Order] says what
// happened before what and what contradicts it, and [Writer] writes a file for ShiViz.
//
// What can be found without knowing the run: an event that its host does not count, or
// counts twice; one that is not in the log; one whose clock knows less than the one
// before it on its host, or less than an event that it knows of; two events with one
// clock, and a circle. In a log without these each clock is what the rules of vector
// clocks make of some run; whether it was the run, no log can tell.
//
// A clock has a counter in 8 bytes for each host that an event knows of, so 1,000,000
// events of 8 hosts take 64 MB beside their text. Limits are in limits.go.
//
// Source: Fidge 1988; Mattern, "Virtual Time and Global States of Distributed Systems",
// 1989; ShiViz, js/model/parser.js and its page of help; GoVector, govec/govec.go,
// which writes logs like the one above, without the two lines.
package eventlog
