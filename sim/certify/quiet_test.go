package certify_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"fencepost/sim"
	"fencepost/sim/certify"
)

// diary makes an entry at 2, and looks at it at 4. It says so if what it finds takes a pause that begins before the entry.
type diary struct {
	Sought sought
	Began  sim.Wall
	At     sim.Wall
	Seen   bool
}

type sought uint8

const (
	nothing sought = iota
	aLook          // in [5, 9): of pauses of exactly 5, only of one that begins before the entry
	anEntry        // less than 1 ago, of which it keeps the reading
	noEntry        // on disk, after a crash later than 5
)

func (d *diary) Step(in sim.In[word], out *sim.Out[word]) {
	switch in.Msg.Kind {
	case first:
		if d.Began != 0 {
			if d.Sought == noEntry && !d.Seen && !in.Wall.Before(d.Began.Add(5)) {
				out.Note(word{Kind: enters})
			}
			return
		}
		d.Began = in.Wall
		out.Note(word{Kind: value})
		out.After(2, word{Kind: read})
		out.After(4, word{Kind: look})
	case read:
		if d.Seen = true; d.Sought == anEntry {
			d.At = in.Wall
		}
	case look:
		switch d.Sought {
		case aLook:
			if !in.Wall.Before(d.Began.Add(5)) && in.Wall.Before(d.Began.Add(9)) {
				out.Note(word{Kind: enters})
			}
		case anEntry:
			if in.Wall.Before(d.At.Add(1)) {
				out.Note(word{Kind: enters})
			}
		}
	}
}

func (d *diary) Recover(before *diary)           { d.Began, d.Seen = before.Began, before.Seen }
func (d *diary) Symbolic() string                { return "" }
func (d *diary) Forget()                         {}
func (d *diary) Ignores(*sim.Arrival[word]) bool { return false }

// A pause begins before a step that only remembers where that makes a difference, and not else.
func TestAPauseBeginsBeforeAStepThatOnlyRemembersWhereThatMatters(t *testing.T) {
	pause, crash := certify.Fault{Name: "pause", Most: 5, Count: 1}, certify.Fault{Name: "crash", Do: sim.Crash, Most: 1, Count: 1}
	exact := pause
	exact.Least = 5
	for _, c := range []struct {
		sought sought
		faults []certify.Fault
		found  bool
	}{
		{nothing, []certify.Fault{pause}, false},
		{aLook, []certify.Fault{exact}, true},
		{anEntry, []certify.Fault{pause}, true},
		{noEntry, []certify.Fault{pause, crash}, true},
		{noEntry, []certify.Fault{crash}, false},
	} {
		for i := range c.faults {
			c.faults[i].Nodes = []sim.NodeID{1}
		}
		s := certify.Search{Config: sim.Config{Until: 10_000}, Faults: c.faults, Program: sim.NewProgram(func() sim.System[word] {
			s := sim.System[word]{Kinds: make([]string, leaves+1), Notes: []sim.Kind{value, enters, leaves}, Properties: []sim.Property[word]{&within{Note: enters, Least: 100, Most: 200}}}
			sim.Put(&s, s.Node("diary"), diary{Sought: c.sought})
			return s
		})}
		var states [2]int
		for i, all := range []bool{false, true} {
			s.PauseAll = all
			r, err := s.Run(t.Context())
			require.NoError(t, err)
			assert.Equal(t, c.found, r.Found(), "%+v: %v", c, r.Bound)
			assert.Equal(t, !c.found, r.Verdict == certify.Certified, "%+v: %v", c, r.Bound)
			states[i] = r.States
		}
		assert.Equal(t, c.sought == nothing, states[0] < states[1], "%+v: %v states", c, states)
	}
}
