package etcd

import (
	"cmp"
	"slices"
	"time"

	"fencepost/sim"
)

// LeaseID names a lease. NoLease is none.
type LeaseID int64

// NoLease is no lease.
const NoLease LeaseID = 0

// MaxLeaseTTL is the longest lease, in seconds.
const MaxLeaseTTL = 9_000_000_000

// What a lessor does without parameters.
const (
	defaultRevokeRate = 1000            // leases per second
	revokeRetry       = 3 * time.Second // an expired lease is offered again after this
)

// MinTTL is the shortest lease that a server grants, in whole seconds: a leader that is
// elected during it must be able to take it over.
func MinTTL(electionTicks int, heartbeat time.Duration) int64 {
	least := time.Duration(3*electionTicks/2) * heartbeat
	return int64((least + time.Second - 1) / time.Second)
}

// Lease is one lease. TTL and Remaining are the same on every server; when it expires is
// known to the primary lessor alone.
type Lease struct {
	ID        LeaseID
	TTL       int64 // seconds
	Remaining int64 // seconds that were left at the latest checkpoint; 0 without one

	expires      bool // has an expiry: the lessor is the primary
	expiry       sim.Mono
	due          sim.Mono // when it is offered for revocation
	checkpoints  bool
	checkpointAt sim.Mono
}

// item is a key that ends with a lease.
type item struct {
	lease LeaseID
	key   Key
}

// Lessor keeps the leases. Every server has one; that of the leader is promoted to be the
// primary, and only the primary renews leases and finds them expired.
//
// Invariants: leases is sorted by ID, items by lease and key; a lease expires if and only
// if the lessor is the primary.
//
// Source: etcd server 3.7, lease/lessor.go.
type Lessor struct {
	MinTTL             int64         // seconds; shorter TTLs are raised to it
	RevokeRate         int           // leases revoked per second; 0: 1000
	CheckpointInterval time.Duration // 0: no checkpoints
	PersistCheckpoints bool          // they survive a restart, as from version 3.6 on

	primary bool
	leases  []Lease
	items   []item
	order   []pending // scratch of promote and Expired, empty between calls
}

// pending is a lease in the order in which it will expire.
type pending struct {
	lease int           // its place
	left  time.Duration // at the promotion
}

// Len is how many leases there are.
func (l *Lessor) Len() int { return len(l.leases) }

// At is the i-th lease by ID, 0 and up.
func (l *Lessor) At(i int) Lease { return l.leases[i] }

// Primary reports whether the lessor renews and expires leases.
func (l *Lessor) Primary() bool { return l.primary }

// Lookup is a lease by its ID.
func (l *Lessor) Lookup(id LeaseID) (Lease, bool) {
	if p := l.find(id); p != nil {
		return *p, true
	}
	return Lease{}, false
}

// Expiry is the clock reading of the primary from which on a lease is expired.
func (le Lease) Expiry() (at sim.Mono, known bool) { return le.expiry, le.expires }

// Left is how long a lease lasts from a reading on, negative once it has expired; for
// measures.
func (le Lease) Left(now sim.Mono) time.Duration { return le.expiry.Sub(now) }

// Grant makes a lease and returns its TTL.
func (l *Lessor) Grant(now sim.Mono, id LeaseID, ttl int64) (int64, Error) {
	i, exists := l.search(id)
	switch {
	case id == NoLease:
		return 0, LeaseNotFound
	case ttl > MaxLeaseTTL:
		return 0, LeaseTTLTooLarge
	case exists:
		return 0, LeaseExists
	}
	l.leases = slices.Insert(l.leases, i, Lease{ID: id, TTL: max(ttl, l.MinTTL)})
	le := &l.leases[i]
	if l.primary {
		le.refresh(now, 0)
		l.schedule(now, le)
	}
	return le.TTL, 0
}

// Revoke ends a lease. Its items are no longer attached.
func (l *Lessor) Revoke(id LeaseID) Error {
	i, ok := l.search(id)
	if !ok {
		return LeaseNotFound
	}
	l.leases = slices.Delete(l.leases, i, i+1)
	from, to := l.itemsOf(id)
	l.items = slices.Delete(l.items, from, to)
	return 0
}

// Renew makes a lease last for its TTL from now on, and returns that. [RevokePending] says
// that the lease has expired: ask again when it has been revoked.
//
// Before it renews a lease that has a checkpoint ([Lessor.HasCheckpoint]) the primary
// applies a checkpoint of 0, or the lease would only get what remained.
func (l *Lessor) Renew(now sim.Mono, id LeaseID) (int64, Error) {
	if !l.primary {
		return 0, NotPrimary
	}
	le := l.find(id)
	switch {
	case le == nil:
		return 0, LeaseNotFound
	case !now.Before(le.expiry):
		return 0, RevokePending
	}
	le.refresh(now, 0)
	return le.TTL, 0
}

// HasCheckpoint reports whether a checkpoint must be cleared before the lease is renewed.
func (l *Lessor) HasCheckpoint(id LeaseID) bool {
	le := l.find(id)
	return le != nil && l.CheckpointInterval > 0 && le.Remaining > 0
}

// Expired appends the leases that are to be revoked now, the longest expired first, at most
// half of the revoke rate: etcd asks twice a second. A lease that is not revoked is among
// them again after 3 s.
func (l *Lessor) Expired(now sim.Mono, ids []LeaseID) []LeaseID {
	if !l.primary {
		return ids
	}
	for i := range l.leases {
		if !now.Before(l.leases[i].due) {
			l.order = append(l.order, pending{lease: i})
		}
	}
	slices.SortStableFunc(l.order, func(a, b pending) int { return l.compareDue(a.lease, b.lease) })
	for _, p := range l.order[:min(len(l.order), max(l.revokeRate()/2, 1))] {
		le := &l.leases[p.lease]
		le.due = now.Add(revokeRetry)
		ids = append(ids, le.ID)
	}
	l.order = l.order[:0]
	return ids
}

func (l *Lessor) compareDue(i, j int) int {
	switch a, b := l.leases[i].due, l.leases[j].due; {
	case a.Before(b):
		return -1
	case b.Before(a):
		return 1
	}
	return 0
}

// attach makes a key end with a lease.
func (l *Lessor) attach(id LeaseID, k Key) {
	if id == NoLease {
		return
	}
	if i, ok := l.searchItem(item{id, k}); !ok {
		l.items = slices.Insert(l.items, i, item{id, k})
	}
}

// detach makes a key no longer end with a lease.
func (l *Lessor) detach(id LeaseID, k Key) {
	if i, ok := l.searchItem(item{id, k}); ok {
		l.items = slices.Delete(l.items, i, i+1)
	}
}

// AppendKeys appends the keys of a lease in their order.
func (l *Lessor) AppendKeys(id LeaseID, keys []Key) []Key {
	from, to := l.itemsOf(id)
	for _, it := range l.items[from:to] {
		keys = append(keys, it.key)
	}
	return keys
}

// Restart is what a crash leaves: leases that do not expire until a lessor is promoted, and
// without their checkpoints unless those are persisted.
func (l *Lessor) Restart() {
	l.Demote()
	if l.PersistCheckpoints {
		return
	}
	for i := range l.leases {
		l.leases[i].Remaining = 0
	}
}

// CopyFrom makes the lessor equal to another, sharing nothing and keeping its memory.
func (l *Lessor) CopyFrom(from *Lessor) {
	leases, items, order := l.leases, l.items, l.order
	*l = *from
	l.leases = append(leases[:0], from.leases...)
	l.items = append(items[:0], from.items...)
	l.order = order[:0]
}

func (l *Lessor) search(id LeaseID) (int, bool) {
	return slices.BinarySearchFunc(l.leases, id, func(le Lease, id LeaseID) int { return cmp.Compare(le.ID, id) })
}

func (l *Lessor) find(id LeaseID) *Lease {
	if i, ok := l.search(id); ok {
		return &l.leases[i]
	}
	return nil
}

func (l *Lessor) searchItem(it item) (int, bool) {
	return slices.BinarySearchFunc(l.items, it, compareItems)
}

func compareItems(a, b item) int {
	if c := cmp.Compare(a.lease, b.lease); c != 0 {
		return c
	}
	return compareKeys(a.key, b.key)
}

// itemsOf is where the items of a lease are.
func (l *Lessor) itemsOf(id LeaseID) (from, to int) {
	from, _ = l.searchItem(item{lease: id})
	for to = from; to < len(l.items) && l.items[to].lease == id; to++ {
	}
	return from, to
}

// first is the first key of a lease.
func (l *Lessor) first(id LeaseID) (Key, bool) {
	i, _ := l.searchItem(item{lease: id})
	if i < len(l.items) && l.items[i].lease == id {
		return l.items[i].key, true
	}
	return Key{}, false
}

func (l *Lessor) revokeRate() int {
	if l.RevokeRate == 0 {
		return defaultRevokeRate
	}
	return l.RevokeRate
}
