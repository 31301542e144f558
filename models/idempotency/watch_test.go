package idempotency

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"fencepost/sim"
	"fencepost/sim/simtest"
)

// shipped names a flow that ships, and sets other parameters.
func shipped(name string, set func(*Params)) func(*Params) {
	return func(p *Params) {
		p.Flow = name
		set(p)
	}
}

// PG-25: two spends of 80 from 100 leave -60, and the sum of balance and orders is the same.
func TestANegativeBalanceIsNotConserved(t *testing.T) {
	two := func(p *Params) { p.Clients, p.Tenant, p.Amount = 2, []int{1}, []int{80} }
	r := play(t, "", shipped("spend-plain", two))
	r.OnlyViolates("conserved")
	assert.Equal(t, int64(-60), r.Measure("watched"))
	r.Logs("balances.available of row 1 is 20, after 100", "balances.available of row 1 is -60, after 20")
	r = play(t, "", shipped("spend-for-update", two))
	r.Holds("conserved")
	assert.Equal(t, int64(20), r.Measure("watched"))
}

// A crash of the database between the commit and the note about it hides nothing.
func TestANegativeBalanceIsSeenAfterACrash(t *testing.T) {
	two := func(p *Params) { p.Clients, p.Tenant, p.Amount = 2, []int{1}, []int{80} }
	r := play(t, "", shipped("spend-plain", two),
		simtest.Inject("db", sim.Fault{Do: sim.Crash, When: sim.When{Before: Sum, Nth: 3}, For: sim.Constant(100 * ms)}))
	assert.Equal(t, sim.Violated, r.Finding("conserved").Verdict)
	assert.Equal(t, int64(-60), r.Measure("watched"))
}

// ID-16: the amounts of requests are added where there are no events.
func TestRequestsAreFolded(t *testing.T) {
	twice := func(p *Params) { p.Clicks, p.Between = []int{2}, []time.Duration{time.Second} }
	r := play(t, "", shipped("add", twice))
	r.OnlyViolates("at-most-once", "exactly-once-fold")
	assert.Equal(t, int64(200), r.Measure("watched"))
	r = play(t, "", shipped("add", usual))
	r.Holds("exactly-once-fold")
	both := func(p *Params) { p.Clients, p.Tenant = 2, []int{1} }
	r = play(t, "", shipped("set-after-read", both))
	r.OnlyViolates("exactly-once-fold")
	assert.Equal(t, int64(100), r.Measure("watched"))
}

// ID-16: set 100, set 50, and a late duplicate of the first.
func TestALateSetTakesTheValueBack(t *testing.T) {
	late := func(p *Params) {
		p.Clients, p.Tenant, p.Amount = 2, []int{1}, []int{100, 50}
		p.Clicks, p.Between, p.Start = []int{2, 1}, []time.Duration{2 * time.Second}, []time.Duration{0, time.Second}
	}
	r := play(t, "", shipped("set", late))
	r.OnlyViolates("monotone-recovery")
	assert.Equal(t, int64(100), r.Measure("watched"))
	r = play(t, "", shipped("set-versioned", late))
	r.Holds("monotone-recovery")
	assert.Equal(t, int64(50), r.Measure("watched"))
}
