package verdict

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Evidence is all that a verdict depends on, of one run, one point of a grid, one search or one proof.
type Evidence struct {
	Changed     []string // what the command changed in the scenario: "ttl=30s", "seed 7", "no faults", "control"
	Sampled     bool     // the command looks at other runs: another seed, number of runs or until
	Properties  []Property
	Numbers     []Number
	Unfired     []string // scripted faults that no run injected
	Idle        string   // why a search put nothing to the test: no run had the allowed faults, or they never met; else ""
	Sample      string   // in how many runs the properties that held were checked, and what that is worth: "in 20 runs (each p < 15% at 95%)"; "" for one run
	Panic       string   // what panicked, and where; "" if nothing did
	Interrupted string   // "after 12 of 400 runs"; "" if it ended
	Limit       string   // which was reached: "stopped by --states 1,000"; "" if none was
	All         Word     // Exhausted or Certified if every schedule or every value was covered
	Scope       string   // what a search covered, before the names of the properties that held: "no violation in 10,000 runs: "; "" for a run
	Refusal     string   // why the question is not covered; "" if it is
	Goal        *Goal    // of a search that looks for no violation
}

// Goal is what a search wanted a run to reach.
type Goal struct {
	Reached string // how, and in which run; "" if no run reached it
	Missed  string // how much was searched: "overlap >= 9s in 10,000 runs"
}

// Property is what was found about one property.
type Property struct {
	Name     string
	Checked  int    // runs that gave it something to check
	Violated int    // runs
	Said     string // the violation, or for a property that held its name with its bound: "mutual-exclusion at 10.020s (client-2, client-1)"
	Want     Want
	Met      bool   // what the file wants is so: for a violation the instant, the nodes and the share too
	Expected string // the violation that the file wants, in words
	// Asked is true if the command names the property. Then the others do not decide, and the sentence names those that
	// are violated.
	Asked     bool
	Data      bool   // its violation loses data
	Liveness  bool   // its violation is that nothing comes any more
	Commanded bool   // the command itself says what it wants: that counts after a change, too
	Needs     string // what would exercise it, "" if it does not say
}

// Want is what the file says about a property.
type Want uint8

// A violation is excused by WantViolated alone, never by a file that says nothing or only shows the property.
const (
	WantNothing Want = iota
	WantHolds
	WantViolated
	WantIdle
)

// Number is an expected measure, or an expected proof.
type Number struct {
	Name, Want, Got string
	Met             bool
	Commanded       bool // by the command itself: that counts after a change, too
}

// findings are the properties by what they say about the answer.
type findings struct {
	bad     []string // violated, and not excused
	still   []string // of bad, what the file predicts
	newly   []string // of bad, the others
	came    []string // violated as the file predicts
	kept    []string // held as the file wants
	held    []string // held, in all
	gone    []string // predicted, checked and not violated
	missing []string // predicted, and not so
	idle    []string // had nothing to check
	idlers  []string // their names
	blind   bool     // one of them is about data, or was asked for, or is about liveness after a change of more than the cause
	quiet   []string // had nothing to check, as the file predicts
	also    []string // violated, and the command did not ask for it
	safe    []string // of kept, those whose violation loses data
	wanted  bool     // the file predicts a violation
	lost    bool     // one that came loses data
}

// Decide gives the verdict. Its rules stand in the order in which they apply.
func Decide(e *Evidence) Verdict {
	switch {
	case e.Refusal != "":
		return Of(Refused, e.Refusal)
	case e.Panic != "":
		return Of(Panicked, e.Panic)
	}
	if e.Goal != nil {
		return e.aimed()
	}
	f := e.sorted()
	with := strings.Join(e.Changed, ", ")
	changed := with != ""
	switch {
	case len(f.bad) > 0 && changed:
		return f.say(Violated, f.after(with)+e.repaired(&f)+e.cut())
	case len(f.bad) > 0:
		return f.say(Violated, list(f.bad)+e.cut())
	case e.Interrupted != "":
		return f.say(Interrupted, e.Interrupted+": no violation so far")
	case len(f.missing) > 0:
		return f.say(NotReproduced, list(f.missing))
	case len(f.idle) > 0 && !(changed && len(f.gone) > 0 && !f.blind && len(e.Unfired) == 0):
		return f.say(NotExercised, list(f.idle))
	case e.Limit != "":
		return f.say(Unknown, e.Limit)
	case e.All != "" || e.Scope != "":
		return f.say(cmp.Or(e.All, Held), e.Scope+strings.Join(f.held, ", "))
	case changed && len(f.gone) > 0:
		no := " the violation no longer occurs"
		if e.Sampled {
			no = " no violation was seen"
		}
		return f.say(Held, "with "+with+no+e.sample()+": "+strings.Join(f.gone, ", ")+f.unseen())
	case len(f.came) > 0:
		return f.say(Reproduced, e.keeps(&f)+list(f.came)+", as the scenario predicts")
	}
	said := strings.Join(f.held, ", ")
	if e.Sample != "" {
		said = "no violation" + e.sample() + ": " + said
	}
	if changed {
		said = "with " + with + ": " + said
	}
	return f.say(Held, said)
}

// aimed is the verdict of a search for a goal. Violations do not decide it, and stand at the end of the sentence.
func (e *Evidence) aimed() Verdict {
	f := findings{}
	for i := range e.Properties {
		if p := &e.Properties[i]; p.Violated > 0 {
			f.also = append(f.also, p.Name)
		}
	}
	switch {
	case e.Goal.Reached != "":
		return f.say(Reached, e.Goal.Reached)
	case e.Interrupted != "":
		return f.say(Interrupted, e.Interrupted+": not reached so far")
	case e.Idle != "":
		return f.say(NotExercised, e.Idle)
	case e.Limit != "":
		return f.say(Unknown, e.Limit)
	}
	return f.say(NotReached, e.Goal.Missed)
}

func (e *Evidence) sample() string {
	if e.Sample == "" {
		return ""
	}
	return " " + e.Sample
}

// after says what is violated after a change: what the file predicts still is, and anything else newly.
func (f *findings) after(with string) string {
	switch {
	case len(f.still) == 0 && !f.wanted:
		return "with " + with + ": " + list(f.bad)
	case len(f.still) == 0:
		return "newly violated with " + with + ": " + list(f.newly)
	case len(f.newly) == 0:
		return "still violated with " + with + ": " + list(f.still)
	}
	return "newly violated with " + with + ": " + list(f.newly) + "; still violated: " + list(f.still)
}

// repaired says which predicted violations no longer occur, beside others that do.
func (e *Evidence) repaired(f *findings) string {
	if len(f.gone) == 0 || e.Sampled {
		return ""
	}
	return "; no longer violated: " + strings.Join(f.gone, ", ")
}

// cut says that more runs were to follow.
func (e *Evidence) cut() string {
	if e.Interrupted == "" {
		return ""
	}
	return "; interrupted " + e.Interrupted
}

// unseen names what had nothing to check, beside what no longer occurs.
func (f *findings) unseen() string {
	if len(f.idlers) == 0 {
		return ""
	}
	return "; not exercised: " + strings.Join(f.idlers, ", ")
}

// keeps says first what a fix keeps: what its file names before the violation, or else the data, if none is lost.
func (e *Evidence) keeps(f *findings) string {
	kept := f.kept
	if e.first(WantHolds) > e.first(WantViolated) {
		if kept = f.safe; f.lost {
			kept = nil
		}
	}
	if len(kept) == 0 {
		return ""
	}
	return strings.Join(kept, ", ") + " held; "
}

// sorted looks at each property, number and fault.
func (e *Evidence) sorted() (f findings) {
	query := slices.ContainsFunc(e.Properties, func(p Property) bool { return p.Asked })
	for i := range e.Properties {
		if p := &e.Properties[i]; !query || p.Asked {
			f.add(p, len(e.Changed) > 0 && !p.Commanded, e.calm())
		} else if p.Violated > 0 {
			f.also = append(f.also, p.Name)
		}
	}
	for _, n := range e.Numbers {
		if !n.Met && (len(e.Changed) == 0 || n.Commanded) {
			f.missing = append(f.missing, fmt.Sprintf("%s is %s, not %s", n.Name, n.Got, n.Want))
		}
	}
	for _, name := range e.Unfired {
		f.idle = append(f.idle, "the fault was never injected: "+name)
	}
	if e.Idle != "" {
		f.idle = append(f.idle, e.Idle)
	}
	switch {
	case len(f.held)+len(f.bad)+len(f.came)+len(f.missing)+len(f.idle) > 0:
	case len(e.Numbers) > 0 && e.measures():
		f.measured(e)
	case len(f.quiet) > 0 && len(e.Changed) > 0: // the file predicts no changed run
		f.idle = f.quiet
	case len(f.quiet) > 0:
		f.came = f.quiet
	default:
		f.idle = append(f.idle, "no property had anything to check")
	}
	return f
}

// calm reports whether the command has taken the cause away, and with it perhaps what some properties are about: a takeover
// takes a crash.
func (e *Evidence) calm() bool {
	return slices.Contains(e.Changed, "no faults") || slices.Contains(e.Changed, "its control")
}

// measures reports whether only numbers are of interest: there is no property, or the file says that none is exercised.
func (e *Evidence) measures() bool {
	return !slices.ContainsFunc(e.Properties, func(p Property) bool { return p.Want != WantIdle })
}

// measured says what was measured, where there is nothing else.
func (f *findings) measured(e *Evidence) {
	for _, n := range e.Numbers {
		is := n.Name + " is " + n.Got
		if len(e.Changed) == 0 {
			f.came = append(f.came, is)
		} else {
			f.held = append(f.held, is)
		}
	}
}

// add sorts one property in. A change by the command takes the excuse away: what the file predicts is then violated.
func (f *findings) add(p *Property, changed, calm bool) {
	f.wanted = f.wanted || p.Want == WantViolated
	switch {
	case p.Violated > 0 && p.Want == WantViolated && p.Met && !changed:
		f.came, f.lost = append(f.came, p.Said), f.lost || p.Data
	case p.Violated > 0 && p.Want == WantViolated && !changed:
		f.missing = append(f.missing, p.Said+", expected "+p.Expected)
	case p.Violated > 0:
		f.bad = append(f.bad, p.Said)
		if p.Want == WantViolated {
			f.still = append(f.still, p.Said)
		} else {
			f.newly = append(f.newly, p.Said)
		}
	case p.Want == WantIdle && p.Checked > 0 && !changed:
		f.missing = append(f.missing, p.Name+" had something to check, which the scenario does not predict")
	case p.Checked == 0 && p.Want == WantIdle:
		f.quiet = append(f.quiet, p.idle())
	case p.Checked == 0 && (p.Asked || p.Want == WantHolds || p.Want == WantViolated):
		f.idle, f.idlers, f.blind = append(f.idle, p.idle()), append(f.idlers, p.Name), f.blind || p.Data || p.Asked || p.Liveness && !calm
	case p.Checked == 0:
	case p.Want == WantViolated && !p.Met && !changed: // a share of 0 to 1% is met without a violation
		f.missing = append(f.missing, p.Name+" is not violated")
	default:
		f.hold(p)
	}
}

func (f *findings) hold(p *Property) {
	f.held = append(f.held, p.Said)
	switch p.Want {
	case WantHolds:
		if f.kept = append(f.kept, p.Name); p.Data {
			f.safe = append(f.safe, p.Name)
		}
	case WantViolated:
		f.gone = append(f.gone, p.Said)
	}
}

// first is the place of the first property of which the file wants this, after all if there is none.
func (e *Evidence) first(w Want) int {
	if i := slices.IndexFunc(e.Properties, func(p Property) bool { return p.Want == w }); i >= 0 {
		return i
	}
	return len(e.Properties)
}

// say adds what is violated besides the properties that the command asked for.
func (f *findings) say(w Word, sentence string) Verdict {
	if len(f.also) > 0 {
		sentence += "; also violated, not part of your query: " + strings.Join(f.also, ", ")
	}
	return Of(w, sentence)
}

func (p *Property) idle() string {
	if p.Needs == "" {
		return p.Name + " had nothing to check"
	}
	return p.Name + " had nothing to check: " + p.Needs
}

// list is the first of some findings, and how many more there are.
func list(findings []string) string {
	const most = 3
	if n := len(findings) - most; n > 0 {
		findings = append(slices.Clone(findings[:most]), fmt.Sprintf("and %d more", n))
	}
	between := ", "
	if slices.ContainsFunc(findings, func(f string) bool { return strings.Contains(f, ": ") }) { // and what it needs, with commas of its own
		between = "; "
	}
	return strings.Join(findings, between)
}

// Worst is the verdict of several points or candidates, as noun says: the word of the worst, and how many have it.
func Worst(noun string, points []Verdict, names []string) Verdict {
	at, n := -1, 0
	for i, v := range points {
		switch {
		case at < 0 || v.Word.rank() > points[at].Word.rank():
			at, n = i, 1
		case v.Word == points[at].Word:
			n++
		}
	}
	switch {
	case at < 0:
		return Of(NotExercised, "there are no "+noun)
	case n == len(points) && points[at].Word == Held:
		return Of(Held, fmt.Sprintf("at all %d %s: %s", n, noun, points[at].Sentence))
	}
	return Of(points[at].Word, fmt.Sprintf("at %d of %d %s, first at %s: %s", n, len(points), noun, names[at], points[at].Sentence))
}
