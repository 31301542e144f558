package format

import (
	"slices"
	"time"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// readFor reads how long the fault lasts.
func (e *entry) readFor(v *strict.Value) {
	dist, log, ok := e.lengths(v)
	switch {
	case !ok, log != nil && !e.outlasts(v.Field("gclog"), log):
	case log != nil && e.verb.Replays && e.untriggered():
		e.replay(v, log)
	case e.verb.lasts && dist.Most() == 0:
		v.Errorf("a length of 0 has no effect: want one above 0")
	default:
		e.fault.For = dist
	}
}

// withoutFor is how long a fault lasts of which the file does not say it.
func (e *entry) withoutFor() {
	if e.verb.Do == sim.Duplicate {
		e.fault.For = e.scenario.Config.Network.Default.Delay
		return
	}
	e.fault.Forever = true
	if every := e.get(keyEvery.Name); every != nil {
		every.Errorf("what lasts forever is not injected again: want %q as well", "for")
	}
}

func (t *faultWriter) length() {
	switch {
	case len(t.fault.When.Replay) > 0:
		t.fail("%s", followsLog)
	case !t.fault.Forever:
		t.add("for", t.dist(&t.fault.For))
	}
}

// lengths reads a distribution, of which that of a log's stops is one.
func (d *decoding) lengths(v *strict.Value) (sim.Dist, *input, bool) {
	if v.Kind() == strict.Mapping {
		shape, value := v.Choice(append(slices.Clone(shapes), "gclog")...)
		switch shape {
		case "":
			return sim.Dist{}, nil, false
		case "gclog":
			in, ok := d.log(value)
			if !ok {
				return sim.Dist{}, nil, false
			}
			dist, _ := sim.Empirical(in.values) // a log has some
			return dist, in, true
		}
	}
	dist, ok := strict.Read[sim.Dist](v)
	return dist, nil, ok
}

// replay injects the fault as the log says.
func (e *entry) replay(v *strict.Value, in *input) {
	stops, span, err := in.schedule()
	if err != nil {
		v.Errorf("%s cannot be replayed: %v: want at, on or every as well", in.Path, err)
		return
	}
	e.fault.When.Replay, e.fault.When.Span = stops, span
	e.when = " as its log says" // not where the log is: the name is a stream, and a copy draws alike
}

// outlasts reports whether the run is longer than each stop of a log. A shorter run
// ends before a long stop does its damage, and would call every lock safe: of a log
// with stops of 77 s, runs of 500 ms showed not one violation at a TTL of 5 s.
func (d *decoding) outlasts(v *strict.Value, in *input) bool {
	if most := slices.Max(in.values); d.until > 0 && most >= time.Duration(d.until) {
		v.Errorf("%s has a stop of %v, and the run ends at %v, before its damage shows: want until above that stop and the leases that it outlasts",
			in.Path, most, time.Duration(d.until))
		return false
	}
	return true
}
