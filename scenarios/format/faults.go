package format

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/internal/text"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// Verb is what a fault may do.
type Verb struct {
	Do      sim.Action
	keys    string // that belong to it, besides name and the verb itself
	Trigger bool   // it must have one; the others begin at 0
	Length  bool   // it must have `for`
	lasts   bool   // of length 0 it has no effect
	Replays bool   // it may follow the schedule of a log
	About   string // what happens
}

// Verbs lists the verbs in the order in which they are shown.
var Verbs = []Verb{
	{Do: sim.Pause, keys: "at on before by nth every for", Trigger: true, Length: true, lasts: true, Replays: true,
		About: "the process stops: a collection, SIGSTOP. Its clocks run on"},
	{Do: sim.Suspend, keys: "at on before by nth every for", Trigger: true, Length: true, lasts: true, Replays: true,
		About: "the host is suspended: its monotonic clock stands still, too"},
	{Do: sim.Crash, keys: "at on before by nth every for", Trigger: true,
		About: "all that is not durable is lost; without `for` it never restarts"},
	{Do: sim.StepClock, keys: "by at on before nth", Trigger: true, About: "the wall clock moves"},
	{Do: sim.SetRate, keys: "to at on before by nth for", Trigger: true, lasts: true,
		About: "the oscillator runs at another rate; without `for` to the end"},
	{Do: sim.Cut, keys: "at on by nth every for", lasts: true, About: "messages between the sides are lost"},
	{Do: sim.Hold, keys: "at on by nth every for", lasts: true, About: "messages between the sides wait until the fault ends"},
	{Do: sim.Delay, keys: "for at", Length: true, About: "a message takes this long, instead of the delay of its link"},
	{Do: sim.Lose, keys: "at", About: "a message is lost"},
	{Do: sim.Duplicate, keys: "for at", About: "a message arrives a second time"},
	{Do: sim.FollowLog, keys: "log at", About: "the clocks are as wrong, and are corrected, as those of a real machine were"},
}

func verbNames() (names []string) {
	for i := range Verbs {
		names = append(names, Verbs[i].Do.String())
	}
	return names
}

// FaultKeys are all keys of a fault: the verbs first.
func FaultKeys() []string {
	return append(verbNames(), "name", "at", "on", "before", "by", "nth", "every", "for", "to", "log")
}

// Fields are the keys that belong to the verb.
func (v *Verb) Fields() []string { return strings.Fields(v.keys) }

func verbOf(key string) *Verb {
	i := slices.IndexFunc(Verbs, func(v Verb) bool { return v.Do.String() == key })
	if i < 0 {
		return nil
	}
	return &Verbs[i]
}

// entry is a fault while it is read.
type entry struct {
	*decoding
	whole *strict.Value
	keys  strict.Map[*strict.Value]
	verb  *Verb
	fault sim.Fault
	what  string // at what it is injected, in words
	when  string // and when
}

// faults reads all faults and names those that have no name by what they do.
func (d *decoding) faults() []sim.Fault {
	var list []sim.Fault
	var actions []string // what each does
	var texts []string   // and as it is written
	taken := map[string]int{}
	for _, v := range d.format.Faults {
		e := entry{decoding: d, whole: v}
		if !v.Decode(&e.keys) || !e.findVerb() {
			continue
		}
		e.read()
		list, actions = append(list, e.fault), append(actions, strings.TrimSpace(e.verb.Do.String()+" "+e.what+e.when))
		texts = append(texts, strict.Flow(v, true))
		if name := e.fault.Name; name != "" {
			if taken[name]++; taken[name] > 1 {
				e.get("name").Errorf("another fault is named %q", strict.Excerpt(name))
			}
		}
	}
	for i := range list {
		if f := &list[i]; f.Name == "" {
			f.Name = unused(actions[i], taken)
			texts[i] = strings.TrimSuffix(texts[i], "}") + ", name: " + strict.Word(f.Name, true) + "}"
		}
		d.scripted = append(d.scripted, Written{list[i], texts[i]})
	}
	return list
}

// Written is a fault of the file, and how it is written on one line with its name.
type Written struct {
	Fault sim.Fault
	Text  string
}

// unused is a name, with a number behind it if it is taken.
func unused(name string, taken map[string]int) string {
	for {
		taken[name]++
		n := taken[name]
		if n == 1 {
			return name
		}
		numbered := fmt.Sprintf("%s #%d", name, n)
		if taken[numbered] == 0 {
			taken[numbered] = 1
			return numbered
		}
	}
}

// get is the value of a key, or nil.
func (e *entry) get(key string) *strict.Value {
	v, _ := e.keys.Get(key)
	return v
}

// findVerb finds the one verb, and reports keys that do not belong to it.
func (e *entry) findVerb() bool {
	for _, k := range e.keys {
		v := verbOf(k.Key)
		switch {
		case v == nil:
		case e.verb == nil:
			e.verb, e.fault.Do = v, v.Do
		default:
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("a fault has one verb, and this one has %q already", e.verb.Do))
			return false
		}
	}
	if e.verb == nil {
		e.guessVerb()
	}
	all := FaultKeys()
	for _, k := range e.keys {
		switch {
		case !slices.Contains(all, k.Key):
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("unknown key %q", strict.Excerpt(k.Key)), all...)
		case e.verb == nil, k.Key == "name", verbOf(k.Key) != nil, slices.Contains(e.verb.Fields(), k.Key):
		default:
			e.doc.Add(k.Pos, k.Key, fmt.Sprintf("%q does not belong to %s: that takes name, %s", k.Key, e.verb.Do, strings.ReplaceAll(e.verb.keys, " ", ", ")))
		}
	}
	if e.verb == nil {
		names := verbNames()
		if !e.meant(names...) {
			e.doc.Add(e.whole.Pos(), "", "a fault needs a verb, as in pause: client-1", names...)
		}
	}
	return e.verb != nil
}

// guessVerb takes a misspelt verb for what was meant, so that the mistakes in the
// rest of the fault are reported too.
func (e *entry) guessVerb() {
	names := verbNames()
	for _, k := range e.keys {
		if slices.Contains(FaultKeys(), k.Key) {
			continue
		}
		if v := verbOf(text.Nearest(k.Key, names)); v != nil {
			e.verb, e.fault.Do = v, v.Do
			e.keys = append(e.keys, strict.Entry[*strict.Value]{Key: v.Do.String(), Value: k.Value, Pos: k.Pos})
			return
		}
	}
}

// meant reports whether a misspelt key, which is reported as such, may have been
// meant to be one of these.
func (e *entry) meant(keys ...string) bool {
	all := FaultKeys()
	return slices.ContainsFunc(e.keys.Keys(), func(k string) bool {
		return !slices.Contains(all, k) && slices.Contains(keys, text.Nearest(k, all))
	})
}

// needs reports that a key is missing.
func (e *entry) needs(key, example string) {
	if !e.meant(key) {
		e.whole.Errorf("%s needs %q, as in %s", e.verb.Do, key, example)
	}
}

func (e *entry) read() {
	if v := e.get("name"); v != nil {
		name, ok := strict.Read[string](v)
		switch e.fault.Name = name; {
		case ok && name == "":
			v.Errorf("the name is empty: want one, or leave it out")
		case strings.Contains(name, "\n"):
			v.Errorf("the name has several lines: want one")
		}
	}
	switch subject := e.get(e.verb.Do.String()); e.verb.Do {
	case sim.Cut, sim.Hold:
		e.sides(subject)
	case sim.Delay, sim.Lose, sim.Duplicate:
		e.message(subject)
	default:
		if e.fault.Node, _ = e.node(subject); e.fault.Node != sim.None {
			e.what = e.nameOf(e.fault.Node)
		}
		e.clock()
		e.clockLog()
	}
	e.trigger()
	e.length()
}

// clock reads what is done to a clock.
func (e *entry) clock() {
	switch by, to := e.get("by"), e.get("to"); {
	case e.verb.Do == sim.StepClock && by == nil:
		e.needs("by", "by: 10s or by: -3s")
	case e.verb.Do == sim.StepClock:
		step, ok := strict.Scan(by, strict.SignedDuration)
		if ok && step == 0 {
			by.Errorf("a step of 0 moves nothing")
		}
		e.fault.By = step
		e.what += fmt.Sprintf(" by %v", step)
	case e.verb.Do == sim.SetRate && to == nil:
		e.needs("to", "to: -500ppm")
	case e.verb.Do == sim.SetRate:
		rate, ok := strict.Scan(to, strict.PartsPerBillion)
		if ok && checkRate(to, sim.PPB(rate)) {
			e.fault.Rate = sim.PPB(rate)
		}
		e.what += fmt.Sprintf(" to %v", e.fault.Rate)
	}
}

// length reads how long the fault lasts.
func (e *entry) length() {
	v := e.get("for")
	f := &e.fault
	switch {
	case v != nil:
	case e.verb.Length:
		e.needs("for", "for: 15s")
	case f.Do == sim.Duplicate:
		f.For = e.scenario.Config.Network.Default.Delay
	case !slices.Contains(e.verb.Fields(), "for"):
	default:
		f.Forever = true
		if every := e.get("every"); every != nil {
			every.Errorf("what lasts forever is not injected again: want %q as well", "for")
		}
	}
	if v == nil {
		return
	}
	dist, log, ok := e.lengths(v)
	switch {
	case !ok, log != nil && !e.outlasts(v.Field("gclog"), log):
	case log != nil && e.verb.Replays && e.untriggered():
		e.replay(v, log)
	case e.verb.lasts && dist.Most() == 0:
		v.Errorf("a %s of length 0 has no effect", f.Do)
	default:
		f.For = dist
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

// before reports whether an instant at which the fault begins is one of the run.
func (e *entry) before(v *strict.Value, at time.Duration) bool {
	if e.until > 0 && at >= time.Duration(e.until) {
		v.Errorf("the fault begins at %v, after the run, which ends at %v", at, time.Duration(e.until))
		return false
	}
	return true
}
