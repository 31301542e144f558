// Package stats adds up the results of many runs of one program, and says how sure the
// totals are.
//
// A [Tally] counts verdicts, injected faults and measures; a [Paired] compares the runs of
// two programs seed by seed. Both add integers only, so that the parts of a batch merge to
// the same bits however it was divided. The intervals are for people to read: no run
// depends on one.
package stats
