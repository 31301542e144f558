package core

import (
	"time"

	"fencepost/models/ratelimit/fleet/message"
)

// Dimension is one of several limits that a request must keep to.
type Dimension struct {
	Name   string
	Limit  int64
	Window time.Duration
	Of     DimensionOf
}

// DimensionOf says what counts together in a dimension.
type DimensionOf uint8

// Requests of one key (a user), of one client (an address), all.
const (
	ofKey DimensionOf = iota
	OfClient
	OfAll
)

// Who is the counter of a dimension that a request counts in.
func (d *Dimension) Who(m *message.Msg) int {
	switch d.Of {
	case ofKey:
		return int(m.Key)
	case OfClient:
		return int(message.ClientOf(m.ID))
	}
	return 0
}
