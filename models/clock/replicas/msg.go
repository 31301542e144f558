package replicas

import (
	"fencepost/sim"
	"fencepost/sim/model"
)

// The kinds of message.
const (
	start sim.Kind = iota // the zero message

	Get      // client to replica: Seq
	Got      // replica to client: Seq, Set
	Put      // client to replica: Seq, Write
	PutReply // replica to client: Seq
	Push     // client to replica: Seq, hand on what you keep to To
	Sync     // replica to replica: Set

	next   // client timer: the next step
	giveUp // client timer: Seq has taken too long
	gossip // replica timer: hand on what is kept

	Read   // note of a client: it has read Heard at To; all that it goes by now is Set
	Wrote  // note of a client: it sends Write to To
	Opened // note of a replica: it starts, and keeps Set
	Stored // note of a replica: it has taken Write, and keeps Set
	Synced // note of a replica: it has been told of Heard, and keeps Set

	kindCount
)

var kinds = model.NewKinds(kindCount, model.Kinds{
	Get:      model.MessageKind("get"),
	Got:      model.MessageKind("got").Text("{kept}"),
	Put:      model.MessageKind("put").Text("{write}"),
	PutReply: model.MessageKind("put-reply"),
	Push:     model.MessageKind("push"),
	Sync:     model.MessageKind("sync").Text("{kept}"),
	next:     model.TimerKind("next"),
	giveUp:   model.TimerKind("give-up"),
	gossip:   model.TimerKind("gossip"),
	Read:     model.NoteKind("read").Text("{came}{kept}").Log("{reads}").Detail("reads {values} at {to}"),
	Wrote:    model.NoteKind("wrote").Text("{write}").Log("{node} writes {value} at {to}, having read {basis}").Detail("writes {value}, having read {basis}"),
	Opened:   model.NoteKind("opened").Text("{kept}").Log("{opens}"),
	Stored:   model.NoteKind("stored").Text("{write}{kept}").Log("{node} {keeps}").Detail("takes {value}, and keeps {short}"),
	Synced:   model.NoteKind("synced").Text("{came}{kept}").Log("{learns}").Detail("is told of {values}, and keeps {short}"),
})

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
