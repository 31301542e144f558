package format

import "fencepost/sim"

// These are for tests of another package.
var (
	SplitOutside = splitOutside
	Normal       = normal
	Drawing      = drawing
)

// WriteDist is a distribution as a file has it.
func WriteDist(d *sim.Dist) (string, error) {
	var t faultWriter
	text := t.dist(d)
	return text, t.err
}
