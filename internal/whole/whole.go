// Package whole lets a test of all that ships do a part of it in go test ./..., and all of it with -whole, or with
// FENCEPOST_WHOLE set, as CI does.
package whole

import (
	"flag"
	"os"
)

var given = flag.Bool("whole", false, "test all of what ships, as with FENCEPOST_WHOLE set")

// Tests reports whether all is to be tested. The variable is read here, not when the program starts: go test knows
// what a test depends on from what it reads, and keeps a result for either.
func Tests() bool { return *given || os.Getenv("FENCEPOST_WHOLE") != "" }

// Takes reports whether a test takes the ith of a list: all of them, or without -whole one of n.
func Takes(i, n int) bool { return Tests() || i%n == 0 }

// Of is how many a test takes: all of them, or without -whole few.
func Of(few, all int) int {
	if Tests() {
		return all
	}
	return few
}
