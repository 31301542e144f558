package replicas

import (
	"fmt"
	"strings"

	"fencepost/models/clock"
	"fencepost/sim"
	"fencepost/sim/model"
)

// noResurrection holds if no client reads a cart in which something is that was taken out,
// by who had seen it there, and that has not been put in again.
//
// Source: DeCandia et al., "Dynamo: Amazon's Highly Available Key-value Store", 2007, section
// 4.4: "deleted items can resurface".
type noResurrection struct{ *Ledger }

// Check implements [model.Checker].
func (p *noResurrection) Check(r *model.Report[Msg]) {
	if p.goneFrom(r.Msg.Set.values) != 0 {
		r.Saw()
	}
	if p.reappears != 0 && r.Violated(r.Node) {
		r.Why("%s finds %s in the cart, which had been taken out", r.Name(r.Node), p.layout.cart(p.reappears))
	}
}

// converges holds if at the end all replicas that are up keep the same values. It is checked
// if there was time enough for that: see Settle. An observer sees crashes and pauses, but
// no network: replicas that are partitioned to the end do not converge.
//
// Source: DeCandia et al., "Dynamo: Amazon's Highly Available Key-value Store", 2007, section
// 2.3: all updates reach all replicas eventually.
type converges struct{ *Ledger }

// Bound implements [sim.Bounded].
func (p *converges) Bound() sim.Bound {
	if p.layout.Settle == 0 {
		return sim.Bound{}
	}
	return sim.Bound{Text: fmt.Sprintf("the same values %v after the last write or fault", p.layout.Settle)}
}

// Check implements [model.Checker]. What replicas keep is compared at the end.
func (*converges) Check(*model.Report[Msg]) {}

// End compares what replicas keep.
func (p *converges) End(r *model.Report[Msg]) {
	if p.layout.Settle == 0 || r.Now().Sub(p.last) < p.layout.Settle || len(p.writes) == 0 {
		return
	}
	one := sim.None
	for i := 1; i <= p.layout.Replicas; i++ {
		id := sim.NodeID(i)
		_, paused := r.PausedSince(id)
		switch {
		case r.Down(id) || paused || p.kept[id] == nil:
		case one == sim.None:
			one = id
		default:
			r.Saw()
			if !alike(p.kept[one].values, p.kept[id].values) {
				r.Violated(one, id)
				r.Why("%s keeps %s, and %s keeps %s", r.Name(one), keeping{p.Ledger, p.kept[one]}, r.Name(id), keeping{p.Ledger, p.kept[id]})
				return
			}
		}
	}
}

// alike reports whether two replicas keep the same values, in whatever order.
func alike(a, b []Value) bool {
	within := func(a, b []Value) bool {
		for _, v := range a {
			found := false
			for _, w := range b {
				found = found || v == w
			}
			if !found {
				return false
			}
		}
		return true
	}
	return within(a, b) && within(b, a)
}

// Final is what a replica is to keep at the end, as a text.
type Final struct {
	Replica string `yaml:"replica,required"`
	Keeps   string `yaml:"keeps"` // as {a,3,[C B]}; see the text of the way to version
}

// ClockOf is the version that a value is to have, as a text.
type ClockOf struct {
	Value   string `yaml:"value,required"`
	Version string `yaml:"version,required"` // as {Sx:2,Sy:1}
}

// asWritten holds if the replicas keep in the end what the source writes, and the values have
// the versions that it gives.
type asWritten struct{ *Ledger }

// Check implements [model.Checker]. What replicas keep is compared at the end.
func (*asWritten) Check(*model.Report[Msg]) {}

// End compares what replicas keep, and then the versions.
func (p *asWritten) End(r *model.Report[Msg]) {
	for i := 1; i <= p.layout.Replicas; i++ {
		for _, f := range p.layout.Final {
			if f.Replica == p.layout.Names[i] {
				compare(r, p.text(p.kept[i]), f.Keeps, f.Replica)
			}
		}
	}
	names := p.names()
	for _, c := range p.layout.Clocks {
		got := "no version"
		for i := range p.writes {
			if id := clock.WriteID(i); p.writeName(id) == c.Value && p.version(id) != nil {
				got = names.vector(p.version(id)).String()
			}
		}
		compare(r, got, c.Version, c.Value)
	}
}

func compare(r *model.Report[Msg], got, want, whose string) {
	r.Saw()
	got, want = strings.TrimSpace(got), strings.TrimSpace(want)
	if got != want && r.Violated() {
		r.Why("%s: %s, and the source has %s", whose, got, want)
	}
}
