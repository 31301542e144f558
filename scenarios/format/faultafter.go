package format

import (
	"fmt"
	"slices"
	"time"

	"fencepost/internal/text"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim"
)

// AfterFormat is the value of `after:`.
type AfterFormat struct {
	Fault *strict.Value `yaml:"fault,required" schema:"text"` // the name of an earlier fault of the list
	Begin *strict.Value `yaml:"begin" schema:"duration"`      // how long after that fault begins; in place of end
	End   *strict.Value `yaml:"end" schema:"duration"`        // how long after that fault ends
}

// readAfter reads the fault that this one comes after. If the file says when that begins and how long it lasts, this is an
// instant as by `at`; else the run decides.
func (e *entry) readAfter(v *strict.Value) {
	var f AfterFormat
	if !v.Decode(&f) {
		return
	}
	if (f.Begin == nil) == (f.End == nil) {
		v.Errorf("after needs either begin or end, as in {fault: NAME, end: 2.1s}")
		return
	}
	w, since := &e.fault.When, f.Begin
	if w.Ends = f.End != nil; w.Ends {
		since = f.End
	}
	name, ok := strict.Read[string](f.Fault)
	wait, read := strict.Read[time.Duration](since)
	if !ok || !read {
		return
	}
	w.After, w.At = name, sim.Time(wait)
	e.when = fmt.Sprintf(" %v after %s", wait, name)
	if leader := e.leader(f.Fault, name); leader != nil {
		e.place(v, leader)
	}
}

// leader is the earlier fault of a name, nil if there is none.
func (e *entry) leader(v *strict.Value, name string) *sim.Fault {
	if i := slices.IndexFunc(e.earlier, func(f sim.Fault) bool { return f.Name == name }); i >= 0 && name != "" {
		return &e.earlier[i]
	}
	var names []string
	for i := range e.earlier {
		if e.earlier[i].Name != "" {
			names = append(names, e.earlier[i].Name)
		}
	}
	named := func(f *strict.Value) bool { n := f.Field(keyName.Name); return n != nil && n.Scalar() == name }
	switch {
	case e.alone:
	case e.fault.Name == name:
		v.Errorf("a fault cannot come after itself: want the name of an earlier fault")
	case slices.ContainsFunc(e.format.Faults, named):
		v.Errorf("fault %q stands below: move it above this fault", strict.Excerpt(name))
	case len(names) == 0:
		v.Errorf("no earlier fault has a name: give the one that is meant name: %s", strict.Excerpt(strict.Word(name, true)))
	default:
		e.bad(v, fmt.Sprintf("no earlier fault is named %q", strict.Excerpt(name)), names)
	}
	return nil
}

// place makes an instant of the time after a fault, if it is known before the run.
func (e *entry) place(v *strict.Value, leader *sim.Fault) {
	w, l := &e.fault.When, &leader.When
	lasts := leader.Do.Row().Lasting && !leader.Forever
	if w.Ends && !lasts {
		v.Field("end").Errorf("%s %q has no end: want begin", leader.Do, strict.Excerpt(leader.Name))
		return
	}
	if l.Note|l.Before != 0 || !l.Every.IsZero() || len(l.Replay) > 0 || l.After != "" || w.Ends && leader.For.Least() != leader.For.Most() {
		return
	}
	at := l.At.Add(time.Duration(w.At))
	if w.Ends {
		at = at.Add(leader.For.Least())
	}
	if e.before(v, time.Duration(at)) {
		*w = sim.When{At: at}
		e.when = fmt.Sprintf(" at %v", time.Duration(at))
	}
}

func (t *faultWriter) after() {
	w := &t.fault.When
	if w.After == "" {
		return
	}
	in, event := faultWriter{program: t.program}, "begin"
	if w.Ends {
		event = "end"
	}
	in.add("fault", strict.Word(w.After, true))
	in.add(event, text.Duration(time.Duration(w.At)))
	t.add("after", in.mapping(t))
}
