package policy

import (
	"time"

	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
)

// What the properties and the meter have in common: how much each client was admitted,
// which limiter uses which version, and how much a version allows.

// tally is what each client was admitted within the longest window of the rules. What
// counts is when the limiter says so: an answer of the counters that is late shifts it.
type tally struct {
	book    *book
	first   sim.NodeID // of the clients
	clients int

	windows []measure.Window
}

// Reset begins anew.
func (t *tally) Reset() {
	if t.windows == nil && t.book.window > 0 {
		t.windows = make([]measure.Window, t.clients)
		for i := range t.windows {
			t.windows[i] = measure.NewWindow(t.book.window)
		}
	}
	for i := range t.windows {
		t.windows[i].Clear()
	}
}

// admitted is the sum of the window that ends with this decision, 0 if it admits nothing.
func (t *tally) admitted(now sim.Time, m *Msg) int64 {
	if !m.OK || t.windows == nil {
		return 0
	}
	return t.windows[m.Client].Admit(now, 1)
}

// client is whom a decision is about.
func (t *tally) client(m *Msg) sim.NodeID { return t.first + sim.NodeID(m.Client) }

// usage is which limiter uses which version.
type usage struct {
	limiters, versions int

	current []int16    // by limiter; -1: none yet
	users   []int      // by version
	last    []sim.Time // by version: when it was last given up
}

// Reset begins anew.
func (u *usage) Reset() {
	if u.current == nil {
		u.current, u.users, u.last = make([]int16, u.limiters), make([]int, u.versions), make([]sim.Time, u.versions)
	}
	for i := range u.current {
		u.current[i] = -1
	}
	clear(u.users)
	for i := range u.last {
		u.last[i] = -sim.Never
	}
}

// adopt notes that a limiter uses another version.
func (u *usage) adopt(at sim.Time, limiter sim.NodeID, version int16) {
	now := &u.current[limiter-firstLimiter]
	if *now >= 0 {
		u.users[*now]--
		u.last[*now] = at
	}
	*now = version
	u.users[*now]++
}

// since reports whether a version has been in use after an instant.
func (u *usage) since(version int, at sim.Time) bool {
	return u.users[version] > 0 || u.last[version] > at
}

// atOnce is how many versions are in use.
func (u *usage) atOnce() (n int64) {
	for _, users := range u.users {
		if users > 0 {
			n++
		}
	}
	return n
}

// least is the oldest version that a limiter uses.
func (u *usage) least() int16 {
	least := int16(1<<15 - 1)
	for _, v := range u.current {
		least = min(least, v)
	}
	return least
}

// bounds are how much the algorithm admits in a window.
type bounds struct {
	book   *book
	params *Params
}

// of is the most that is admitted under a version in any window of the longest length.
func (b *bounds) of(version int) (most int64, checked bool) {
	v := &b.book.versions[version]
	if v.always {
		return 0, false
	}
	windows := int64(1)
	for i := range b.book.plans {
		if p := &b.book.plans[i]; p.window > 0 {
			windows = max(windows, int64((b.book.window-1)/p.window)+1) // of a shorter limit in the longest one
		}
	}
	switch b.params.Algorithm {
	case "window":
		return v.most * (windows + 1), true
	case "bucket":
		return v.most*(windows+1) - min(v.most, 1), true
	case "queue":
		return v.most*windows + b.params.Places + 1, true
	}
	return b.params.hard(v.most) * windows, true
}

// span is the instant that lies d before another.
func span(at sim.Time, d time.Duration) sim.Time { return at - sim.Time(d) }
