package execute

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
	"fencepost/cmd/simctl/internal/conditions"
	"fencepost/internal/splitmix"
	"fencepost/reports/searches"
	"fencepost/sim/certify"
)

// Term is a duration of a scenario on which the edge of a pause may depend.
type Term struct {
	Name string // as a law has it: ttl, delay.max
	Path string
	Is   time.Duration
	// Above is the term that is never less than this, or -1: the end of a range whose start this is.
	Above int

	parted bool // paths depend on a part of it, such as a third
	grown  bool // it is 0, and the path of the scenario as it is was looked for where it is more
	fixed  bool // it is 0, and no law has it: with any more the scenario has another one
}

// Laws finds how the edge of a pause depends on the terms of a scenario. A path to a violation exists where
// its bounds leave no cycle that is below 0, and such a cycle is a sum of its durations, each with a coefficient
// that is whole or a fraction: the difference that a small change of one makes is exact. So a path has a law, the conditions under
// which it exists, and the property is violated where any path does. Which paths there are is seen at random
// scenarios, each of which is checked on both sides of the edge; one at which the laws are wrong gives another.
type Laws struct {
	Terms  []Term
	Pause  int           // number of its range
	Most   time.Duration // the longest pause to look at
	Points int           // random scenarios to check
	States int           // that all searches together may keep, 0 for any number
	Seed   uint64
	For    time.Duration // after which ctx ends, 0 if it does not
	// Load makes the proof of a scenario whose terms have other values.
	Load     func(values []time.Duration) (*Proof, error)
	Progress func(doing string)

	kept int // states, so far
	laws *conditions.Laws
	own  *checked // the scenario as it is, nil before its edge is known
}

// maxPaths is how many paths there may be before the search for more is over.
const maxPaths = 64

// sampled is how many random scenarios tell which conditions of a path matter.
const sampled = 300

// Grain is by how much a term is changed to see what that does.
const Grain = time.Millisecond

// ErrNoPath is that a path is none, or another one, where a term is a little more.
var ErrNoPath = errors.New("its path is another one where a duration is 1ms more, or has one that is rounded; want ranges in place of single delays, or that duration left out of the file and of --set")

// ErrNoEdge is that there is no edge to have a law.
var ErrNoEdge = errors.New("there is no edge to have a law")

// ErrLimit is that a search ended before it had an answer.
var ErrLimit = errors.New("a search ended at its limit")

// limit is an error of a search that ended early.
func limit(why certify.Limit) error { return fmt.Errorf("%w: %v", ErrLimit, why) }

// Find finds the laws, and checks them. If ctx ends before that, or a search at its limit while they are checked, it returns
// what is done, and says so.
func (l *Laws) Find(ctx context.Context) (*searches.Laws, error) {
	r := &searches.Laws{Laws: []searches.Law{}, Wrong: []searches.WrongLaw{}, Within: []searches.Ranged{}}
	values := make([]time.Duration, len(l.Terms))
	for i := range l.Terms {
		values[i] = l.Terms[i].Is
	}
	random := splitmix.Stream(l.Seed)
	l.begin(&random, values)
	err := l.learn(ctx, values)
	if err == nil && l.fixed() {
		l.begin(&random, values)
		l.laws.Know(nanoseconds(values), l.own.edge)
		err = l.learnAt(ctx, values, time.Duration(l.own.edge))
	}
	for try := 0; errors.Is(err, ErrNoPath) && try < 5; try++ {
		err = l.learn(ctx, l.draw(&random))
	}
	for i := range l.Terms {
		least, most := l.box(i)
		r.Within = append(r.Within, searches.Ranged{Path: l.Terms[i].Name, LeastNS: int64(least), MostNS: int64(most)})
	}
	found := err == nil
	if found {
		err = l.check(ctx, r, &random)
	}
	for i := range l.laws.List {
		r.Laws = append(r.Laws, l.law(&l.laws.List[i]))
	}
	switch {
	case err != nil && ctx.Err() != nil:
		r.Stopped, err = Ended(ctx, l.For), nil
	case found && errors.Is(err, ErrLimit):
		r.Stopped, err = err.Error(), nil
	}
	return r, err
}

// begin begins without any law, and draws the scenarios that tell what matters.
func (l *Laws) begin(random *splitmix.Stream, values []time.Duration) {
	var samples [][]int64
	for range sampled {
		samples = append(samples, nanoseconds(l.draw(random)))
	}
	l.laws = conditions.NewLaws(append(samples, nanoseconds(values)))
}

// fixed takes terms out of the laws that are 0 in the scenario as it is, and reports whether there are some: those of which the law of
// its path says just that, and those that were given a duration to find the path, if the law is wrong at the scenario. No time
// after a write is no event: any time ends with a timer, whose step may take time.
func (l *Laws) fixed() (some bool) {
	own := nanoseconds(l.own.values)
	l.laws.Refine(own, l.own.edge)
	wrong := l.laws.Holds(own) < l.own.edge
	for i := range l.Terms {
		t := &l.Terms[i]
		t.fixed = t.Is == 0 && (wrong && t.grown || l.laws.Nothing(i))
		some = some || t.fixed
	}
	return some
}

// Ended is why a context ended, which does after some time.
func Ended(ctx context.Context, after time.Duration) string {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return fmt.Sprintf("stopped after %v: --for allows more", after)
	}
	return "interrupted"
}

// learn adds the path that violates the property just above the edge of a scenario.
func (l *Laws) learn(ctx context.Context, values []time.Duration) error {
	l.Progress("the edge")
	edge, err := l.edge(ctx, values, l.Most)
	if err != nil {
		return err
	}
	l.laws.Know(nanoseconds(values), int64(edge))
	if l.own == nil {
		l.own = &checked{values: values, edge: int64(edge)}
	}
	return l.learnAt(ctx, values, edge)
}

// learnAt adds the path of a scenario whose edge is known.
func (l *Laws) learnAt(ctx context.Context, values []time.Duration, edge time.Duration) error {
	l.Progress("the law of a path")
	p, err := l.pathNear(ctx, values, edge)
	if err == nil {
		l.laws.Add(p)
	}
	return err
}

// law is a law as a document has it.
func (l *Laws) law(w *conditions.Law) searches.Law {
	law := searches.Law{Conditions: []searches.Condition{}}
	if w.Step != nil {
		law.Least, law.Most = w.Least, w.Most
	}
	for i := range w.At {
		f, step := &w.At[i], &conditions.Form{Of: make([]int64, len(l.Terms))}
		if w.Step != nil {
			step = &w.Step[i]
		}
		c := searches.Condition{OrEqual: !f.Strict, Pauses: searches.Coefficient{Is: f.Pause, PerN: step.Pause}, ConstantNS: searches.Coefficient{Is: f.At, PerN: step.At}}
		for k := range l.Terms {
			c.Terms = append(c.Terms, searches.Coefficient{Name: l.Terms[k].Name, Is: f.Of[k], PerN: step.Of[k]})
		}
		if f.Parts > 1 {
			c.Parts = f.Parts
		}
		law.Conditions = append(law.Conditions, c)
	}
	law.Write()
	return law
}

// crossed reports whether a range is upside down.
func (l *Laws) crossed(values []time.Duration) bool {
	for i := range l.Terms {
		if a := l.Terms[i].Above; a >= 0 && values[i] > values[a] {
			return true
		}
	}
	return false
}

// edge is the longest pause up to which the property holds, which is expected below some pause.
func (l *Laws) edge(ctx context.Context, values []time.Duration, below time.Duration) (time.Duration, error) {
	for {
		r, s, err := l.run(ctx, values, below)
		switch {
		case err != nil:
			return 0, err
		case r.Verdict == certify.Certified && below == l.Most:
			return 0, fmt.Errorf("%w: no pause up to %v violates it, the longest that was looked at", ErrNoEdge, l.Most)
		case r.Verdict == certify.Certified:
			below = l.Most
			continue
		case !r.Found():
			return 0, limit(r.Bound)
		}
		e, err := s.Edge(ctx, l.Pause, r)
		l.kept += e.Searches * e.Result.States
		switch {
		case err != nil:
			return 0, err
		case e.Holds < 0:
			return 0, fmt.Errorf("%w: %s", ErrNoEdge, l.violatedBy(&s.Faults[l.Pause]))
		case e.Result.Verdict != certify.Certified:
			return 0, limit(e.Result.Bound)
		}
		return e.Holds, nil
	}
}

// violatedBy is that a property is violated by each pause of a range.
func (l *Laws) violatedBy(f *certify.Fault) string {
	if f.Least == 0 {
		return "it is violated without any pause"
	}
	return fmt.Sprintf("each pause of the range violates it; --over %s=0s..%v has shorter ones", f.Path, l.Most/wider)
}

// run looks for a violation with pauses up to some length.
func (l *Laws) run(ctx context.Context, values []time.Duration, most time.Duration) (certify.Result, *certify.Search, error) {
	if l.States > 0 && l.kept >= l.States {
		return certify.Result{}, nil, fmt.Errorf("%w: all together kept %d states", ErrLimit, l.States)
	}
	s, err := l.search(values, max(most, 0))
	if err != nil {
		return certify.Result{}, nil, err
	}
	r, err := s.Run(ctx)
	l.kept += r.States
	return r, s, err
}

// search is that of a scenario with pauses up to some length.
func (l *Laws) search(values []time.Duration, most time.Duration) (*certify.Search, error) {
	p, err := l.Load(values)
	if err != nil {
		return nil, err
	}
	k := &p.search.Faults[l.Pause]
	if k.Least, k.Most = min(k.Least, most), most; l.own != nil {
		k.Least = 0 // a law is of pauses from none on: elsewhere the edge may be below the range
	}
	return p.search, nil
}

// box is between what a term is drawn for the check.
func (l *Laws) box(i int) (least, most time.Duration) {
	t := &l.Terms[i]
	switch {
	case t.Is > 0 && round(t.Is*5/4) == 0:
		return t.Is, t.Is
	case t.Is > 0:
		return round(t.Is * 4 / 5), round(t.Is * 5 / 4)
	case t.fixed:
		return 0, 0
	case t.Above >= 0:
		return 0, round(l.Terms[t.Above].Is * 4 / 5)
	}
	return 0, Grain
}

// round is a duration in whole milliseconds, or microseconds of a short one: some parameters have no finer.
func round(d time.Duration) time.Duration { return inUnits(d, 1) }

// round is a value of the term that may be drawn: a part that paths depend on is whole, too.
func (t *Term) round(d time.Duration) time.Duration {
	if t.parted {
		return inUnits(d, conditions.Parts)
	}
	return round(d)
}

// inUnits is a duration in whole multiples of some milliseconds, or microseconds of a short one.
func inUnits(d, units time.Duration) time.Duration {
	if d >= 20*time.Millisecond {
		return d.Truncate(units * time.Millisecond)
	}
	return d.Truncate(units * time.Microsecond)
}

// draw is a random scenario.
func (l *Laws) draw(random *splitmix.Stream) []time.Duration {
	for {
		values := make([]time.Duration, len(l.Terms))
		for i := range l.Terms {
			least, most := l.box(i)
			if values[i] = least; most > least {
				values[i] = l.Terms[i].round(least + time.Duration(random.Below(uint64(most-least)+1)))
			}
		}
		if !l.crossed(values) {
			return values
		}
	}
}

// seldom is how many scenarios are drawn until a condition decides at none of them.
const seldom = 100

// drawDecided draws a scenario at which a condition of the laws decides, each condition in its turn: where it hardly ever
// does, it would be wrong unseen.
func (l *Laws) drawDecided(random *splitmix.Stream, turn int) []time.Duration {
	n := l.laws.Conditions()
	for range seldom {
		if values := l.draw(random); n == 0 || l.laws.Decides(turn%n, nanoseconds(values)) {
			return values
		}
	}
	return l.draw(random)
}

// checked is a random scenario, and its edge.
type checked struct {
	values []time.Duration
	edge   int64 // -1: it is violated without a pause, and [conditions.Never] by none that was looked at
	tries  int   // to make the laws right there
}

// mostTries is how often the laws are to be made right at a scenario, at which later ones made them wrong again.
const mostTries = 3

// beyond is how far above an edge a violation is looked for: at the first nanosecond it may need two
// instants that differ by less than one.
const beyond = 2

// check checks the laws at the scenario as it is, and at random ones on both sides of the edge.
func (l *Laws) check(ctx context.Context, r *searches.Laws, random *splitmix.Stream) error {
	done := []checked{*l.own}
	err := l.mend(ctx, done)
	for k := 0; k < l.Points && err == nil; k++ {
		l.Progress(fmt.Sprintf("checking the law, %d of %d points", k+1, l.Points))
		at := l.draw(random)
		if k >= l.Points-l.Points/3 {
			at = l.drawDecided(random, k)
		}
		var edge int64
		if edge, err = l.point(ctx, at); err == nil {
			done = append(done, checked{values: at, edge: edge})
			l.laws.Know(nanoseconds(at), edge)
			err = l.mend(ctx, done)
		}
	}
	if own := &done[0]; !l.right(own) {
		r.Own = l.wrong(own)
	}
	for i := range done[1:] {
		d := &done[1+i]
		if d.tries > 0 {
			r.Found++
		}
		if !l.right(d) {
			r.Wrong = append(r.Wrong, *l.wrong(d))
		}
	}
	r.Points = len(done) - 1
	r.Agreed = r.Points - len(r.Wrong)
	return err
}

// right reports whether the laws have the edge of a scenario, as exactly as they can.
func (l *Laws) right(d *checked) bool {
	says, off := l.laws.Holds(nanoseconds(d.values)), l.unsure()
	return d.edge-off <= says && says <= d.edge+off
}

// unsure is how far they may be from it where a part of a duration is no whole nanosecond.
func (l *Laws) unsure() int64 {
	if slices.ContainsFunc(l.Terms, func(t Term) bool { return t.parted }) {
		return 1
	}
	return 0
}

// wrong is a scenario at which the laws are wrong, as a document has it.
func (l *Laws) wrong(d *checked) *searches.WrongLaw {
	return &searches.WrongLaw{At: l.text(d.values), SaysNS: known(l.laws.Holds(nanoseconds(d.values))), IsNS: known(d.edge)}
}

// mend makes the laws right at the scenarios that were checked. What is learned at one may be wrong at an earlier one, so
// that it goes back until nothing is learned any more.
func (l *Laws) mend(ctx context.Context, done []checked) error {
	for i := len(done) - 1; i >= 0; i-- {
		d := &done[i]
		at := nanoseconds(d.values)
		if d.tries == mostTries || l.right(d) {
			continue
		}
		d.tries++
		l.laws.Refine(at, d.edge)
		if d.edge >= 0 && d.edge < l.laws.Holds(at) && l.laws.Paths() < maxPaths {
			if err := l.learnAt(ctx, d.values, time.Duration(d.edge)); err != nil && !errors.Is(err, ErrNoPath) {
				return err
			}
		}
		i = len(done)
	}
	return nil
}

// known is an edge as a document has it.
func known(edge int64) int64 {
	if edge == conditions.Never {
		return searches.NoEdge
	}
	return edge
}

// point is the edge of a scenario: that of the laws where these are right.
func (l *Laws) point(ctx context.Context, at []time.Duration) (int64, error) {
	says := l.laws.Holds(nanoseconds(at))
	none := says == conditions.Never
	if none {
		says = int64(l.Most)
	}
	below, _, err := l.run(ctx, at, time.Duration(says))
	if err != nil {
		return -1, err
	}
	if none && below.Verdict == certify.Certified {
		return conditions.Never, nil
	}
	above, _, err := l.run(ctx, at, time.Duration(says+beyond))
	switch {
	case err != nil:
		return -1, err
	case below.Verdict != certify.Certified && !below.Found(), above.Verdict != certify.Certified && !above.Found():
		return -1, limit(max(below.Bound, above.Bound))
	case says < 0 && above.Found(), below.Verdict == certify.Certified && above.Found():
		return says, nil
	}
	most := l.Most
	if below.Found() {
		most = time.Duration(says)
	}
	is, err := l.edge(ctx, at, most)
	switch {
	case errors.Is(err, ErrNoEdge) && below.Found():
		return -1, nil
	case errors.Is(err, ErrNoEdge):
		return conditions.Never, nil
	}
	return int64(is), err
}

// text is a scenario in words.
func (l *Laws) text(values []time.Duration) string {
	var words []string
	for i := range l.Terms {
		words = append(words, l.Terms[i].Name+"="+amount.Span{Least: values[i], Most: values[i]}.String())
	}
	return strings.Join(words, " ")
}
