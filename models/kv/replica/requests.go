package replica

import (
	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// MaxAsked is how many nodes a request is sent to, with substitutes.
const MaxAsked = 16

// request is one that a node coordinates.
type request struct {
	generation uint16 // of the slot: what names an earlier request in it is stale
	open       bool   // it waits for nodes
	done       bool   // the client has its answer
	write      bool   // else it is a read
	need, have uint8  // answers
	needAlso   uint8  // while the ring changes: acknowledgements of the nodes of the other ring
	haveAlso   uint8
	view       uint16     // in which it started
	count      uint8      // nodes asked
	client     sim.NodeID // who is answered: a client, or the node that has forwarded it
	behind     uint16     // the client behind that node
	req        uint32     // of the client
	key        uint32
	walked     uint16 // places of the walk around the ring that have been looked at

	sent   uint8           // other nodes that a write was sent to
	object *version.Object // what is written; or what is left of all answers to a read
	asked  [MaxAsked]target
}

// target is a node that a request was sent to.
type target struct {
	node      uint16
	instead   uint16 // of a node that cannot be reached: the hint is for that one
	answered  bool
	failed    bool            // it has not answered in time
	also      bool            // it is a node of the other ring, while the ring changes
	only      bool            // of that ring only
	repairing bool            // it has been sent what it lacks, and has not acknowledged that
	object    *version.Object // its answer to a read, or what it has been sent since
}

// pending reports whether the node may still answer.
func (t *target) pending() bool { return !t.answered && !t.failed }

// targets are the nodes asked.
func (r *request) targets() []target { return r.asked[:r.count] }

// requests are those that a node coordinates, by slot.
type requests struct{ slots []request }

// open finds a free slot. Its name is for the wire.
func (q *requests) open() (*request, uint32) {
	slot := 0
	for slot < len(q.slots) && q.slots[slot].open {
		slot++
	}
	if slot == len(q.slots) {
		q.slots = append(q.slots, request{})
	}
	r := &q.slots[slot]
	*r = request{generation: r.generation + 1, open: true}
	return r, uint32(slot) | uint32(r.generation)<<16
}

// find is the request of a name, nil if it is over.
func (q *requests) find(name uint32) *request {
	slot, generation := int(name&0xffff), uint16(name>>16)
	if slot >= len(q.slots) || !q.slots[slot].open || q.slots[slot].generation != generation {
		return nil
	}
	return &q.slots[slot]
}

// close ends a request, and lets go of what it refers to.
func (r *request) close() { *r = request{generation: r.generation} }

func (q *requests) reset(to *requests) {
	q.slots = core.Refill(q.slots, to.slots)
}

func (q *requests) print(p *sim.Print) {
	p.Fold(uint64(len(q.slots)))
	for i := range q.slots {
		r := &q.slots[i]
		p.Fold(uint64(r.generation))
		if !r.open {
			continue
		}
		p.Fold(uint64(r.have)|uint64(r.need)<<8|uint64(r.count)<<16|core.One(r.done)<<24|core.One(r.write)<<25|uint64(r.client)<<32,
			uint64(r.req)|uint64(r.key)<<32, uint64(r.behind)|uint64(r.walked)<<16|uint64(r.needAlso)<<32|uint64(r.haveAlso)<<40|uint64(r.view)<<48, r.object.Digest(), uint64(r.sent))
		for _, t := range r.targets() {
			p.Fold(uint64(t.node)|uint64(t.instead)<<16|core.One(t.answered)<<32|core.One(t.failed)<<33|core.One(t.repairing)<<34|core.One(t.also)<<35|core.One(t.only)<<36, t.object.Digest())
		}
	}
}

// suspects are the nodes that have not answered, each until when.
type suspects struct {
	list  []suspect // by node
	count int       // of those that are in it
}

type suspect struct {
	is    bool // heard of since, it is not suspected
	until sim.Mono
}

// suspected reports whether a node is not asked while another one will do.
func (s *suspects) suspected(id sim.NodeID, now sim.Mono) bool {
	return s.count > 0 && int(id) < len(s.list) && s.list[id].is && now.Before(s.list[id].until)
}

func (s *suspects) add(id sim.NodeID, until sim.Mono) {
	for len(s.list) <= int(id) {
		s.list = append(s.list, suspect{})
	}
	if !s.list[id].is {
		s.count++
	}
	s.list[id] = suspect{true, until}
}

// remove is called for everything that is heard of a node.
func (s *suspects) remove(id sim.NodeID) {
	if s.count > 0 && int(id) < len(s.list) && s.list[id].is {
		s.list[id] = suspect{}
		s.count--
	}
}

func (s *suspects) reset(to *suspects) {
	s.list, s.count = core.Refill(s.list, to.list), to.count
}

func (s *suspects) print(p *sim.Print) {
	p.Fold(uint64(s.count))
	for id := 0; s.count > 0 && id < len(s.list); id++ {
		if s.list[id].is {
			p.Fold(uint64(id), uint64(s.list[id].until))
		}
	}
}

// heard takes a node from the suspects.
func (n *Node) heard(from sim.NodeID) { n.suspects.remove(from) }
