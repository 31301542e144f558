package version_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/models/clock"
	"fencepost/models/kv/version"
	"fencepost/sim"
)

var policies = []string{"last-write-wins", "last-write-wins-hlc", "client-vectors", "server-vectors", "vnode-vectors",
	"dvvset", "counter", "or-set", "register"}

func name(a clock.Actor) string {
	id, client, disk, epoch := version.Actor(a)
	if client {
		return fmt.Sprintf("client-%d", id)
	}
	return fmt.Sprintf("%d.%d.%d", id, disk, epoch)
}

// store is some replicas of one key under a policy, and clients that write to them.
type store struct {
	*version.Policy
	rand     *rand.Rand
	now      time.Duration
	replicas []version.Replica
	objects  []*version.Object // by replica
	read     []*version.Object // by client: what it has read last
	nth      []uint32          // by client: its writes
	all      []*version.Object // that ever were
	wrote    func(w version.Write, local, context, stored *version.Object)
}

func newStore(p *version.Policy, seed uint64) *store {
	s := &store{Policy: p, rand: rand.New(rand.NewPCG(seed, 7)), read: make([]*version.Object, 3), nth: make([]uint32, 3), all: []*version.Object{nil}}
	for i := range uint32(3) {
		s.replicas, s.objects = append(s.replicas, version.NewReplica(i+1)), append(s.objects, nil)
	}
	return s
}

// step is a write, a read or a merge at random. Clocks of nodes are up to 3 ms apart.
func (s *store) step() {
	r, c := s.rand.IntN(len(s.replicas)), s.rand.IntN(len(s.read))
	s.now += time.Duration(s.rand.IntN(2)) * time.Millisecond
	switch s.rand.IntN(4) {
	case 0:
		s.read[c] = s.Merge(s.read[c], s.objects[r])
	case 1:
		from := s.rand.IntN(len(s.replicas))
		s.Learn(&s.replicas[r], s.wall(r), s.objects[from])
		s.objects[r] = s.Merge(s.objects[r], s.objects[from])
	default:
		s.write(r, c)
	}
	s.all = append(s.all, s.objects[r])
}

func (s *store) wall(r int) sim.Wall {
	return sim.Wall(0).Add(s.now + time.Duration(r)*time.Millisecond)
}

func (s *store) write(r, c int) {
	s.nth[c]++
	w := version.Write{ID: version.NewID(uint32(c+1), s.nth[c]), Data: 1 << s.rand.IntN(4), Op: version.Op(s.rand.IntN(4))}
	if !s.Takes(w.Op) {
		w.Op = version.Add
	}
	context := s.read[c]
	if s.rand.IntN(3) == 0 {
		context = nil
	}
	local := s.objects[r]
	s.objects[r] = s.Put(&s.replicas[r], s.wall(r), local, context, w)
	if s.wrote != nil {
		s.wrote(w, local, context, s.objects[r])
	}
}

// any is one of all objects that ever were, more often a late one.
func (s *store) any() *version.Object {
	return s.all[max(s.rand.IntN(len(s.all)), s.rand.IntN(len(s.all)))]
}

// same reports whether two objects are equal in all that can be asked of them.
func same(a, b *version.Object) error {
	if a.Digest() == b.Digest() && a.Text(name) == b.Text(name) && fmt.Sprint(a.Values()) == fmt.Sprint(b.Values()) &&
		a.Bytes() == b.Bytes() && fmt.Sprint(a.Heads(nil)) == fmt.Sprint(b.Heads(nil)) {
		return nil
	}
	return fmt.Errorf("%s is not %s", a.Text(name), b.Text(name))
}

// laws returns the first law of a merge that does not hold of some objects of a store.
func laws(p *version.Policy, a, b, c *version.Object) error {
	ab := p.Merge(a, b)
	switch {
	case same(ab, p.Merge(b, a)) != nil:
		return fmt.Errorf("commutative: %w", same(ab, p.Merge(b, a)))
	case p.Merge(a, a) != a || p.Merge(ab, a) != ab || p.Merge(ab, b) != ab || same(p.Merge(b, ab), ab) != nil:
		return fmt.Errorf("idempotent: %s and %s", a.Text(name), b.Text(name))
	case p.Covers(a, b) != (p.Merge(a, b).Digest() == a.Digest()):
		return fmt.Errorf("covers: %s and %s", a.Text(name), b.Text(name))
	case p.Covers(a, b) && p.Merge(a, b) != a, !p.Covers(a, b) && p.Covers(b, a) && p.Merge(a, b) != b:
		return fmt.Errorf("allocates: %s and %s", a.Text(name), b.Text(name))
	case (a.Digest() == b.Digest()) != (same(a, b) == nil):
		return fmt.Errorf("digest: %s and %s", a.Text(name), b.Text(name))
	}
	if err := same(p.Merge(ab, c), p.Merge(a, p.Merge(b, c))); err != nil {
		return fmt.Errorf("associative: %w", err)
	}
	return nil
}

// D-19, for every policy: merge is commutative, idempotent and associative; a side that covers
// the other is returned itself; digests are equal exactly if the state is.
func TestMergeLaws(t *testing.T) {
	for _, n := range policies {
		if n == "vnode-vectors" {
			continue
		}
		for _, params := range []func(*version.PolicyParams){
			func(p *version.PolicyParams) { p.Conflict = n },
			func(p *version.PolicyParams) { p.Conflict, p.Truncate, p.Moved = n, 2, "messages" },
		} {
			for seed := range uint64(whole.Of(30, 100)) {
				s := newStore(policy(params), seed)
				for range 40 {
					s.step()
					require.NoError(t, laws(s.Policy, s.any(), s.any(), s.any()), "%s, seed %d", n, seed)
				}
			}
		}
	}
}

// A merge under one vector for all siblings is commutative and idempotent, and it is not
// associative: whether A is replaced by C depends on whether B is merged in first.
func TestVnodeVectorsDependOnTheOrderOfMerges(t *testing.T) {
	p := named("vnode-vectors")
	associative := 0
	for seed := range uint64(200) {
		s := newStore(p, seed)
		for range 40 {
			s.step()
			if err := laws(p, s.any(), s.any(), s.any()); err != nil {
				require.ErrorContains(t, err, "associative", "seed %d", seed)
				associative++
			}
		}
	}
	assert.Positive(t, associative)

	n1, n2 := version.NewReplica(1), version.NewReplica(2)
	a := p.Put(&n1, 0, nil, nil, write(1, 1, 1))
	b := p.Put(&n2, 0, nil, nil, write(1, 2, 2))
	c := p.Put(&n1, 0, a, a, write(1, 3, 3))
	assert.Equal(t, "{1.0.0:2,2.0.0:1} [1 2 3]", p.Merge(p.Merge(a, b), c).Text(name))
	assert.Equal(t, "{1.0.0:2,2.0.0:1} [2 3]", p.Merge(a, p.Merge(b, c)).Text(name))
}

// Two nodes of one id use dots twice: the laws see that they keep different values.
func TestLawsSeeDotsThatAreUsedTwice(t *testing.T) {
	p := named("dvvset")
	n1, n2 := version.NewReplica(1), version.NewReplica(1)
	a := p.Put(&n1, 0, nil, nil, write(1, 1, 1))
	b := p.Put(&n2, 0, nil, nil, write(2, 1, 2))
	assert.ErrorContains(t, laws(p, a, b, nil), "commutative")
}
