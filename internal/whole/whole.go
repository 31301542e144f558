// Package whole lets a test of all that ships do a part of it in go test ./..., and all of it with -whole, as CI does.
package whole

import "flag"

var given = flag.Bool("whole", false, "test all of what ships, as .ci/run does")

// Tests reports whether all is to be tested. A package whose tests ask is in .ci/run, with -whole.
func Tests() bool { return *given }

// Takes reports whether a test takes the ith of a list: all of them, or without -whole one of n.
func Takes(i, n int) bool { return Tests() || i%n == 0 }
