package fleet

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Msg is every message of a fleet of limiters. A kind uses the fields that its comment
// names.
type Msg struct {
	Kind sim.Kind
	OK   bool
	N    uint16
	Cost uint32
	ID   uint64 // of a request: its client's number and its own
	Key  uint64 // whose limit it counts against, 1 and up
	X, Y int64
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.OK {
		ok = 1
	}
	d = d.Fold(uint64(m.Kind)|ok<<8|uint64(m.N)<<16|uint64(m.Cost)<<32, m.ID)
	d = d.Fold(m.Key, uint64(m.X))
	return d.Fold(uint64(m.Y), 0)
}

// String is the message in words.
func (m Msg) String() string {
	s := kinds.Name(m.Kind)
	switch {
	case m.Kind >= Ping:
		return s + m.frontText()
	case m.Kind >= Sync:
		return s + m.peerText()
	case m.Kind >= Eval:
		return s + m.storeText()
	}
	switch m.Kind {
	case Request, Asked, Admitted:
		s += fmt.Sprintf(" %s key %d%s", requestName(m.ID), m.Key, costName(m.Cost))
	case Response, Answered:
		s += fmt.Sprintf(" %s %s", requestName(m.ID), verdict(m.OK))
		if !m.OK {
			s += retryName(m.X)
		}
	case Rejected:
		s += fmt.Sprintf(" %s key %d%s%s", requestName(m.ID), m.Key, costName(m.Cost), retryName(m.X))
	case again, serve, Started:
		s += " " + requestName(m.ID)
	}
	return s
}

func verdict(admitted bool) string {
	if admitted {
		return "admitted"
	}
	return "rejected"
}

func retryName(wait int64) string {
	switch {
	case wait < 0:
		return " forever"
	case wait == 0:
		return ""
	}
	return fmt.Sprintf(" retry after %v", time.Duration(wait))
}

func costName(cost uint32) string {
	if cost == 1 {
		return ""
	}
	return fmt.Sprintf(" cost %d", cost)
}

// requestID names the n-th request of a client, n from 1.
func requestID(client sim.NodeID, n uint32) uint64 { return uint64(client)<<32 | uint64(n) }

// clientOf is the client that made a request.
func clientOf(id uint64) sim.NodeID { return sim.NodeID(id >> 32) }

func requestName(id uint64) string { return fmt.Sprintf("%d.%d", id>>32, uint32(id)) }
