package etcd

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// plain is the store written for the eye: a list, gone through from end to end.
type plain struct {
	rev int64
	kvs []KV
}

func (p *plain) at(k Key) *KV {
	for i := range p.kvs {
		if p.kvs[i].Key == k {
			return &p.kvs[i]
		}
	}
	return nil
}

func (p *plain) do(o Op) (r Response, changed int) {
	switch o.Kind {
	case Put:
		kv := p.at(o.Key)
		if kv == nil {
			p.kvs = append(p.kvs, KV{Key: o.Key, CreateRev: p.rev + 1})
			kv = p.at(o.Key)
		} else {
			r.KV = *kv
		}
		kv.Value, kv.Lease, kv.ModRev, kv.Version = o.Value, o.Lease, p.rev+1, kv.Version+1
		return r, 1
	case Range:
		var found []KV
		for _, kv := range p.kvs {
			if o.covers(kv.Key) {
				r.Count++
				if o.MaxCreate == 0 || kv.CreateRev <= o.MaxCreate {
					found = append(found, kv)
				}
			}
		}
		slices.SortFunc(found, func(a, b KV) int {
			byRev := map[Order]int{OldestCreate: cmp.Compare(a.CreateRev, b.CreateRev), NewestCreate: cmp.Compare(b.CreateRev, a.CreateRev)}
			return cmp.Or(byRev[o.Order], compareKeys(a.Key, b.Key))
		})
		if len(found) > 0 {
			r.KV = found[0]
		}
	case Delete:
		slices.SortFunc(p.kvs, func(a, b KV) int { return compareKeys(a.Key, b.Key) })
		p.kvs = slices.DeleteFunc(p.kvs, func(kv KV) bool {
			if o.covers(kv.Key) {
				r.Count++
				r.KV = kv
			}
			return o.covers(kv.Key)
		})
		return r, r.Count
	}
	return r, 0
}

func drawOp(t *rapid.T, leases int) Op {
	return Op{
		Kind:      rapid.SampledFrom([]OpKind{NoOp, Range, Put, Put, Delete}).Draw(t, "kind"),
		Order:     rapid.SampledFrom([]Order{ByKey, OldestCreate, NewestCreate}).Draw(t, "order"),
		Prefix:    rapid.Bool().Draw(t, "prefix"),
		Key:       Key{rapid.Uint32Range(1, 2).Draw(t, "dir"), rapid.Uint64Range(0, 3).Draw(t, "name")},
		Value:     rapid.Uint64Range(0, 9).Draw(t, "value"),
		Lease:     LeaseID(rapid.IntRange(0, leases).Draw(t, "lease")),
		MaxCreate: rapid.Int64Range(0, 9).Draw(t, "max"),
	}
}

func TestTheStoreDoesWhatAPlainListDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var s, twin Store
		p := plain{rev: 1}
		for id := range 2 {
			s.Apply(0, &Command{Kind: LeaseGrant, Lease: LeaseID(id + 1), TTL: 60})
		}
		for range rapid.IntRange(1, 20).Draw(t, "commands") {
			if rapid.IntRange(0, 9).Draw(t, "revoke") == 0 {
				id := LeaseID(rapid.IntRange(1, 2).Draw(t, "id"))
				r := s.Apply(0, &Command{Kind: LeaseRevoke, Lease: id})
				before := len(p.kvs)
				p.kvs = slices.DeleteFunc(p.kvs, func(kv KV) bool { return kv.Lease == id })
				if len(p.kvs) < before {
					p.rev++
				}
				require.Equal(t, before-len(p.kvs), r.Count)
				s.Apply(0, &Command{Kind: LeaseGrant, Lease: id, TTL: 60})
			}
			c := Command{Then: [MaxOps]Op{drawOp(t, 2), drawOp(t, 2), drawOp(t, 2)}}
			twin.CopyFrom(&s)
			r := s.Apply(0, &c)
			require.Equal(t, r, twin.Apply(0, &c), "a copy does the same")
			if r.Err != 0 {
				require.Equal(t, DuplicateKey, r.Err)
				continue
			}
			changes := 0
			for i, o := range c.Then {
				want, n := p.do(o)
				require.Equal(t, want, r.Responses[i])
				changes += n
			}
			if changes > 0 {
				p.rev++
			}
			require.Equal(t, p.rev, r.Rev)
			checkInvariants(t, &s)
		}
	})
}

// checkInvariants checks what Store and Lessor promise of themselves.
func checkInvariants(t *rapid.T, s *Store) {
	require.True(t, slices.IsSortedFunc(s.kvs, func(a, b KV) int { return compareKeys(a.Key, b.Key) }))
	require.True(t, slices.IsSortedFunc(s.history, func(a, b Event) int { return cmp.Compare(a.KV.ModRev, b.KV.ModRev) }))
	var want []item
	for _, kv := range s.kvs {
		if kv.Lease != NoLease {
			want = append(want, item{kv.Lease, kv.Key})
		}
	}
	slices.SortFunc(want, compareItems)
	require.ElementsMatch(t, want, s.Lessor.items)
	require.True(t, slices.IsSortedFunc(s.Lessor.items, compareItems))
}

func TestAWarmStoreAllocatesNothing(t *testing.T) {
	initial := Store{Retain: 16, Lessor: Lessor{MinTTL: 2}}
	var s Store
	round := func() {
		s.CopyFrom(&initial)
		s.Lessor.Promote(0, 0)
		for i := range 100 {
			id := LeaseID(i%5 + 1)
			grant, lock := Command{Kind: LeaseGrant, Lease: id, TTL: 10}, Enqueue(LockKey(7, id), id, 0)
			s.Apply(0, &grant)
			s.Apply(0, &lock)
			if id == 5 {
				s.Apply(0, &Command{Kind: LeaseRevoke, Lease: 3})
			}
		}
	}
	round()
	assert.Zero(t, testing.AllocsPerRun(10, round))
}
