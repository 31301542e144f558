package core

import (
	"time"

	"fencepost/sim"
)

// WindowCount is a counter of an aligned window.
type WindowCount struct {
	Window int64 // number of it, by the wall clock
	Count  int64
}

// FloorTo is the start of the window of a reading.
func FloorTo(now int64, window time.Duration) int64 {
	rest := now % int64(window)
	if rest < 0 {
		rest += int64(window)
	}
	return now - rest
}

// WindowOf is the number of the aligned window of an instant, and what is left of it.
func WindowOf(now sim.Wall, window time.Duration) (number int64, left time.Duration) {
	number = int64(now) / int64(window)
	if rest := int64(now) % int64(window); rest < 0 {
		number--
	}
	return number, time.Duration((number+1)*int64(window) - int64(now))
}
