package replicas

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

//go:generate go run fencepost/cmd/messages

//messages:family
type messages struct {
	Get      model.Message // client to replica: Seq
	Got      model.Message `text:"{kept}"`  // replica to client: Seq, Set
	Put      model.Message `text:"{write}"` // client to replica: Seq, Write
	PutReply model.Message // replica to client: Seq
	Push     model.Message // client to replica: Seq, hand on what you keep to To
	Sync     model.Message `text:"{kept}"` // replica to replica: Set
	next     model.Timer   // of a client: the next step
	giveUp   model.Timer   // of a client: Seq has taken too long
	gossip   model.Timer   // of a replica: hand on what is kept
	// of a client: it has read Heard at To; all that it goes by now is Set
	Read model.Note `text:"{came}{kept}" log:"{reads}" detail:"reads {values} at {to}"`
	// of a client: it sends Write to To
	Wrote  model.Note `text:"{write}" log:"{node} writes {value} at {to}, having read {basis}" detail:"writes {value}, having read {basis}"`
	Opened model.Note `text:"{kept}" log:"{opens}"` // of a replica: it starts, and keeps Set
	// of a replica: it has taken Write, and keeps Set
	Stored model.Note `text:"{write}{kept}" log:"{node} {keeps}" detail:"takes {value}, and keeps {short}"`
	// of a replica: it has been told of Heard, and keeps Set
	Synced model.Note `text:"{came}{kept}" log:"{learns}" detail:"is told of {values}, and keeps {short}"`
}

// Msg is every message of the model. A kind uses the fields that its comment names. What
// is referred to is immutable.
type Msg struct {
	Kind  sim.Kind
	To    uint16 // a replica
	Seq   uint32 // of a client's requests
	Write *Write
	Heard *Kept
	Set   *Kept
}

// Label is the kind of the message.
func (m Msg) Label() sim.Kind { return m.Kind }

// Fold takes the message, and what it refers to, into a digest.
func (m Msg) Fold(d sim.Digest) sim.Digest {
	d = d.Fold(uint64(m.Kind)|uint64(m.To)<<8|uint64(m.Seq)<<32, 0)
	if w := m.Write; w != nil {
		d = foldValue(d, w.Value).Fold(uint64(w.Label), w.Removes)
		d = foldKept(d, w.Read)
	}
	return foldKept(foldKept(d, m.Heard), m.Set)
}

func foldKept(d sim.Digest, k *Kept) sim.Digest {
	if k == nil {
		return d.Fold(0, 0)
	}
	return d.Fold(uint64(k.digest), 1)
}

// String is the message in words.
func (m Msg) String() string { return description.String(m) }

func (m *Msg) replica() sim.NodeID { return sim.NodeID(m.To) }
