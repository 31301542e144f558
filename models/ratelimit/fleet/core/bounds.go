package core

import (
	"time"

	"fencepost/sim/model"
)

// Limits of the parameters.
const (
	MaxLimiters = 10_000
	MaxClients  = 10_000
	maxKeys     = 1_000_000 // as many as the engine has nodes: with the properties some 2 KB of memory each
	MaxTables   = 4_000_000 // keys times limiters: each has a state of each key
	maxPhases   = 1000
	maxBurst    = 1_000_000
	MaxLength   = 10_000 * time.Hour
)

// Between adds to what is found that the value at a path is not one from least to most.
func Between(found *model.Errors, path string, v, least, most int64) {
	found.If(v < least || v > most, path, "want %d to %d, got %d", least, most, v)
}

// Length is of a timer or a lease: not so short that a run consists of nothing else.
func Length(found *model.Errors, path string, d time.Duration) {
	found.If(d < time.Millisecond || d > MaxLength, path, "want 1ms to %v, got %v", MaxLength, d)
}
