package replicas

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/simtest"
)

// oracle is the ledger again, as it is defined and with no thought of speed: sets of
// writes as maps, and at each note all pairs.
type oracle struct {
	disk     Disk
	past     map[Ref]map[Ref]bool // what a write replaces
	kept     map[sim.NodeID]map[Ref]bool
	versions map[Ref]clock.VersionVector[ID]
	stored   map[Ref]bool
	first    map[string]sim.Time // violations
	gone     map[Ref]uint64      // taken out of the cart, by a write or one before it
	falses   map[Ref]bool        // ever kept beside one that replaces them
	lost     map[Ref]bool        // ever dropped while none was kept that replaces them
}

func (o *oracle) Reset(*sim.View[Msg]) {
	*o = oracle{disk: o.disk, past: map[Ref]map[Ref]bool{}, kept: map[sim.NodeID]map[Ref]bool{}, versions: map[Ref]clock.VersionVector[ID]{},
		stored: map[Ref]bool{}, first: map[string]sim.Time{}, gone: map[Ref]uint64{},
		falses: map[Ref]bool{}, lost: map[Ref]bool{}}
}

func (o *oracle) violate(v *sim.View[Msg], name string) {
	if _, ok := o.first[name]; !ok {
		o.first[name] = v.Now()
	}
}

// covered reports whether a value is kept, or one that replaces it.
func (o *oracle) covered(x Ref, kept map[Ref]bool) bool {
	for y := range kept {
		if x == y || o.past[y][x] {
			return true
		}
	}
	return false
}

func (o *oracle) Observe(v *sim.View[Msg], ob *sim.Observation[Msg]) {
	m := &ob.Msg
	switch {
	case ob.Event == sim.Crashed && o.disk != Safe:
		delete(o.kept, ob.Node)
	case ob.Event != sim.Noted:
	case m.Kind == Wrote:
		past := map[Ref]bool{}
		o.gone[m.Write.Write] = m.Write.Removes
		if m.Write.Read != nil {
			for _, r := range m.Write.Read.values {
				past[r.Write] = true
				o.gone[m.Write.Write] |= o.gone[r.Write]
				for q := range o.past[r.Write] {
					past[q] = true
				}
			}
		}
		o.past[m.Write.Write] = past
	case m.Kind == Read:
		there, gone := uint64(0), uint64(0)
		for _, r := range m.Set.values {
			there, gone = there|r.Added, gone|o.gone[r.Write]
		}
		for _, r := range m.Set.values {
			there &^= r.Removed
		}
		if there&gone != 0 {
			o.violate(v, "no-resurrection")
		}
	case m.Kind == Stored || m.Kind == Synced || m.Kind == Opened:
		o.changed(v, ob.Node, m)
	}
}

// changed checks what a replica keeps.
func (o *oracle) changed(v *sim.View[Msg], replica sim.NodeID, m *Msg) {
	now, there := map[Ref]bool{}, map[Ref]bool{}
	for _, x := range m.Set.values {
		now[x.Write] = true
	}
	for x := range o.kept[replica] {
		there[x] = true
	}
	if m.Kind == Synced {
		for _, x := range m.Heard.values {
			there[x.Write] = true
		}
	}
	if m.Kind == Stored {
		there[m.Write.Write] = true
		if !o.stored[m.Write.Write] && m.Set.version != nil {
			for _, w := range o.versions {
				if w.Compare(m.Set.version) == clock.Equal {
					o.violate(v, "no-equal-versions")
				}
			}
			o.versions[m.Write.Write] = m.Set.version
		}
		o.stored[m.Write.Write] = true
	}
	o.kept[replica] = now
	for x := range there {
		if !o.covered(x, now) {
			o.violate(v, "no-lost-value")
			o.lost[x] = true
		}
	}
	for x := range now {
		for y := range now {
			if o.past[y][x] {
				o.violate(v, "no-false-siblings")
				o.falses[x] = true
			}
		}
	}
}

// ends are the measures at the end.
func (o *oracle) ends() (falses, lost int64) {
	all := map[Ref]bool{}
	for _, kept := range o.kept {
		here := int64(0)
		for x := range kept {
			all[x] = true
			replaced := false
			for y := range kept {
				replaced = replaced || o.past[y][x]
			}
			if replaced {
				here++
			}
		}
		falses = max(falses, here)
	}
	for x := range o.stored {
		if !o.covered(x, all) {
			lost++
		}
	}
	return falses, lost
}

// TestLedgerAgainstOracle compares what the ledger says in storms with the oracle: what is
// violated, when first, and what is false or lost at the end.
func TestLedgerAgainstOracle(t *testing.T) {
	found := map[string]int{}
	for _, versioning := range []string{"client-vectors", "server-vectors", "vnode", "dvv", "dvvset", "last-write-wins"} {
		for _, disk := range []string{"kept", "lost"} {
			for _, carts := range []bool{false, true} {
				p := loads(versioning, func(p *Params) {
					p.Disk = disk
					if carts {
						p.Clients = shoppers()
					}
				})
				require.Empty(t, p.Problems())
				var o *oracle
				program := sim.NewProgram(func() sim.System[Msg] {
					s := p.System()
					o = &oracle{disk: p.layout(p.clients()).Disk}
					s.Meters = append(s.Meters, o)
					return s
				})
				var c sim.Config
				storm(&c, &program)
				w, err := program.NewWorld(c)
				require.NoError(t, err)
				for seed := range uint64(10) {
					r := w.Run(seed)
					require.Nil(t, r.Panic)
					for i, f := range r.Properties {
						name := program.Properties[i]
						if name == "converges" || name == "as-written" {
							continue
						}
						first, violated := o.first[name]
						assert.Equal(t, violated, f.Verdict == sim.Violated, "%s, %s, disk %s, seed %d: %v", name, versioning, disk, seed, w.Why(i))
						if violated {
							assert.Equal(t, first, f.First, "%s, %s, disk %s, seed %d: %v", name, versioning, disk, seed, w.Why(i))
							found[name]++
						}
					}
					falses, lost := o.ends()
					for _, sample := range r.Samples {
						switch program.Measures[sample.Measure].Name {
						case "false-siblings": // T4: over the run, whatever is left at the end
							assert.EqualValues(t, len(o.falses), sample.Value, "%s, disk %s, seed %d", versioning, disk, seed)
							_, violated := o.first["no-false-siblings"]
							assert.Equal(t, violated, sample.Value > 0, "%s, disk %s, seed %d", versioning, disk, seed)
						case "lost-values":
							assert.EqualValues(t, len(o.lost), sample.Value, "%s, disk %s, seed %d", versioning, disk, seed)
							_, violated := o.first["no-lost-value"]
							assert.Equal(t, violated, sample.Value > 0, "%s, disk %s, seed %d", versioning, disk, seed)
						case "false-siblings-at-end":
							assert.Equal(t, falses, sample.Value, "%s, disk %s, seed %d", versioning, disk, seed)
						case "lost-values-at-end":
							assert.Equal(t, lost, sample.Value, "%s, disk %s, seed %d", versioning, disk, seed)
							found["lost values"] += int(lost)
						}
					}
				}
			}
		}
	}
	for _, name := range []string{"no-false-siblings", "no-lost-value", "no-equal-versions", "no-resurrection", "lost values"} {
		assert.Greater(t, found[name], 10, "%v", found)
	}
}

// shoppers fill carts at three replicas and take things out.
func shoppers() []ClientParams {
	shopper := func(name, at, other string, items ...string) ClientParams {
		lines := []string{}
		for i, item := range items {
			lines = append(lines, "read "+at, "add "+at+" "+item, "wait 30ms", "read "+other, "remove "+other+" "+items[max(0, i-1)], "wait 30ms", "read "+at)
		}
		return script(name, lines...)
	}
	return []ClientParams{shopper("c1", "a", "b", "milk", "bread", "eggs", "tea"), shopper("c2", "b", "c", "milk", "soap", "rice", "salt"),
		shopper("c3", "c", "a", "bread", "soap", "beer", "wine"), shopper("c4", "a", "a", "oil", "rye", "fig", "nut")}
}

// TestLostOnce: a replica that refuses a value refuses it again whenever it is told of it.
// That is one loss.
func TestLostOnce(t *testing.T) {
	p := params("last-write-wins", []string{"a", "b"}, script("c", "write a x", "blind-write b y", "sync b a", "at 10ms", "sync b a", "at 20ms", "sync b a"))
	r := play(t, p, func(c *sim.Config, _ *sim.Program) { c.Clocks = []sim.Clock{{Offset: 5000 * ms}} })
	r.Violated("no-lost-value", 0)
	assert.Equal(t, 1, r.Finding("no-lost-value").Violations)
}

// TestWrittenTwice: a write that arrives twice under client ids is one value with one version.
func TestWrittenTwice(t *testing.T) {
	p := params("client-vectors", []string{"a"}, script("c", "write a x"))
	r := play(t, p, simtest.Disturb("", "", sim.Fault{Do: sim.Duplicate, For: sim.Constant(20 * ms), Msg: sim.MsgChoice{Kind: Put}}))
	assert.EqualValues(t, 2, r.Measure("writes"))
	r.Holds("no-equal-versions", "no-lost-value", "no-false-siblings")
}

// TestAlike: the same values in whatever order, and neither has more.
func TestAlike(t *testing.T) {
	x, y := Value{Write: 1}, Value{Write: 2}
	assert.True(t, alike([]Value{x, y}, []Value{y, x}))
	assert.False(t, alike([]Value{x}, []Value{y, x}))
	assert.False(t, alike([]Value{x, y}, []Value{x}))
}

// TestWhatWasRead: the first read after a write begins anew, so what was read before that
// is no context of the next write.
func TestWhatWasRead(t *testing.T) {
	keeps(t, params("dvvset", []string{"a", "b"}, script("c", "write a x", "read a", "write a y", "read b", "write b z")),
		"a", "{a,2,[y]}", "b", "{b,1,[z]}")
	keeps(t, params("dvvset", []string{"a", "b"}, script("c", "write a x", "read a", "read b", "write b z")),
		"a", "{a,1,[x]}", "b", "{a,1,[]}{b,1,[z]}")
}

// TestLateAnswer: the answer to a request that a client has given up answers no other, also
// if the client has crashed meanwhile.
func TestLateAnswer(t *testing.T) {
	p := params("dvvset", []string{"a", "b"}, script("c", "read a", "read b", "write b x"))
	p.Patience = 10 * ms
	late := func(nth int, by time.Duration) simtest.Change {
		return simtest.Disturb("", "", sim.Fault{Do: sim.Delay, For: sim.Constant(by), Msg: sim.MsgChoice{Kind: Got, Nth: nth}})
	}
	r := play(t, p, late(1, 15*ms), late(2, 8*ms))
	assert.Equal(t, at(18), r.Moment("c writes x"))
	crash := simtest.Inject("c", sim.Fault{Do: sim.Crash, When: sim.When{At: at(5)}, For: sim.Constant(0)})
	assert.Equal(t, at(13), play(t, p, late(1, 7*ms), late(2, 8*ms), crash).Moment("c writes x"))
}

// TestAddedTwice: an item that is in the cart twice is taken out as one.
func TestAddedTwice(t *testing.T) {
	keeps(t, params("dvvset", []string{"a"}, script("c", "add a milk", "read a", "add a milk tea", "read a", "remove a milk")), "a", "{a,3,[tea]}")
}
