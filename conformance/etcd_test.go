package conformance

import (
	"context"
	"errors"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.etcd.io/etcd/client/v3/concurrency"

	"fencepost/models/internal/etcd"
)

// The model of etcd beside a server, and the client's own mutex and election beside the
// commands that the model has for them.

const (
	etcdDir = 7
	etcdTTL = 3600 // seconds: no lease ends before its time, and raises the revision under another test
)

var etcdSchedules = flag.Int("etcd-schedules", 200, "how many random schedules of etcd transactions to run")

func lockKey(id etcd.LeaseID) etcd.Key { return etcd.LockKey(etcdDir, id) }

func TestEtcd(t *testing.T) {
	c := startEtcd(t, "etcd")
	for _, v := range []struct {
		name string
		test func(*testing.T, *clientv3.Client)
	}{
		{"RandomTransactions", etcdRandom},
		{"QueueOfThreeMutexes", etcdQueue},
		{"SameSession", etcdSameSession},
		{"UnlockByName", etcdUnlockByName},
		{"WaiterWhoseSessionHasEnded", etcdExpiredWaiter},
		{"PutPrevKV", etcdPutPrevKV},
		{"Election", etcdElection},
		{"RevokedLease", etcdRevoke},
		{"Leases", etcdLeases},
		{"KeepAlive", etcdKeepAlive},
		{"Compaction", etcdCompaction},
	} {
		t.Run(v.name, func(t *testing.T) { v.test(t, c) })
	}
}

// E-01
func etcdQueue(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	var mutexes []*concurrency.Mutex
	for id := range etcd.LeaseID(3) {
		p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: id + 1, TTL: etcdTTL})
		_, m := p.mutex(id + 1)
		mutexes = append(mutexes, m)
	}
	p.must(mutexes[0].Lock(t.Context()))
	p.follow(etcd.Enqueue(lockKey(1), 1, 0), mutexes[0].Header().Revision)
	granted := make(chan int, 2)
	for i := 1; i < 3; i++ {
		go func() {
			if err := mutexes[i].Lock(t.Context()); err != nil {
				t.Error(err)
			}
			granted <- i
		}()
		p.waitFor(lockKey(etcd.LeaseID(i + 1)))
		p.follow(etcd.Enqueue(lockKey(etcd.LeaseID(i+1)), etcd.LeaseID(i+1), 0), 0)
	}
	for i := 1; i < 3; i++ {
		p.must(mutexes[i-1].Unlock(t.Context()))
		p.follow(etcd.DeleteKey(lockKey(etcd.LeaseID(i))), 0)
		if got := <-granted; got != i {
			t.Fatalf("mutex %d was granted the lock, not %d", got, i)
		}
		p.follow(etcd.Get(lockKey(etcd.LeaseID(i+1))), mutexes[i].Header().Revision)
	}
	kv, _ := p.model.Get(lockKey(3))
	if kv.CreateRev != 4 || p.model.Rev() != 6 {
		t.Fatalf("the third key was made at %d, want 4, and the revision is %d, want 6", kv.CreateRev, p.model.Rev())
	}
	p.same()
}

// E5: two mutexes of one session are one key.
func etcdSameSession(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 1, TTL: etcdTTL})
	s, one := p.mutex(1)
	two := concurrency.NewMutex(s, p.lockName())
	for _, m := range []*concurrency.Mutex{one, two} {
		p.must(m.Lock(t.Context())) // neither waits
		p.follow(etcd.Enqueue(lockKey(1), 1, 0), m.Header().Revision)
	}
	p.same()
}

// E-06
func etcdUnlockByName(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 1, TTL: etcdTTL})
	s, old := p.mutex(1)
	p.must(old.Lock(t.Context()))
	first := p.follow(etcd.Enqueue(lockKey(1), 1, 0), old.Header().Revision).Rev
	p.do(etcd.DeleteKey(lockKey(1))) // the Unlock whose answer is lost
	current := concurrency.NewMutex(s, p.lockName())
	p.must(current.Lock(t.Context()))
	p.follow(etcd.Enqueue(lockKey(1), 1, 0), current.Header().Revision)
	p.do(etcd.DeleteOwn(lockKey(1), first)) // guarded: it deletes nothing
	p.same()
	p.must(old.Unlock(t.Context())) // by name: it deletes the other's
	p.follow(etcd.DeleteKey(lockKey(1)), 0)
	p.same()
	if p.model.Len() != 0 {
		t.Fatal("the key of the second lock is still there")
	}
}

// E3, and the case waiter_session_closed of etcd's own tests.
func etcdExpiredWaiter(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	for id := range etcd.LeaseID(2) {
		p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: id + 1, TTL: etcdTTL})
	}
	_, holder := p.mutex(1)
	session, waiter := p.mutex(2)
	p.must(holder.Lock(t.Context()))
	p.follow(etcd.Enqueue(lockKey(1), 1, 0), 0)
	result := make(chan error, 1)
	go func() { result <- waiter.Lock(t.Context()) }()
	p.waitFor(lockKey(2))
	rev := p.follow(etcd.Enqueue(lockKey(2), 2, 0), 0).Rev
	p.must(session.Close())
	p.follow(etcd.Command{Kind: etcd.LeaseRevoke, Lease: 2}, 0)
	p.must(holder.Unlock(t.Context()))
	p.follow(etcd.DeleteKey(lockKey(1)), 0)
	if err := <-result; !errors.Is(err, concurrency.ErrSessionExpired) {
		t.Fatalf("Lock returned %v", err)
	}
	if r := p.do(etcd.Predecessor(lockKey(2), rev)); r.Responses[0].KV.CreateRev != 0 {
		t.Fatalf("there is a predecessor: %+v", r)
	}
	if r := p.do(etcd.Get(lockKey(2))); r.Responses[0].KV.CreateRev != 0 {
		t.Fatalf("its key is there: %+v", r)
	}
}

// E7: a put with prev_kv succeeds whatever there is; a transaction does not.
func etcdPutPrevKV(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	fixed := etcd.Key{Dir: etcdDir}
	for client := range uint64(2) {
		r := p.do(etcd.Command{Then: [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: fixed, Value: client}}})
		if there := r.Responses[0].KV.CreateRev != 0; there != (client == 1) {
			t.Fatalf("client %d: the old value is %+v", client, r.Responses[0].KV)
		}
	}
	r := p.do(etcd.Command{
		Compare: [etcd.MaxCompares]etcd.Compare{{Target: etcd.CreateRev, Key: fixed}},
		Then:    [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: fixed, Value: 2}},
	})
	if r.Succeeded {
		t.Fatal("the transaction put the key again")
	}
	p.same()
}

func etcdElection(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	var elections []*concurrency.Election
	for id := range etcd.LeaseID(2) {
		p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: id + 1, TTL: etcdTTL})
		s, _ := p.mutex(id + 1)
		elections = append(elections, concurrency.NewElection(s, p.lockName()))
	}
	a, b := elections[0], elections[1]
	p.must(a.Campaign(t.Context(), value(10)))
	p.follow(etcd.Enqueue(lockKey(1), 1, 10), a.Header().Revision)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	leaders := b.Observe(ctx)
	observed := func() {
		t.Helper()
		want := p.model.Apply(0, ptr(etcd.Owner(etcdDir))).Responses[0].KV
		if got := p.kv((<-leaders).Kvs[0]); got != want {
			t.Fatalf("the leader is\nserver %+v\nmodel  %+v", got, want)
		}
	}
	observed()
	elected := make(chan error, 1)
	go func() { elected <- b.Campaign(t.Context(), value(20)) }()
	p.waitFor(lockKey(2))
	p.follow(etcd.Enqueue(lockKey(2), 2, 20), 0)
	p.must(a.Proclaim(t.Context(), value(11)))
	p.follow(etcd.PutOwn(lockKey(1), a.Rev()-p.base, 11, 1), a.Header().Revision)
	observed()
	p.must(a.Resign(t.Context()))
	p.follow(etcd.DeleteOwn(lockKey(1), 2), a.Header().Revision)
	p.must(<-elected)
	observed()
	if b.Rev()-p.base != 3 {
		t.Fatalf("the second leader's token is %d, want 3", b.Rev()-p.base)
	}
	// A leader that is none any more can neither proclaim nor resign.
	p.do(etcd.DeleteKey(lockKey(2)))
	if err := b.Proclaim(t.Context(), value(21)); !errors.Is(err, concurrency.ErrElectionNotLeader) {
		t.Fatalf("Proclaim returned %v", err)
	}
	p.follow(etcd.PutOwn(lockKey(2), 3, 21, 2), 0)
	p.same()
}

// A revoked lease takes its keys with it, in their order and in one transaction.
func etcdRevoke(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 1, TTL: etcdTTL})
	for _, name := range []uint64{3, 1, 2} {
		p.do(etcd.Command{Then: [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: etcd.Key{Dir: etcdDir, Name: name}, Lease: 1}}})
	}
	p.do(etcd.Command{Kind: etcd.LeaseRevoke, Lease: 1})
	p.do(etcd.Command{Kind: etcd.LeaseRevoke, Lease: 1})
	p.watch(2)
	p.same()
}

// E-03, and what is refused.
func etcdLeases(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	if r := p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 1, TTL: 1}); r.TTL != 2 {
		t.Fatalf("a lease of 1 s lasts for %d", r.TTL)
	}
	p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 1, TTL: etcdTTL})
	p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 2, TTL: etcd.MaxLeaseTTL})
	p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: 3, TTL: etcd.MaxLeaseTTL + 1})
	p.do(etcd.Command{Then: [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: lockKey(9), Lease: 9}}})
	p.same()
}

// A lease that the client keeps alive outlives its TTL; one that it does not is revoked, and
// its key deleted.
func etcdKeepAlive(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	for id := range etcd.LeaseID(2) {
		p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: id + 1, TTL: 2})
		p.do(etcd.Enqueue(lockKey(id+1), id+1, 0))
	}
	answers, err := c.KeepAlive(t.Context(), p.leaseID(1))
	p.must(err)
	events := c.Watch(t.Context(), p.key(lockKey(2)), clientv3.WithRev(p.base+p.model.Rev()))
	for gone := false; !gone; {
		select {
		case a := <-answers:
			if a == nil || a.TTL != 2 {
				t.Fatalf("the answer to a keep-alive is %v", a)
			}
		case w := <-events:
			p.must(w.Err())
			for _, e := range w.Events {
				gone = gone || e.Type == mvccpb.DELETE
			}
		}
	}
	p.model.Apply(0, &etcd.Command{Kind: etcd.LeaseRevoke, Lease: 2})
	p.same()
	p.do(etcd.Command{Kind: etcd.LeaseRevoke, Lease: 1})
}

// What is compacted cannot be watched. The history of all pairs on the server goes with it.
func etcdCompaction(t *testing.T, c *clientv3.Client) {
	p := newEtcdPair(t, c)
	for v := range uint64(5) {
		p.do(etcd.Command{Then: [etcd.MaxOps]etcd.Op{{Kind: etcd.Put, Key: lockKey(1), Value: v}}})
	}
	p.do(etcd.Command{Kind: etcd.Compact, Rev: 5})
	p.do(etcd.Command{Kind: etcd.Compact, Rev: 5})
	p.do(etcd.Command{Kind: etcd.Compact, Rev: 9})
	p.watch(4)
	p.watch(5)
	p.watch(6)
}

// etcdRandom holds random transactions against the model.
func etcdRandom(t *testing.T, c *clientv3.Client) {
	r := rand.New(rand.NewPCG(uint64(*firstSeed), 0))
	commands, succeeded, refused := 0, 0, 0
	for range *etcdSchedules {
		p := newEtcdPair(t, c)
		for id := range etcd.LeaseID(2) {
			p.do(etcd.Command{Kind: etcd.LeaseGrant, Lease: id + 1, TTL: etcdTTL})
		}
		for range 1 + r.IntN(12) {
			x := p.do(drawCommand(r, p.model.Rev()))
			commands++
			if x.Succeeded {
				succeeded++
			}
			if x.Err != 0 {
				refused++
			}
		}
		p.watch(2 + r.Int64N(p.model.Rev()))
		p.same()
	}
	t.Logf("%d commands, the conditions of %d held, %d were refused", commands, succeeded, refused)
	if succeeded == 0 || refused == 0 || succeeded == commands {
		t.Error("one outcome was never met")
	}
}

func drawCommand(r *rand.Rand, rev int64) etcd.Command {
	if r.IntN(12) == 0 {
		return etcd.Command{Kind: etcd.LeaseRevoke, Lease: etcd.LeaseID(1 + r.IntN(2))}
	}
	key := func() etcd.Key { return etcd.Key{Dir: uint32(1 + r.IntN(2)), Name: r.Uint64N(3)} }
	var c etcd.Command
	for i := range r.IntN(1 + etcd.MaxCompares) {
		target := etcd.Target(1 + r.IntN(5))
		operand := map[etcd.Target]int64{etcd.CreateRev: r.Int64N(rev + 1), etcd.ModRev: r.Int64N(rev + 1), etcd.Version: r.Int64N(4),
			etcd.LeaseOf: r.Int64N(3), etcd.Value: r.Int64N(4)}[target]
		c.Compare[i] = etcd.Compare{Target: target, Relation: etcd.Relation(r.IntN(4)), Key: key(), Operand: operand}
	}
	for _, branch := range []*[etcd.MaxOps]etcd.Op{&c.Then, &c.Else} {
		for i := range r.IntN(1 + etcd.MaxOps) {
			o := etcd.Op{Kind: etcd.OpKind(1 + r.IntN(3)), Key: key(), Value: r.Uint64N(4), Prefix: r.IntN(3) == 0}
			switch o.Kind {
			case etcd.Range:
				o.Order, o.MaxCreate = etcd.Order(r.IntN(3)), r.Int64N(rev+1)
			case etcd.Put:
				o.Lease, o.Prefix = etcd.LeaseID(r.IntN(3)), false
			}
			branch[i] = o
		}
	}
	return c
}

func ptr[T any](v T) *T { return &v }

// lockName is the name of the lock whose keys are those of the model.
func (p *etcdPair) lockName() string {
	name := p.folder(lockKey(0))
	return name[:len(name)-1]
}

// mutex is a session on a lease of the pair, and a mutex in it.
func (p *etcdPair) mutex(id etcd.LeaseID) (*concurrency.Session, *concurrency.Mutex) {
	p.Helper()
	s, err := concurrency.NewSession(p.c, concurrency.WithLease(p.leaseID(id)))
	p.must(err)
	p.Cleanup(s.Orphan)
	return s, concurrency.NewMutex(s, p.lockName())
}

// follow applies to the model what the client's own code has done, and compares the revision
// that it was told, if that is known.
func (p *etcdPair) follow(c etcd.Command, rev int64) etcd.Result {
	p.Helper()
	r := p.model.Apply(0, &c)
	if rev != 0 && rev-p.base != r.Rev {
		p.Fatalf("%+v: revision %d, the model has %d", c, rev-p.base, r.Rev)
	}
	return r
}

// waitFor waits until there is a key on the server.
func (p *etcdPair) waitFor(k etcd.Key) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 10*time.Second)
	defer cancel()
	for range p.c.Watch(ctx, p.key(k), clientv3.WithRev(p.base+2)) {
		return
	}
	p.Fatalf("no key %v", k)
}

// same compares all keys.
func (p *etcdPair) same() {
	p.Helper()
	r, err := p.c.Get(p.Context(), p.dir, clientv3.WithPrefix())
	p.must(err)
	if rev := r.Header.Revision - p.base; rev != p.model.Rev() || len(r.Kvs) != p.model.Len() {
		p.Fatalf("%d keys at revision %d, the model has %d at %d", len(r.Kvs), rev, p.model.Len(), p.model.Rev())
	}
	for i, kv := range r.Kvs {
		if got := p.kv(kv); got != p.model.At(i) {
			p.Fatalf("key %d\nserver %+v\nmodel  %+v", i, got, p.model.At(i))
		}
	}
}

// watch compares the changes from a revision on.
func (p *etcdPair) watch(from int64) {
	p.Helper()
	w := etcd.Watch{Next: from}
	want, err := w.Take(&p.model)
	ctx, cancel := context.WithTimeout(p.Context(), 10*time.Second)
	defer cancel()
	changes := p.c.Watch(ctx, p.dir, clientv3.WithPrefix(), clientv3.WithRev(from+p.base))
	if err != nil {
		r := <-changes
		if got := p.errorOf(r.Err()); got != err {
			p.Fatalf("from %d: %v, the model has %v", from, got, err)
		}
		return
	}
	for len(want) > 0 {
		r := <-changes
		p.must(r.Err())
		for _, e := range r.Events {
			got := etcd.Event{KV: etcd.KV{Key: p.keyOf(e.Kv.Key), ModRev: e.Kv.ModRevision - p.base}, Delete: true}
			if e.Type != mvccpb.DELETE {
				got = etcd.Event{KV: p.kv(e.Kv)}
			}
			if len(want) == 0 || got != want[0] {
				p.Fatalf("from %d\nserver %+v\nmodel  %+v", from, got, want)
			}
			want = want[1:]
		}
	}
}
