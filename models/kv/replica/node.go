package replica

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// Node is a server: it coordinates requests of clients, and stores keys.
//
// Durable are what it stores, its hints if the parameters say so, its id as a writer, and its
// ring. A request that it coordinates or has handed on is lost in a crash, and
// whom it suspects.
// The hash trees follow from what it stores. A crash that loses the disk leaves only
// its view of the ring.
type Node struct {
	*core.Settings
	Ring *core.Ring // as it knows it: whom reads are for; durable
	Also *core.Ring // of a change: writes are for its nodes, too; durable

	Writer   version.Replica // durable
	objects  core.Store      // durable
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
func (n *Node) Step(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	n.heard(in.From)
	n.count(in.Msg.Kind)
	switch m := &in.Msg; m.Kind {
	case core.Start:
		n.begin(in, out)
	case core.Put:
		core.NoteReceived(in, out)
		n.put(in, out)
	case core.Get:
		core.NoteReceived(in, out)
		n.get(in, out)
	case core.PutReply, core.GetReply:
		n.relay(m, out)
	case core.ReplicaWrite:
		n.write(in, out)
	case core.WriteAck:
		n.acknowledged(in, out)
	case core.ReplicaRead:
		if !n.serves(m.Key(), in.Self) {
			break
		}
		n.post(out, in.From, core.NewReadAnswer(m, n.read(m.Key())))
	case core.ReadAnswer:
		n.answered(in, out)
	case core.Repair:
		n.mergeRepair(in, out)
	case core.RepairAck:
		n.repaired(in, out)
	case core.Handoff:
		if n.merge(in, out, m.Key(), m.Obj) {
			out.Send(in.From, core.NewHandoffAck(m))
		}
	case core.HandoffAck:
		n.handedOver(in, out)
	case core.HandoffScan:
		n.scan(in, out)
	case core.AntiEntropyRound:
		n.antiEntropy(in, out)
	case core.MerkleHash:
		n.compare(in, out)
	case core.Exchange:
		n.exchanged(in, out)
	case core.GossipRound, core.Gossip, core.Membership:
		n.gossip(in, out)
	case core.ReplicaTimeout:
		n.unanswered(in, out)
	case core.RequestTimeout:
		n.timedOut(in, out)
	case core.ForwardTimeout:
		n.forwardTimedOut(in, out)
	case core.Delayed, core.Remote:
		n.leave(*m, out)
	case core.Collect:
		n.collect(in, out, m.Key())
	default:
		n.stepMove(in, out)
	}
	if n.view.owes != sim.None {
		n.acknowledgePhase(out)
	}
}

// adopt takes a ring that the node has learned of. Its keys have other shares there.
func (n *Node) adopt(r *core.Ring) {
	n.Ring = r
	n.trees.list = nil // not an empty list: a copy of this node has nil
}

func (n *Node) begin(in sim.In[core.Msg], out *sim.Out[core.Msg]) {
	if n.Writer.ID == 0 {
		n.Writer = version.NewReplica(uint32(in.Self))
	}
	if n.wiped {
		out.Note(core.Msg{Kind: core.Wiped})
		n.wiped = false
	}
	if n.Ring == n.Settings.Ring {
		n.view.outside = !n.Ring.IsMember(in.Self)
	}
	n.restartHints(out)
	if n.AntiEntropy > 0 {
		out.After(n.AntiEntropy, core.Msg{Kind: core.AntiEntropyRound})
	}
	n.armGossip(in, out)
	n.resumeCollection(in, out)
}

// Reset implements [sim.Resetter].
func (n *Node) Reset(initial *Node) {
	n.Settings, n.Writer, n.wiped = initial.Settings, initial.Writer, initial.wiped
	n.resetMove(initial)
	n.objects.Reset(&initial.objects)
	n.hints.reset(&initial.hints)
	n.requests.reset(&initial.requests)
	n.forwards = core.Refill(n.forwards, initial.forwards)
	n.suspects.reset(&initial.suspects)
	n.trees.reset(&initial.trees)
}

// Recover implements [sim.Recoverer].
func (n *Node) Recover(before *Node) {
	n.Ring, n.Also, n.view = before.Ring, before.Also, before.view
	if n.LosesDisk { // of the ring the others tell it
		n.Writer, n.wiped = n.Policy.Wiped(before.Writer), true
		n.hints.dropped = uint32(len(before.hints.list))
		return
	}
	n.Writer = before.Writer
	n.objects.Reset(&before.objects)
	n.recoverHints(&before.hints)
}

// Print implements [sim.Printer].
func (n *Node) Print(p *sim.Print) {
	n.Writer.Print(p)
	p.Fold(uint64(n.Ring.Number))
	n.printMove(p)
	n.objects.Print(p)
	n.hints.print(p)
	n.requests.print(p)
	n.printForwards(p)
	n.suspects.print(p)
	p.Fold(core.One(n.wiped))
}
