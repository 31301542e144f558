package redislock

import (
	"time"

	"fencepost/sim"
)

// preset is Redlock as a library has it.
type preset struct {
	Lock  Redlock                           // its TTL is the usual one
	Drift func(time.Duration) time.Duration // the allowance for the clocks within a TTL
	Share time.Duration                     // an instance is waited for for this part of the TTL; 0: as lock says
}

// Presets are the implementations: the page's, and by name those of libraries.
//
// Source: redlock-rb (antirez, 2014), redlock.rb; redsync 4, redsync.go and mutex.go;
// node-redlock 5, src/index.ts.
var Presets = map[string]preset{
	"": {Drift: DriftOf, Lock: Redlock{
		Rules:   Rules{Instances: 5, TTL: 10 * time.Second},
		Polling: Polling{Retry: sim.Uniform(0, 200*time.Millisecond), Wait: 50 * time.Millisecond},
	}},
	"reference": {Drift: DriftOf, Lock: Redlock{
		Rules: Rules{Instances: 5, TTL: 10 * time.Second}, Clock: sim.WallClock, Sequential: true,
		Polling: Polling{Retry: sim.Uniform(0, 200*time.Millisecond), Tries: 3},
	}},
	"redsync": {Drift: driftOfRedsync, Share: 20, Lock: Redlock{
		Rules:   Rules{Instances: 5, TTL: 8 * time.Second},
		Polling: Polling{Retry: sim.Uniform(50*time.Millisecond, 250*time.Millisecond), Tries: 32},
	}},
	"node-redlock": {Drift: driftOfNode, Lock: Redlock{
		Rules: Rules{Instances: 5, TTL: 10 * time.Second, AnyValidity: true, AtQuorum: true},
		Clock: sim.WallClock, Cleanup: CleanNone, KeepValue: true,
		Polling: Polling{Retry: sim.Uniform(100*time.Millisecond, 300*time.Millisecond), Tries: 11, Wait: 50 * time.Millisecond},
	}},
}

// driftOfRedsync is one per cent of the TTL.
func driftOfRedsync(ttl time.Duration) time.Duration { return ttl / 100 }

// driftOfNode is one per cent of the TTL, rounded to a millisecond, and 2 ms.
func driftOfNode(ttl time.Duration) time.Duration {
	return (ttl / 100).Round(time.Millisecond) + 2*time.Millisecond
}
