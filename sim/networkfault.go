package sim

var (
	_ = declare(Cut, FaultKind{
		Word: "cut", Plural: "partitions", About: "messages between the sides are lost",
		Clause: "is cut{length}", Begins: "the network is cut", Ends: "the cut ends", Subject: TwoSides, Lasting: true,
		Keys: "at after on by nth every for",
		Budget: Allowing{
			Count: "cuts", CountAbout: "partitions of one node from some others, for random search only: 0",
			Length: "cut-for", LengthAbout: "of partitions; forever is without an end: the search chooses, and half of them have no end",
			Nodes: "cut-nodes", NodesAbout: "the nodes that are cut off: nodes", At: "partitions of", One: "partition", Many: "partitions",
		},
		begin: beginPartition, end: endPartition,
	})
	_ = declare(Hold, FaultKind{
		Word: "hold", Plural: "holds", About: "messages between the sides wait until the fault ends",
		Clause: "buffers{length}", Begins: "the network holds messages", Ends: "the hold ends", Subject: TwoSides, Lasting: true,
		Keys: "at after on by nth every for", begin: beginPartition, end: endPartition,
	})
	_ = declare(Delay, FaultKind{
		Word: "delay", Plural: "late messages", About: "a message takes this long, instead of the delay of its link",
		Clause: "takes{length}", Subject: OneMessage, Idle: true, Keys: "for at after", Needs: "for",
		Budget: Allowing{
			Count: "late", CountAbout: "single messages: 0", Length: "late-by", LengthAbout: "how long late messages and second copies travel: the search chooses",
			Nodes: "message-nodes", NodesAbout: "the senders of late, lost and duplicated messages, and of loss: nodes", At: "messages of",
			One: "late message", Many: "late messages", How: "by",
		},
		begin: beginMessages,
	})
	_ = declare(Lose, FaultKind{
		Word: "lose", Plural: "lost messages", About: "a message is lost", Clause: "is lost", Subject: OneMessage, Keys: "at after",
		Budget: Allowing{Count: "lost", CountAbout: "single messages: 0", Nodes: "message-nodes", One: "lost message", Many: "lost messages"},
		begin:  beginMessages,
	})
	_ = declare(Duplicate, FaultKind{
		Word: "duplicate", Plural: "duplicated messages", About: "a message arrives a second time",
		Clause: "arrives a second time{length}", Subject: OneMessage, Idle: true, Keys: "for at after",
		Budget: Allowing{
			Count: "duplicated", CountAbout: "single messages: 0", Length: "late-by", Nodes: "message-nodes",
			One: "duplicated message", Many: "duplicated messages", How: "after",
		},
		begin: beginMessages,
	})
)

// beginMessages lets a fault choose among the messages from now on.
func beginMessages(_ any, p *plan, _ int, _ Time) { p.active, p.seen = 1, 0 }

// dividable is a [World], as faults need it that divide nodes into sides.
type dividable interface {
	divide(p *plan, i int, until Time)
	unite(p *plan)
}

func beginPartition(w any, p *plan, i int, until Time) { w.(dividable).divide(p, i, until) }

func endPartition(w any, p *plan) { w.(dividable).unite(p) }

// divide begins a partition, which ends at an instant.
func (w *World[M]) divide(p *plan, i int, until Time) {
	if until <= w.now {
		return
	}
	p.active++
	p.ends = max(p.ends, until)
	w.at(until, None, i, end)
	w.sayNetwork(p, until)
	w.networkChanged()
}

// unite ends one of the partitions of a plan.
func (w *World[M]) unite(p *plan) {
	if p.active == 0 {
		w.sayNetwork(p, w.now)
		w.networkChanged()
	}
}
