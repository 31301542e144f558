package kv

import (
	"fencepost/models/kv/version"
	"fencepost/sim"
)

// A session is what one client does from its start to its end or crash, one operation after
// the other. What a session guarantees is checked of each key by itself, since other keys are
// stored by other nodes; and by what the versions contain, not by a clock: [version.Policy]
// says whether one covers another.
//
//	file                    guarantee             of the operations of one client
//	read_your_writes.go     read-your-writes      a read returns what covers its own earlier writes
//	monotonic_reads.go      monotonic-reads       a read returns what covers its earlier reads
//	monotonic_writes.go     monotonic-writes      a write makes a version after its earlier writes
//	writes_follow_reads.go  writes-follow-reads   a write makes a version after what it has read
//
// Only operations that are answered count: of one that failed the client knows nothing.
//
// Source: Terry et al., "Session Guarantees for Weakly Consistent Replicated Data", PDIS 1994;
// S4 11.4 of docs/sources.md.

// floors are the versions below which a session must not fall, by client and key.
type floors struct {
	Index    map[session]int32 // in List, plus 1
	List     []floor
	Sessions []uint32 // that have ended, by client
}

// session is a key in a session.
type session struct {
	Client      sim.NodeID
	Number, Key uint32
}

type floor struct {
	Session session
	Object  *version.Object
}

// Reset is called before each run.
func (f *floors) Reset() {
	if f.Index == nil {
		f.Index = map[session]int32{}
	}
	clear(f.Index)
	clear(f.List)
	clear(f.Sessions)
	f.List = f.List[:0]
}

func (f *floors) session(client sim.NodeID, key uint32) session {
	s := session{Client: client, Key: key}
	if int(client) < len(f.Sessions) {
		s.Number = f.Sessions[client]
	}
	return s
}

// end is the end of a client's session.
func (f *floors) end(client sim.NodeID) {
	for len(f.Sessions) <= int(client) {
		f.Sessions = append(f.Sessions, 0)
	}
	f.Sessions[client]++
}

// of is the floor of a client at a key, nil if it has none.
func (f *floors) of(client sim.NodeID, key uint32) *version.Object {
	if i := f.Index[f.session(client, key)]; i > 0 {
		return f.List[i-1].Object
	}
	return nil
}

// raise takes another version into the floor.
func (f *floors) raise(p *version.Policy, client sim.NodeID, key uint32, o *version.Object) {
	if o == nil {
		return
	}
	s := f.session(client, key)
	i := f.Index[s]
	if i == 0 {
		f.List = append(f.List, floor{s, o})
		f.Index[s] = int32(len(f.List))
		return
	}
	at := &f.List[i-1]
	at.Object = p.Merge(at.Object, o)
}

// after reports whether a write has made a version after another one: it covers that one and
// is not equal to it. Removing an item that is not there leaves a version as it is.
func after(p *version.Policy, made, than *version.Object, w *version.Write) bool {
	return p.Covers(made, than) && (w.Op == version.Remove || !p.Covers(than, made))
}

// Print implements [sim.Printer]. The order in which floors were first set does not matter.
func (f *floors) Print(to *sim.Print) {
	sum := uint64(0)
	for i := range f.List {
		at := &f.List[i]
		s := at.Session
		sum += sim.Digest(0).Fold(uint64(s.Client)<<32|uint64(s.Number), uint64(s.Key)).Fold(at.Object.Digest(), 0).Sum()
	}
	to.Fold(uint64(len(f.List)), sum)
}
