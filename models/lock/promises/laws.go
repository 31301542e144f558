package promises

import "strings"

// Law is what a proof says of a promise: simctl advise with the scenario and the property prints it, over all delays and drawn timers.
type Law struct {
	Lock, Promise      string
	Scenario, Property string
	Set                string // a change of the scenario, "" for none
	Text               string // of when the property is violated, in the words of the scenario
	Words              string // of the settings, for those of the scenario: pairs
}

// Laws are those that a proof gives. What is not among them is held to runs alone.
func Laws() []Law {
	return []Law{
		{"redis", "pause", "redis/pause-certified", "no-lost-update", "", "pause + work + 2*delay.max > ttl + 2*delay.min", ""},
		{"watchdog", "pause", "redis/watchdog-certified", "mutual-exclusion", "params.ttl=10s", "pause + 2*delay.max > 2*ttl/3", "ttl lease"},
	}
}

// Command is what derives the law.
func (l *Law) Command() string {
	command := "simctl advise " + l.Scenario + " --property " + l.Property
	if l.Set != "" {
		command += " --set " + l.Set
	}
	return command
}

// Formula is the law in the words of the settings, with delays from none on: it is above 0 where the property is violated.
func (l *Law) Formula() string {
	pairs := append(strings.Fields(l.Words), "delay.max", "delay", "delay.min", "0s")
	left, right, _ := strings.Cut(strings.NewReplacer(pairs...).Replace(l.Text), " > ")
	return left + " - (" + right + ")"
}

// LawOf is the law of a promise, nil if none is proven.
func (l *Lock) LawOf(promise string) *Law {
	for _, law := range Laws() {
		if law.Lock == l.Name && law.Promise == promise {
			return &law
		}
	}
	return nil
}
