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
// Source: ShiViz, js/model/parser.js and its page of help; GoVector, govec/govec.go,
// which writes logs like the one above, without the two lines.
package eventlog
