package core

import (
	"fmt"
	"time"

	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// ClientParams are one client.
type ClientParams struct {
	Key     *int64        `yaml:"key"`                               // whose limit it counts against: 1
	Keys    *int64        `yaml:"keys"`                              // this many keys in turn, from that: 1
	User    *int          `yaml:"user"`                              // of a wish, the client that it is the same person as: itself
	Cost    *int64        `yaml:"cost"`                              // of each request: 1
	Route   string        `yaml:"route,oneof=round-robin|key|fixed"` // round-robin
	To      int           `yaml:"to"`                                // the limiter of a fixed route, and the first of round-robin: 1
	Phases  []Phase       `yaml:"phases"`                            // one request at 0s
	Timeout time.Duration `yaml:"timeout"`                           // how long it waits for an answer: 0s, forever
	Obey    bool          `yaml:"obey"`                              // ask again when the retry-after is over: false
}

// Problems adds what is wrong with the client at a path, of a fleet with this many limiters.
func (c *ClientParams) Problems(path string, limiters int, found *model.Errors) {
	first, keys := values.Or(c.Key, 1), values.Or(c.Keys, 1)
	Between(found, path+".key", first, 1, maxKeys)
	if keys < 1 || keys > maxKeys {
		found.Add(path+".keys", "want 1 to %d, got %d", maxKeys, keys)
	} else if first >= 1 && first <= maxKeys && first+keys-1 > maxKeys {
		found.Add(path+".keys", "%d keys from %d on end at %d: want at most %d", keys, first, first+keys-1, maxKeys)
	} else if n := first + keys - 1; n*int64(max(1, limiters)) > MaxTables {
		found.Add(path+".keys", "%d keys on each of %d limiters are %d states: want at most %d", n, limiters, n*int64(limiters), MaxTables)
	}
	Between(found, path+".cost", values.Or(c.Cost, 1), 1, 1<<31)
	if c.To != 0 {
		Between(found, path+".to", int64(c.To), 1, int64(limiters))
	}
	found.If(c.Timeout < 0 || c.Timeout > MaxLength, path+".timeout", "want 0s to %v, got %v", MaxLength, c.Timeout)
	found.If(len(c.Phases) > maxPhases, path+".phases", "want at most %d, got %d", maxPhases, len(c.Phases))
	for i := range c.Phases {
		c.Phases[i].Problems(fmt.Sprintf("%s.phases.%d", path, i), found)
	}
}

// Problems adds what is wrong with the phase at a path.
func (f *Phase) Problems(path string, found *model.Errors) {
	found.If(f.At < 0 || f.At > MaxLength, path+".at", "want 0s to %v, got %v", MaxLength, f.At)
	if f.Count != nil && *f.Count < 0 {
		found.Add(path+".count", "want 0 (without end) or more, got %d", *f.Count)
	}
	if f.Burst != nil {
		Between(found, path+".burst", int64(*f.Burst), 1, maxBurst)
	}
	if f.Every.Most() > 0 {
		return
	}
	if count := values.Or(f.Count, 1); count == 0 {
		found.Add(path+".every", "requests without end need time between them")
	} else if count > maxBurst {
		found.Add(path+".count", "want at most %d with no time between them, got %d", maxBurst, count)
	}
}

// Client is the node that the parameters describe.
func (c *ClientParams) Client(l *Layout) Client {
	n := Client{Limiters: l.Front, Count: l.Fronts, To: max(0, c.To-1), Key: uint64(values.Or(c.Key, 1)), Keys: uint64(values.Or(c.Keys, 1)), Cost: uint32(values.Or(c.Cost, 1)), Obey: c.Obey, Timeout: c.Timeout, Phases: &Phases{{}}}
	n.Route = map[string]Route{"key": ByKey, "fixed": Fixed}[c.Route]
	if len(c.Phases) > 0 {
		n.Phases = (*Phases)(&c.Phases)
	}
	return n
}
