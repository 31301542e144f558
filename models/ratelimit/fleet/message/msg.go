// Package message is what the nodes of a fleet say to each other and note for observers: one type for
// all forms, as the engine has one type of message, declared in messages.go.
package message

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Msg is every message of a fleet of limiters. What n, x and y are, messages.go declares for each kind.
type Msg struct {
	Kind sim.Kind
	OK   bool
	n    uint16
	Cost uint32
	ID   uint64 // of a request: its client's number and its own
	Key  uint64 // whose limit it counts against, 1 and up
	x, y int64
}

// Of is a message of a kind about the request that another is about.
func Of(kind sim.Kind, m Msg) Msg { return Msg{Kind: kind, ID: m.ID, Key: m.Key, Cost: m.Cost} }

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	ok := uint64(0)
	if m.OK {
		ok = 1
	}
	d = d.Fold(uint64(m.Kind)|ok<<8|uint64(m.n)<<16|uint64(m.Cost)<<32, m.ID)
	d = d.Fold(m.Key, uint64(m.x))
	return d.Fold(uint64(m.y), 0)
}

// String is the message in words.
func (m Msg) String() string { return kinds.Name(m.Kind) + m.words() }

// Kinds are the kinds of all forms.
var Kinds = kinds

// What a sentence says of a message: the request that it is about, the limiter, 1 and up, and so on.

func (m Msg) requestText() string {
	return m.requestName() + fmt.Sprintf(" key %d", m.Key) + costName(m.Cost)
}
func (m Msg) requestName() string       { return RequestName(m.ID) }
func (m Msg) retryText() string         { return retryName(m.x) }
func (m Msg) commandName() string       { return kinds.Name(sim.Kind(m.n)) }
func (m Msg) ttlText() string           { return ttlName(m.y) }
func (m Msg) reason() string            { return FallbackReasons[m.n] }
func (m Msg) number() uint16            { return m.n }
func (m Msg) dimensionNumber() uint16   { return m.n + 1 }
func (m Msg) windowText() time.Duration { return time.Duration(m.y) }
func (m Msg) movedText() string         { return fmt.Sprintf("%d of %d", m.x, m.y) }

// Verdict says whether a request was admitted.
func Verdict(admitted bool) string {
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

// RequestID names the n-th request of a client, n from 1.
func RequestID(client sim.NodeID, n uint32) uint64 { return uint64(client)<<32 | uint64(n) }

// ClientOf is the client that made a request.
func ClientOf(id uint64) sim.NodeID { return sim.NodeID(id >> 32) }

// RequestName is the id of a request as it is printed: its client's number, and its own.
func RequestName(id uint64) string { return fmt.Sprintf("%d.%d", id>>32, uint32(id)) }

// ttlName says how long a key lives.
func ttlName(ttl int64) string {
	if ttl < 0 {
		return "without expiry"
	}
	return fmt.Sprintf("gone in %v", time.Duration(ttl))
}
