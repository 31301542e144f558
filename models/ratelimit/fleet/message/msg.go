// Package message is what the nodes of a fleet say to each other and note for observers: one type for
// all forms, as the engine has one type of message, and a file per form with its kinds and its words.
package message

import (
	"fmt"
	"time"

	"fencepost/sim"
	"fencepost/sim/model"
)

// Msg is every message of a fleet of limiters. What n, x and y are, the comment of a kind says;
// elsewhere they are written by its constructor, and read by accessors that say what they are.
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
func (m Msg) String() string { return Kinds.Name(m.Kind) + words[m.Kind](m) }

// Kinds are the kinds of all forms, and words says a message, but for its kind.
var Kinds, words = model.Join(
	model.Vocabulary[Msg]{Kinds: coreKinds, Words: coreWords},
	model.Vocabulary[Msg]{Kinds: centralKinds, Words: centralWords},
	model.Vocabulary[Msg]{Kinds: syncKinds, Words: syncWords},
	model.Vocabulary[Msg]{Kinds: leaseKinds, Words: leaseWords},
	model.Vocabulary[Msg]{Kinds: regionsKinds, Words: regionsWords},
	model.Vocabulary[Msg]{Kinds: balancerKinds, Words: balancerWords},
	model.Vocabulary[Msg]{Kinds: shardsKinds, Words: shardsWords},
	model.Vocabulary[Msg]{Kinds: dimensionsKinds, Words: dimensionsWords},
	model.Vocabulary[Msg]{Kinds: lineKinds, Words: lineWords},
	model.Vocabulary[Msg]{Kinds: localKinds, Words: localWords},
)

// requestText is the request that a message is about.
func requestText(m Msg) string {
	return fmt.Sprintf("%s key %d%s", RequestName(m.ID), m.Key, costName(m.Cost))
}

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
