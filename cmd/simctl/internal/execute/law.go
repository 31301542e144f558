package execute

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"fencepost/cmd/simctl/internal/amount"
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
}

// Laws finds how the edge of a pause depends on the terms of a scenario. An edge is where the bounds of
// a path have a cycle without slack, so that near a scenario it is a sum of its durations, each with a
// whole coefficient, over the number of pauses on the cycle: the difference that a small change of
// one makes is exact. What holds near one scenario need not hold at others, so that random ones are
// checked on both sides of the edge; one that is violated sooner gives another law.
type Laws struct {
	Terms  []Term
	Pause  int           // number of its range
	Most   time.Duration // the longest pause to look at
	Points int           // random scenarios to check
	States int           // that all searches together may keep, 0 for any number
	Seed   uint64
	// Load makes the proof of a scenario whose terms have other values.
	Load     func(values []time.Duration) (*Proof, error)
	Progress func(doing string)

	kept int // states, so far
}

// maxLaws is how many laws there may be before the search for more is over.
const maxLaws = 8

// grain is by how much a term is changed to see what that does.
const grain = time.Millisecond

// ErrKink is that an edge is no sum of the terms where it is looked at.
var ErrKink = errors.New("the edge has a kink there")

// ErrNoEdge is that there is no edge to have a law.
var ErrNoEdge = errors.New("no pause that was looked at violates it, or one of any length does: there is no edge to have a law")

// ErrLimit is that a search ended before it had an answer.
var ErrLimit = errors.New("a search ended at its limit")

// limit is an error of a search that ended early.
func limit(why certify.Limit) error { return fmt.Errorf("%w: %v", ErrLimit, why) }

// Find finds the laws, and checks them. If ctx ends before that, or a search at its limit, it returns what
// is done.
func (l *Laws) Find(ctx context.Context) (*searches.Laws, error) {
	r := &searches.Laws{Laws: []searches.Law{}, Wrong: []searches.WrongLaw{}, Within: []searches.Ranged{}}
	values := make([]time.Duration, len(l.Terms))
	for i := range l.Terms {
		values[i] = l.Terms[i].Is
		least, most := l.box(i)
		r.Within = append(r.Within, searches.Ranged{Path: l.Terms[i].Name, LeastNS: int64(least), MostNS: int64(most)})
	}
	random := splitmix.Stream(l.Seed)
	law, err := l.at(ctx, values)
	for try := 0; errors.Is(err, ErrKink) && try < 5; try++ {
		law, err = l.at(ctx, l.draw(&random))
	}
	if err != nil {
		return r, endless(ctx, err)
	}
	r.Laws = append(r.Laws, *law)
	return r, endless(ctx, l.check(ctx, r, &random))
}

// endless is an error that is not the end of ctx.
func endless(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}

// at is the law near a scenario.
func (l *Laws) at(ctx context.Context, values []time.Duration) (*searches.Law, error) {
	l.Progress("the edge")
	edge, err := l.edge(ctx, values, l.Most)
	if err != nil {
		return nil, err
	}
	law := &searches.Law{Pauses: 1}
	var of []fraction
	for i := range l.Terms {
		l.Progress("the law: " + l.Terms[i].Name)
		f, err := l.slope(ctx, values, i, edge)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Terms[i].Name, err)
		}
		of = append(of, f)
		law.Pauses = lcm(law.Pauses, f.over)
		law.At = append(law.At, searches.Valued{Path: l.Terms[i].Name, IsNS: int64(values[i])})
	}
	rest := law.Pauses * int64(edge)
	for i, f := range of {
		c := f.of * law.Pauses / f.over
		law.Terms = append(law.Terms, searches.Valued{Path: l.Terms[i].Name, IsNS: c})
		rest -= c * int64(values[i])
	}
	law.ConstantNS = roundest(rest, rest+law.Pauses-1) // the edge was rounded down
	law.Text = law.Write()
	return law, nil
}

// slope is by how much the edge moves for each nanosecond of a term.
func (l *Laws) slope(ctx context.Context, values []time.Duration, i int, edge time.Duration) (fraction, error) {
	var found []fraction
	for _, step := range []time.Duration{grain, -grain} {
		moved := slices.Clone(values)
		moved[i] += step
		if moved[i] < 0 || l.crossed(moved) {
			continue
		}
		e, err := l.edge(ctx, moved, edge+10*grain)
		if err != nil {
			return fraction{}, err
		}
		f, ok := fractionOf(int64(e-edge), int64(step))
		if !ok {
			return fraction{}, ErrKink
		}
		found = append(found, f)
	}
	if len(found) == 0 || found[0] != found[len(found)-1] {
		return fraction{}, ErrKink
	}
	return found[0], nil
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
			return 0, ErrNoEdge
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
			return 0, ErrNoEdge
		case e.Result.Verdict != certify.Certified:
			return 0, limit(e.Result.Bound)
		}
		return e.Holds, nil
	}
}

// run looks for a violation with pauses up to some length.
func (l *Laws) run(ctx context.Context, values []time.Duration, most time.Duration) (certify.Result, *certify.Search, error) {
	if l.States > 0 && l.kept >= l.States {
		return certify.Result{}, nil, fmt.Errorf("%w: all together kept %d states", ErrLimit, l.States)
	}
	p, err := l.Load(values)
	if err != nil {
		return certify.Result{}, nil, err
	}
	s := p.search
	k := &s.Faults[l.Pause]
	k.Least, k.Most = min(k.Least, max(most, 0)), max(most, 0)
	r, err := s.Run(ctx)
	l.kept += r.States
	return r, s, err
}

// box is between what a term is drawn for the check.
func (l *Laws) box(i int) (least, most time.Duration) {
	t := &l.Terms[i]
	switch {
	case t.Is > 0:
		return round(t.Is * 4 / 5), round(t.Is * 5 / 4)
	case t.Above >= 0:
		return 0, round(l.Terms[t.Above].Is * 4 / 5)
	}
	return 0, grain
}

// round is a duration in whole milliseconds, or microseconds of a short one: some parameters have no finer.
func round(d time.Duration) time.Duration {
	if d >= 20*time.Millisecond {
		return d.Truncate(time.Millisecond)
	}
	return d.Truncate(time.Microsecond)
}

// draw is a random scenario.
func (l *Laws) draw(random *splitmix.Stream) []time.Duration {
	for {
		values := make([]time.Duration, len(l.Terms))
		for i := range l.Terms {
			least, most := l.box(i)
			values[i] = round(least + time.Duration(random.Below(uint64(most-least)+1)))
		}
		if !l.crossed(values) {
			return values
		}
	}
}

// checked is a random scenario, and the edge that was confirmed there, or -1.
type checked struct {
	values []time.Duration
	edge   int64
}

// beyond is how far above an edge a violation is looked for: at the first nanosecond it may need two
// instants that differ by less than one.
const beyond = 2

// check checks the laws at random scenarios, on both sides of the edge.
func (l *Laws) check(ctx context.Context, r *searches.Laws, random *splitmix.Stream) error {
	var done []checked
	for k := range l.Points {
		l.Progress(fmt.Sprintf("checking the law, %d of %d points", k+1, l.Points))
		at := l.draw(random)
		edge, err := l.point(ctx, r, at)
		if errors.Is(err, ErrLimit) {
			r.Stopped = err.Error()
			break
		}
		if err != nil {
			return err
		}
		done = append(done, checked{at, edge})
		r.Points++
	}
	var right, wrong [][]time.Duration
	for i := range done { // laws that were found later are laws of the first points as well
		d := &done[i]
		is := l.predicted(r, d.values)
		if is != d.edge && d.edge >= 0 {
			r.Wrong = append(r.Wrong, searches.WrongLaw{At: l.text(d.values), SaysNS: is, IsNS: d.edge})
		}
		if is == d.edge {
			right = append(right, d.values)
		} else {
			wrong = append(wrong, d.values)
		}
	}
	r.Side = l.side(right, wrong)
	r.Agreed = r.Points - len(r.Wrong)
	return nil
}

// point checks the laws at a scenario, and returns the edge where they are right, -1 where not.
func (l *Laws) point(ctx context.Context, r *searches.Laws, at []time.Duration) (int64, error) {
	says := l.predicted(r, at)
	below, _, err := l.run(ctx, at, time.Duration(says))
	if err != nil {
		return -1, err
	}
	above, _, err := l.run(ctx, at, time.Duration(says+beyond))
	switch {
	case err != nil:
		return -1, err
	case below.Verdict != certify.Certified && !below.Found(), above.Verdict != certify.Certified && !above.Found():
		return -1, limit(max(below.Bound, above.Bound))
	case says >= 0 && below.Verdict == certify.Certified && above.Found():
		return says, nil
	case says < 0 && above.Found():
		return says, nil
	}
	is, err := l.edge(ctx, at, l.Most)
	if errors.Is(err, ErrNoEdge) {
		is, err = -1, nil
	}
	if err != nil {
		return -1, err
	}
	if int64(is) < says && len(r.Laws) < maxLaws { // violated sooner: by another schedule
		law, err := l.at(ctx, at)
		if err == nil {
			r.Laws = append(r.Laws, *law)
			return int64(is), nil
		}
		if !errors.Is(err, ErrKink) && !errors.Is(err, ErrNoEdge) {
			return -1, err
		}
	}
	r.Wrong = append(r.Wrong, searches.WrongLaw{At: l.text(at), SaysNS: says, IsNS: int64(is)})
	return -1, nil
}

// predicted is the edge by the laws: each says when it is violated.
func (l *Laws) predicted(r *searches.Laws, at []time.Duration) int64 {
	least := int64(math.MaxInt64)
	for i := range r.Laws {
		w := &r.Laws[i]
		sum := w.ConstantNS
		for j := range w.Terms {
			sum += w.Terms[j].IsNS * int64(at[j])
		}
		least = min(least, floor(sum, w.Pauses))
	}
	return least
}

// text is a scenario in words.
func (l *Laws) text(values []time.Duration) string {
	var words []string
	for i := range l.Terms {
		words = append(words, l.Terms[i].Name+"="+amount.Span{Least: values[i], Most: values[i]}.String())
	}
	return strings.Join(words, " ")
}

// fraction is a quotient in its lowest terms.
type fraction struct{ of, over int64 }

// fractionOf is the simplest quotient, with at most 6 below, that a difference of edges, each rounded
// down to a nanosecond, may be.
func fractionOf(difference, step int64) (fraction, bool) {
	if step < 0 {
		difference, step = -difference, -step
	}
	for over := int64(1); over <= 6; over++ {
		of := floor(difference*over+step/2, step)
		if off := difference*over - of*step; off <= 2*over && off >= -2*over {
			return fraction{of, over}, true
		}
	}
	return fraction{}, false
}

// floor is a quotient rounded down.
func floor(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func lcm(a, b int64) int64 {
	x, y := a, b
	for y != 0 {
		x, y = y, x%y
	}
	return a / x * b
}

// roundest is the number between two that ends in the most zeros.
func roundest(a, b int64) int64 {
	for unit := int64(1e12); unit > 1; unit /= 10 {
		if n := floor(b, unit) * unit; n >= a {
			return n
		}
	}
	return b
}
