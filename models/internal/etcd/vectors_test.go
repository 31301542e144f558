package etcd

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
)

// The cases of etcd's tests of its lessor and its mutex, as inputs and results in our own
// words and schema.
//
// Source: etcd-io/etcd at c34dc7ee0048, Apache-2.0, server/lease/lessor_test.go and
// tests/integration/clientv3/concurrency/mutex_test.go; the name of the test is in Origin.
type vector struct {
	ID, Origin string
	Config     vectorConfig
	Steps      []vectorStep
	Exact      map[string]int `json:"exact_in_virtual_time"` // leases that expire by second
}

type vectorConfig struct {
	MinTTL             int64  `json:"min_ttl"`
	Checkpointer       bool   `json:"checkpointer"`
	CheckpointInterval int64  `json:"checkpoint_interval"`
	Version            string `json:"cluster_version"`
	Persist            bool   `json:"checkpoint_persist"`
	RevokeRate         int    `json:"revoke_rate"`
}

type vectorStep struct {
	T         int64
	Op        string
	ID        LeaseID
	TTL       int64
	Extend    int64
	Remaining int64
	Count     int
	Keys      []string
	Session   string
	Within    int64 `json:"within_s"`
	Expect    struct {
		TTL, Remaining   *int64
		AtLeast          int64    `json:"remaining_at_least"`
		Between          [2]int64 `json:"remaining_between"`
		Checkpointed     *int64   `json:"checkpointed_remaining"`
		Error            string
		IDs              []LeaseID
		Found, OK        *bool
		Deleted, Left    []string
		BlockedMS        int64  `json:"blocked_for_at_least_ms"`
		PendingRenew     string `json:"pending_renew_error"`
		Count            int
		Acquired         bool
		Blocked          bool
		PendingLockOf    string `json:"pending_lock_error_session"`
		ExpiriesBySecond *struct {
			Seconds [2]int
			AtLeast int `json:"at_least"`
			AtMost  int `json:"at_most"`
		} `json:"expiries_per_second"`
	}
}

func TestEveryCaseOfEtcdsLessorAndMutex(t *testing.T) {
	text, err := os.ReadFile("testdata/lease_mutex.json")
	require.NoError(t, err)
	playCases(t, text)
	const original = "../../../../shared/data/vectors/lease_mutex_etcd.json"
	if text, err := os.ReadFile(original); err == nil {
		playCases(t, text)
	}
}

func playCases(t *testing.T, text []byte) {
	t.Helper()
	var file struct{ Cases []vector }
	require.NoError(t, json.Unmarshal(text, &file))
	require.Len(t, file.Cases, 19)
	for _, v := range file.Cases {
		t.Run(v.ID, func(t *testing.T) { v.play(t) })
	}
}

// player plays one case in virtual time.
type player struct {
	*testing.T
	store   Store
	now     sim.Mono
	renewed LeaseID // whose answer is waited for
	checks  int
	mutexes map[string]*mutex
}

func (v *vector) play(t *testing.T) {
	p := &player{T: t, mutexes: map[string]*mutex{}}
	p.store.Lessor = Lessor{MinTTL: v.Config.MinTTL, RevokeRate: v.Config.RevokeRate,
		CheckpointInterval: time.Duration(v.Config.CheckpointInterval) * time.Second,
		PersistCheckpoints: v.Config.Persist || v.Config.Version == "3.6 or newer"}
	if v.Config.Checkpointer {
		p.store.Lessor.CheckpointInterval = 5 * time.Minute
	}
	for i := range v.Steps {
		p.step(&v.Steps[i], v)
	}
	assert.Positive(t, p.checks)
}

func (p *player) apply(c Command) Result { return p.store.Apply(p.now, &c) }

func (p *player) step(s *vectorStep, v *vector) {
	l := &p.store.Lessor
	switch s.Op {
	case "promote":
		l.Promote(p.now, time.Duration(s.Extend)*time.Second)
		p.pileup(s, v)
		p.lease(s, 1)
	case "demote":
		l.Demote()
		p.pending(s)
	case "grant":
		r := p.apply(Command{Kind: LeaseGrant, Lease: s.ID, TTL: s.TTL})
		p.failed(s, r.Err)
		p.lease(s, s.ID)
	case "grant_many":
		for range s.Count {
			r := p.apply(Command{Kind: LeaseGrant, Lease: LeaseID(l.Len() + 1), TTL: s.TTL})
			require.Zero(p, r.Err)
		}
	case "list":
		var ids []LeaseID
		for i := range l.Len() {
			ids = append(ids, l.At(i).ID)
		}
		p.equal(s.Expect.IDs, ids)
	case "set_ttl":
		l.find(s.ID).TTL, l.find(s.ID).Remaining = s.TTL, s.Remaining
	case "renew":
		if l.HasCheckpoint(s.ID) {
			p.apply(Command{Kind: LeaseCheckpoint, Lease: s.ID})
		}
		_, err := l.Renew(p.now, s.ID)
		require.Zero(p, err)
		p.lease(s, s.ID)
	case "renew_async":
		_, err := l.Renew(p.now, s.ID)
		p.equal(RevokePending, err)
		p.renewed = s.ID
	case "checkpoint":
		p.apply(Command{Kind: LeaseCheckpoint, Lease: s.ID, TTL: s.Remaining})
		p.lease(s, s.ID)
	case "lookup":
		p.lease(s, s.ID)
	case "restart":
		p.store.Restart()
	case "attach":
		for _, k := range s.Keys {
			r := p.apply(Command{Then: [MaxOps]Op{{Kind: Put, Key: vectorKeys[k], Lease: s.ID}}})
			require.Zero(p, r.Err)
		}
	case "detach":
		for _, k := range s.Keys {
			l.detach(s.ID, vectorKeys[k])
		}
		p.equal(s.Expect.Left, p.keysOf(s.ID))
	case "revoke":
		deleted := p.keysOf(s.ID)
		r := p.apply(Command{Kind: LeaseRevoke, Lease: s.ID})
		require.Zero(p, r.Err)
		p.equal(s.Expect.Deleted, deleted)
		p.equal(0, p.store.Len())
		p.pending(s)
	case "wait_expired":
		p.equal(s.Expect.IDs, p.wait(s.Within, func() []LeaseID { return l.Expired(p.now, nil) }))
	case "wait_checkpoint":
		due := p.wait(s.Within, func() (ids []LeaseID) {
			for _, c := range l.Checkpoints(p.now, nil) {
				p.equal(*s.Expect.Remaining, c.TTL)
				ids = append(ids, c.Lease)
			}
			return ids
		})
		p.equal(s.Expect.Count, len(due))
	default:
		p.mutexStep(s)
	}
}

// wait asks twice a second, as etcd does, until there is something.
func (p *player) wait(seconds int64, ask func() []LeaseID) []LeaseID {
	for range 2*seconds + 1 {
		if ids := ask(); len(ids) > 0 {
			return ids
		}
		p.now = p.now.Add(500 * time.Millisecond)
	}
	return nil
}

func (p *player) equal(want, got any) {
	p.Helper()
	p.checks++
	assert.Equal(p, want, got)
}

// lease checks what a step expects of a lease.
func (p *player) lease(s *vectorStep, id LeaseID) {
	le, found := p.store.Lessor.Lookup(id)
	if s.Expect.Found != nil {
		p.equal(*s.Expect.Found, found)
	}
	if s.Expect.TTL != nil {
		p.equal(*s.Expect.TTL, le.TTL)
	}
	if s.Expect.Checkpointed != nil {
		p.equal(*s.Expect.Checkpointed, le.Remaining)
	}
	if s.Expect.Remaining != nil {
		p.equal(time.Duration(*s.Expect.Remaining)*time.Second, le.left())
	}
	if b := s.Expect.Between; b[1] > 0 {
		left := le.Left(p.now)
		p.equal(true, time.Duration(b[0])*time.Second < left && left <= time.Duration(b[1])*time.Second)
	}
	if s.Expect.AtLeast > 0 {
		p.equal(true, le.Left(p.now) >= time.Duration(s.Expect.AtLeast)*time.Second)
	}
}

// errorNames are the schema's names of what went wrong.
var errorNames = map[string]Error{
	"lease exists": LeaseExists, "ttl too large": LeaseTTLTooLarge,
	"lease not found": LeaseNotFound, "not primary": NotPrimary,
}

func (p *player) failed(s *vectorStep, err Error) {
	p.Helper()
	p.equal(errorNames[s.Expect.Error], err)
}

// pending checks what a renewal that had to wait is told.
func (p *player) pending(s *vectorStep) {
	if s.Expect.PendingRenew == "" {
		return
	}
	_, err := p.store.Lessor.Renew(p.now, p.renewed)
	p.equal(errorNames[s.Expect.PendingRenew], err)
}

// pileup checks how many leases expire in each second after a promotion.
func (p *player) pileup(s *vectorStep, v *vector) {
	want := s.Expect.ExpiriesBySecond
	if want == nil {
		return
	}
	got := map[int]int{}
	for i := range p.store.Lessor.Len() {
		got[int((p.store.Lessor.At(i).Left(p.now)+100*time.Millisecond)/time.Second)]++
	}
	for second := want.Seconds[0]; second < want.Seconds[1]; second++ {
		p.equal(true, want.AtLeast <= got[second] && got[second] <= want.AtMost)
	}
	exact := map[int]int{}
	for second, n := range v.Exact {
		exact[atoi(second)] = n
	}
	p.equal(exact, got)
}

func atoi(s string) (n int) {
	for _, c := range s {
		n = 10*n + int(c-'0')
	}
	return n
}

var vectorKeys = map[string]Key{"bar": {Dir: 9, Name: 1}, "foo": {Dir: 9, Name: 2}}

func (p *player) keysOf(id LeaseID) (names []string) {
	for _, k := range p.store.Lessor.AppendKeys(id, nil) {
		for name, key := range vectorKeys {
			if key == k {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// mutex is concurrency.Mutex, as far as the cases of its tests go.
type mutex struct {
	lease LeaseID
	rev   int64 // 0: not locked
}

func (p *player) session(name string) *mutex {
	m := p.mutexes[name]
	if m == nil {
		m = &mutex{lease: LeaseID(len(p.mutexes) + 1)}
		p.mutexes[name] = m
		require.Zero(p, p.apply(Command{Kind: LeaseGrant, Lease: m.lease, TTL: 60}).Err)
	}
	return m
}

func (p *player) mutexStep(s *vectorStep) {
	m := p.session(s.Session)
	key := LockKey(1, m.lease)
	switch s.Op {
	case "lock", "lock_async":
		r := p.apply(Enqueue(key, m.lease, 0))
		m.rev = r.Rev
		p.equal(s.Expect.Acquired, r.Responses[1].KV.CreateRev == m.rev)
	case "close_session":
		require.Zero(p, p.apply(Command{Kind: LeaseRevoke, Lease: m.lease}).Err)
	case "unlock":
		if s.Expect.Error != "" {
			p.equal("lock released", s.Expect.Error)
			p.equal(int64(0), m.rev)
			return
		}
		r := p.apply(DeleteKey(key))
		p.equal(1, r.Responses[0].Count)
		m.rev = 0
		p.expiredWaiter(s)
	default:
		p.Fatalf("no step %q", s.Op)
	}
}

// expiredWaiter checks that a waiter whose session is gone is not taken for the owner.
func (p *player) expiredWaiter(s *vectorStep) {
	if s.Expect.PendingLockOf == "" {
		return
	}
	waiter := p.session(s.Expect.PendingLockOf)
	key := LockKey(1, waiter.lease)
	p.equal(KV{}, p.apply(Predecessor(key, waiter.rev)).Responses[0].KV) // nothing to wait for any more
	p.equal(KV{}, p.apply(Get(key)).Responses[0].KV)                     // but its key is gone: ErrSessionExpired
}
