package kv

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/models/kv/core"
	"fencepost/models/kv/version"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// deletes is a client that writes a key and deletes it, and one that does something else later.
func deletes(grace time.Duration, later ...string) func(*Params) {
	return func(p *Params) {
		p.Grace, p.Disk, p.AntiEntropy, p.Handoff = grace, "lost", 0, 0
		p.Clients = []ClientParams{script("put x v via node-1", "at 1s", "delete x via node-1"), script(append([]string{"at 10s"}, later...)...)}
	}
}

// What is read of a deleted key may be nothing once its tombstone is collected, not because
// replicas have lost it; and it may be a later value without the tombstone.
func TestAReadOfADeletedKey(t *testing.T) {
	lost := func(c *sim.Config, p *sim.Program) {
		for _, node := range []string{"node-1", "node-2", "node-3"} {
			crash(node, 5000, time.Second)(c, p)
		}
	}
	for _, v := range []struct {
		name, reads string
		set         func(*Params)
		change      simtest.Change
		stale       int64
	}{
		{"its tombstone is kept", "a tombstone", deletes(time.Hour, "get x"), twice, 0},
		{"its tombstone is collected", "nothing", deletes(2*time.Second, "get x"), twice, 0},
		{"all replicas have lost their disks", "nothing", deletes(time.Hour, "get x"), lost, 1},
		{"it is written again", "w", deletes(2*time.Second, "blind-put x w", "get x"), twice, 0},
	} {
		t.Run(v.name, func(t *testing.T) {
			r := play(t, v.set, v.change)
			r.Logs("client-2 reads " + v.reads + " from x")
			want := sim.Holds
			if v.stale > 0 {
				want = sim.Violated
			}
			assert.Equal(t, want, r.Finding("quorum-read").Verdict, r.String())
			assert.Equal(t, v.stale, total(r, "stale-reads"))
		})
	}
}

// A tombstone that is collected excuses no read of what it had replaced.
func TestCollectedTombstoneDoesNotExcuseWhatItReplaced(t *testing.T) {
	p := version.New(version.DefaultPolicyParams())
	a, b := version.NewReplica(1), version.NewReplica(2)
	old := p.Put(&a, 0, nil, nil, version.Write{ID: version.NewID(1, 1)})
	tombstone := p.Put(&a, 0, old, old, version.Write{ID: version.NewID(1, 2), Op: version.Delete})
	other := p.Put(&b, 0, nil, nil, version.Write{ID: version.NewID(2, 1)})
	var none, gone collected
	gone.add(p, &core.Msg{Obj: tombstone})
	assert.False(t, none.includes(p, 0, nil, tombstone))
	assert.True(t, gone.includes(p, 0, nil, tombstone))
	assert.True(t, gone.includes(p, 0, other, tombstone))
	assert.False(t, gone.includes(p, 0, old, tombstone))
	assert.False(t, gone.includes(p, 0, p.Merge(old, other), tombstone))
	assert.False(t, gone.includes(p, 0, nil, other))
}
