// Package etcd is the part of etcd that the models need, as plain data structures: no
// node, no network. A [Store] is the replicated state machine, a [Lessor] its leases, and a
// [Watch] what one server owes to one watcher. Commands and results are flat values, and
// servers that apply the same commands in the same order are in the same state.
//
// Source: etcd documentation, "etcd API" and "Data model"; etcd server 3.7: package mvcc,
// package lease and etcdserver/txn.
package etcd

import (
	"cmp"
	"fmt"
	"slices"

	"fencepost/sim"
)

// Key is a key: a directory, and a name in it. It stands for a text such as
// "7/000000000000002a": keys sort by directory, then by name.
type Key struct {
	Dir  uint32
	Name uint64
}

// String is the text that the key stands for.
func (k Key) String() string { return fmt.Sprintf("%d/%016x", k.Dir, k.Name) }

func compareKeys(a, b Key) int {
	if c := cmp.Compare(a.Dir, b.Dir); c != 0 {
		return c
	}
	return cmp.Compare(a.Name, b.Name)
}

// KV is a key with what there is under it. The zero KV is none.
type KV struct {
	Key       Key
	Value     uint64
	CreateRev int64   // revision that made the key; 0 is none
	ModRev    int64   // revision that changed it last
	Version   int64   // changes since it was made, 1 and up
	Lease     LeaseID // that it ends with; 0 is none
}

// Event is one change of one key, as watchers are told it.
type Event struct {
	KV     KV // after the change; of a deletion Key and ModRev alone
	Delete bool
}

// Store is the keys, their history and their leases. The zero Store is a fresh one.
//
// Invariants: kvs is sorted by key and history by revision; the keys of a lease are those
// that the lessor has as its items.
type Store struct {
	Lessor Lessor
	Retain int // revisions of history to keep, as auto-compaction by revision does; 0 keeps all

	writes    int64 // transactions that have changed something
	compacted int64
	kvs       []KV
	history   []Event
}

// Rev is the revision of the latest change. A fresh store is at revision 1.
func (s *Store) Rev() int64 { return s.writes + 1 }

// Len is how many keys there are.
func (s *Store) Len() int { return len(s.kvs) }

// At is the i-th key in order, 0 and up.
func (s *Store) At(i int) KV { return s.kvs[i] }

// Get is what there is under a key.
func (s *Store) Get(k Key) (KV, bool) {
	i, ok := s.find(k)
	if !ok {
		return KV{}, false
	}
	return s.kvs[i], true
}

// CopyFrom makes the store equal to another, sharing nothing and keeping its memory.
func (s *Store) CopyFrom(from *Store) {
	lessor, kvs, history := s.Lessor, s.kvs, s.history
	*s = *from
	lessor.CopyFrom(&from.Lessor)
	s.Lessor = lessor
	s.kvs = append(kvs[:0], from.kvs...)
	s.history = append(history[:0], from.history...)
}

// Restart is what a crash leaves: all but the expiry of the leases.
func (s *Store) Restart() { s.Lessor.Restart() }

// Events are the changes from a revision on, up to the next command. [Compacted] says that
// some of them are no longer there.
func (s *Store) Events(from int64) ([]Event, error) {
	if from < s.compacted {
		return nil, Compacted
	}
	i, _ := slices.BinarySearchFunc(s.history, from, func(e Event, rev int64) int { return cmp.Compare(e.KV.ModRev, rev) })
	return s.history[i:], nil
}

// Apply does one command. What it results in does not depend on the clock reading: that is
// for the expiry of leases alone, which only the primary lessor has.
func (s *Store) Apply(now sim.Mono, c *Command) Result {
	r := Result{Kind: c.Kind}
	switch c.Kind {
	case Txn:
		s.txn(c, &r)
	case LeaseGrant:
		r.TTL, r.Err = s.Lessor.Grant(now, c.Lease, c.TTL)
	case LeaseRevoke:
		s.revoke(c.Lease, &r)
	case LeaseCheckpoint:
		s.Lessor.Checkpoint(now, c.Lease, c.TTL)
	case Compact:
		r.Err = s.compact(c.Rev)
	default:
		panic(fmt.Sprintf("etcd: no command of kind %d", c.Kind))
	}
	r.Rev = s.Rev()
	return r
}

// revoke ends a lease and deletes its keys, in their order and in one transaction.
func (s *Store) revoke(id LeaseID, r *Result) {
	if _, ok := s.Lessor.Lookup(id); !ok {
		r.Err = LeaseNotFound
		return
	}
	for k, ok := s.Lessor.first(id); ok; k, ok = s.Lessor.first(id) {
		s.remove(k)
		r.Count++
	}
	s.Lessor.Revoke(id)
	s.commit(r.Count)
}

// commit ends a transaction with the given number of changes.
func (s *Store) commit(changes int) {
	if changes == 0 {
		return
	}
	s.writes++
	if s.Retain > 0 && len(s.history) >= 2*s.Retain {
		s.forget(s.Rev() - int64(s.Retain) + 1)
	}
}

func (s *Store) compact(rev int64) Error {
	switch {
	case rev <= s.compacted:
		return Compacted
	case rev > s.Rev():
		return FutureRev
	}
	s.forget(rev)
	return 0
}

// forget drops the history before a revision.
func (s *Store) forget(rev int64) {
	if rev <= s.compacted {
		return
	}
	events, _ := s.Events(rev)
	s.history = s.history[:copy(s.history, events)]
	s.compacted = rev
}

func (s *Store) find(k Key) (int, bool) {
	return slices.BinarySearchFunc(s.kvs, k, func(kv KV, k Key) int { return compareKeys(kv.Key, k) })
}

// put sets a key in the transaction under way, and moves it from its lease to the new one.
func (s *Store) put(k Key, value uint64, lease LeaseID) (previous KV) {
	rev := s.Rev() + 1
	i, ok := s.find(k)
	if ok {
		previous = s.kvs[i]
		s.kvs[i] = KV{Key: k, Value: value, CreateRev: previous.CreateRev, ModRev: rev, Version: previous.Version + 1, Lease: lease}
	} else {
		s.kvs = slices.Insert(s.kvs, i, KV{Key: k, Value: value, CreateRev: rev, ModRev: rev, Version: 1, Lease: lease})
	}
	if previous.Lease != lease {
		s.Lessor.detach(previous.Lease, k)
		s.Lessor.attach(lease, k)
	}
	s.history = append(s.history, Event{KV: s.kvs[i]})
	return previous
}

// remove deletes a key in the transaction under way.
func (s *Store) remove(k Key) (previous KV, ok bool) {
	i, ok := s.find(k)
	if !ok {
		return KV{}, false
	}
	previous = s.kvs[i]
	s.kvs = slices.Delete(s.kvs, i, i+1)
	s.Lessor.detach(previous.Lease, k)
	s.history = append(s.history, Event{KV: KV{Key: k, ModRev: s.Rev() + 1}, Delete: true})
	return previous, true
}
