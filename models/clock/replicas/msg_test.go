package replicas

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/model/modeltest"
)

func TestMsgIsSmall(t *testing.T) {
	assert.LessOrEqual(t, reflect.TypeFor[Msg]().Size(), uintptr(48))
}

// TestFold: two messages that differ in anything have different digests.
func TestFold(t *testing.T) {
	p := params("dvvset", one)
	empty := p.rules().empty()
	w := Write{Value: Value{Write: refOf(2, 1), Added: 1}}
	kept := empty.Put(&w, Place{Replica: 1})
	again := empty.Put(&w, Place{Replica: 2})
	read, removes, label, tomb := w, w, w, w
	read.Read, removes.Removes, label.Label, tomb.Removed = kept, 1, 1, 1
	modeltest.Folds(t, Msg{}, Msg{Kind: Get}, Msg{To: 1}, Msg{Seq: 1}, Msg{Set: empty}, Msg{Set: kept}, Msg{Set: again}, Msg{Heard: empty}, Msg{Heard: kept},
		Msg{Write: &w}, Msg{Write: &read}, Msg{Write: &removes}, Msg{Write: &label}, Msg{Write: &tomb})
}

// TestKeptIsImmutable: what a replica has handed on does not change with what it does next.
func TestKeptIsImmutable(t *testing.T) {
	for _, versioning := range []string{"client-vectors", "server-vectors", "vnode", "dvv", "dvvset", "last-write-wins"} {
		t.Run(versioning, func(t *testing.T) {
			p := params(versioning, one)
			write := func(k *Kept, client sim.NodeID, nth uint32, read *Kept, at ID) *Kept {
				return k.Put(&Write{Value: Value{Write: refOf(client, nth)}, Read: read}, Place{Replica: at, Wall: 1})
			}
			empty := p.rules().empty()
			var all []*Kept
			for _, k := range []*Kept{empty, write(empty, 3, 1, nil, 1), write(empty, 4, 1, nil, 2)} {
				for nth := range uint32(3) {
					all = append(all, k)
					k = write(k, 5, nth+2, k, 1)
					all = append(all, k, k.Sync(all[len(all)-1]))
				}
			}
			for _, a := range all {
				for _, b := range all {
					a.Sync(b)
					write(a, 6, 1, b, 1)
					write(a, 6, 2, nil, 2)
				}
			}
			for _, k := range all {
				assert.Equal(t, k.digest, k.versions.Fold(0), "it has changed")
				assert.Equal(t, k.values, k.versions.Values())
			}
		})
	}
}

// TestSyncAgrees: sync does not depend on who tells whom.
func TestSyncAgrees(t *testing.T) {
	for _, versioning := range []string{"client-vectors", "server-vectors", "vnode", "dvv", "dvvset", "last-write-wins"} {
		t.Run(versioning, func(t *testing.T) {
			p := params(versioning, one)
			empty := p.rules().empty()
			a := empty.Put(&Write{Value: Value{Write: refOf(3, 1)}}, Place{Replica: 1, Wall: 1})
			b := a.Put(&Write{Value: Value{Write: refOf(4, 1)}, Read: a}, Place{Replica: 2, Wall: 2})
			c := a.Put(&Write{Value: Value{Write: refOf(5, 1)}, Read: a}, Place{Replica: 3, Wall: 3})
			for _, x := range []*Kept{empty, a, b, c} {
				for _, y := range []*Kept{empty, a, b, c} {
					assert.True(t, alike(x.Sync(y).values, y.Sync(x).values), "%v %v", x.values, y.values)
					assert.True(t, alike(x.Sync(y).Sync(y).values, x.Sync(y).values))
				}
			}
		})
	}
}
