package core

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// Symbolic implements [sim.Symbolic].
func (c *Client) Symbolic() string {
	if c.Obey {
		return "it looks at the retry-after, which is a duration between two readings: want obey-retry-after false"
	}
	for _, p := range *c.Phases {
		if p.Count != nil && *p.Count == 0 {
			return "its requests have no end, and each has a number: want a count of 1 or more"
		}
	}
	return ""
}

// Forget implements [sim.Symbolic].
func (c *Client) Forget() {}

// Ignores implements [sim.Symbolic].
func (c *Client) Ignores(*sim.Arrival[message.Msg]) bool { return false }
