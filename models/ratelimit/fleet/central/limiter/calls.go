package limiter

import (
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
)

// call is a request that waits for the store.
type call struct {
	id, key  uint64
	cost     uint32
	attempt  uint16
	awaiting sim.Kind // the command that is to be answered
	rid      uint64   // its name at the store, the same in each attempt
	reading  int64    // of the limiter's wall clock when it came: the same in each command
	text     bool     // the script goes with it: the store has not got it
}

// request is what the call is about.
func (c *call) request() message.Msg { return message.Msg{ID: c.id, Key: c.key, Cost: c.cost} }

// calls are those of one limiter.
type calls struct {
	list  []call
	index map[uint64]int // of list, by request
}

// of is the call for a request, nil if there is none.
func (c *calls) of(id uint64) *call {
	if i, ok := c.index[id]; ok {
		return &c.list[i]
	}
	return nil
}

func (c *calls) add(n call) *call {
	c.index[n.id] = len(c.list)
	c.list = append(c.list, n)
	return &c.list[len(c.list)-1]
}

func (c *calls) remove(id uint64) {
	i, last := c.index[id], len(c.list)-1
	c.list[i] = c.list[last]
	c.index[c.list[i].id] = i
	delete(c.index, id)
	c.list = c.list[:last]
}

// copyFrom makes the calls equal to others, sharing nothing.
func (c *calls) copyFrom(from *calls) {
	if c.list == nil {
		c.list = []call{}
	}
	if c.index == nil {
		c.index = make(map[uint64]int)
	}
	clear(c.index)
	c.list = append(c.list[:0], from.list...)
	for i := range c.list {
		c.index[c.list[i].id] = i
	}
}
