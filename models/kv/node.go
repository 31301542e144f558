package kv

import (
	"time"

	"fencepost/models/kv/pbs"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// Settings are what all nodes of a store have in common. They do not change during a run.
type Settings struct {
	Ring    *Ring   // at the start
	Rings   []*Ring // that there may be in a run, by number; nil: no change leads to it
	Policy  *version.Policy
	N, R, W int
	Led     bool // a leader orders the writes, and R and W are of no account
	Nodes   int  // all, also those that may join: their ids are 1 to Nodes

	Sloppy      bool // the first N nodes that can be reached take a write, not the first N
	AnyNode     bool // a node that does not store a key coordinates requests for it
	Timeout     time.Duration
	Replica     time.Duration // after which a replica that has not answered is suspected
	SuspectFor  time.Duration
	MaxInFlight int         // requests that a node coordinates at once
	Latency     *pbs.Delays // of requests to other nodes and their answers, on top of the network; nil, there is none

	Repair       ReadRepair
	HandoffEvery time.Duration // 0, hints are not handed over
	HintLimit    int           // hints that a node keeps
	HintsDurable bool
	AntiEntropy  time.Duration // from one round to the next; 0, there is none
	MerkleLeaves int           // of each hash tree; 0, one for each key
	GossipEvery  time.Duration // 0, never

	Grace     time.Duration // after which a tombstone is collected; 0, never
	LosesDisk bool          // in a crash

	Stream     bool // a node that gains keys fetches them before it serves them
	StreamRate int  // bytes per second of each stream; 0, without limit
	Managed    bool // a controller announces rings; gossip does not send them
	Count      bool // nodes count the requests that they handle
	Ordered    bool // the ring is the ordered one
}

// Immutable implements [sim.Immutable].
func (*Settings) Immutable() {}

// Node is a server: it coordinates requests of clients, and stores keys.
//
// Durable are what it stores, its hints if the parameters say so, its id as a writer, and its
// ring. A request that it coordinates or has handed on is lost in a crash, and
// whom it suspects.
// The hash trees follow from what it stores. A crash that loses the disk leaves only
// its view of the ring.
type Node struct {
	*Settings
	Ring *Ring // as it knows it: whom reads are for; durable
	Also *Ring // of a change: writes are for its nodes, too; durable

	writer   version.Replica // durable
	objects  store           // durable
	hints    hints           // durable if HintsDurable
	requests requests
	forwards []forwarded
	suspects suspects
	trees    trees
	wiped    bool // it has just started, without its disk

	view    view // durable
	fetch   fetch
	streams []stream
	handled uint32 // requests since the controller asked
}

// Step implements [sim.Node].
func (n *Node) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	n.heard(in.From)
	n.count(in.Msg.Kind)
	switch m := &in.Msg; m.Kind {
	case start:
		n.begin(in, out)
	case Put:
		received(in, out)
		n.put(in, out)
	case Get:
		received(in, out)
		n.get(in, out)
	case PutReply, GetReply:
		n.relay(m, out)
	case ReplicaWrite:
		n.write(in, out)
	case WriteAck:
		n.acknowledged(in, out)
	case ReplicaRead:
		if !n.serves(m.Key, in.Self) {
			break
		}
		n.post(out, in.From, Msg{Kind: ReadAnswer, Key: m.Key, Req: m.Req, Obj: n.read(m.Key)})
	case ReadAnswer:
		n.answered(in, out)
	case Repair:
		n.mergeRepair(in, out)
	case RepairAck:
		n.repaired(in, out)
	case Handoff:
		if n.merge(in, out, m.Key, m.Obj) {
			out.Send(in.From, Msg{Kind: HandoffAck, Key: m.Key, Word: m.Obj.Digest()})
		}
	case HandoffAck:
		n.handedOver(in, out)
	case handoffScan:
		n.scan(in, out)
	case antiEntropyRound:
		n.antiEntropy(in, out)
	case MerkleHash:
		n.compare(in, out)
	case Exchange:
		n.exchanged(in, out)
	case gossipRound, Gossip, Membership:
		n.gossip(in, out)
	case replicaTimeout:
		n.unanswered(in, out)
	case requestTimeout:
		n.timedOut(in, out)
	case forwardTimeout:
		n.forwardTimedOut(in, out)
	case delayed, remote:
		n.leave(*m, out)
	case collect:
		n.collect(in, out, m.Key)
	default:
		n.stepMove(in, out)
	}
	if n.view.owes != sim.None {
		n.acknowledgePhase(out)
	}
}

// adopt takes a ring that the node has learned of. Its keys have other shares there.
func (n *Node) adopt(r *Ring) {
	n.Ring = r
	n.trees.list = nil // not an empty list: a copy of this node has nil
}

func (n *Node) begin(in sim.In[Msg], out *sim.Out[Msg]) {
	if n.writer.ID == 0 {
		n.writer = version.NewReplica(uint32(in.Self))
	}
	if n.wiped {
		out.Note(Msg{Kind: Wiped})
		n.wiped = false
	}
	if n.Ring == n.Settings.Ring {
		n.view.outside = !n.Ring.IsMember(in.Self)
	}
	n.restartHints(out)
	if n.AntiEntropy > 0 {
		out.After(n.AntiEntropy, Msg{Kind: antiEntropyRound})
	}
	n.armGossip(in, out)
	n.resumeCollection(in, out)
}

// received notes a request of a client: from then on it is at a node.
func received(in sim.In[Msg], out *sim.Out[Msg]) {
	if in.Msg.Node == 0 {
		out.Note(Msg{Kind: Received, Key: in.Msg.Key, Req: in.Msg.Req, Node: uint16(in.From)})
	}
}

// Reset implements [sim.Resetter].
func (n *Node) Reset(initial *Node) {
	n.Settings, n.writer, n.wiped = initial.Settings, initial.writer, initial.wiped
	n.resetMove(initial)
	n.objects.reset(&initial.objects)
	n.hints.reset(&initial.hints)
	n.requests.reset(&initial.requests)
	n.forwards = refill(n.forwards, initial.forwards)
	n.suspects.reset(&initial.suspects)
	n.trees.reset(&initial.trees)
}

// Recover implements [sim.Recoverer].
func (n *Node) Recover(before *Node) {
	n.Ring, n.Also, n.view = before.Ring, before.Also, before.view
	if n.LosesDisk { // of the ring the others tell it
		n.writer, n.wiped = n.Policy.Wiped(before.writer), true
		n.hints.dropped = uint32(len(before.hints.list))
		return
	}
	n.writer = before.writer
	n.objects.reset(&before.objects)
	n.recoverHints(&before.hints)
}

// Print implements [sim.Printer].
func (n *Node) Print(p *sim.Print) {
	n.writer.Print(p)
	p.Fold(uint64(n.Ring.Number))
	n.printMove(p)
	n.objects.print(p)
	n.hints.print(p)
	n.requests.print(p)
	n.printForwards(p)
	n.suspects.print(p)
	p.Fold(one(n.wiped))
}
