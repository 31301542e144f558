// Package explain says why a run went wrong, in words.
//
// [Explain] cuts a failure down to the events without which it would not have happened and
// tells them in order. [Decisive] finds the point of the run from which on the violation
// could hardly be avoided. [Phrase] is a fault as a sentence.
package explain
