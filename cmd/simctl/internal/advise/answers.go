package advise

import (
	"context"
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"fencepost/models/lock/promises"
	"fencepost/reports"
)

// Answers are the verdicts of what may happen: each thing alone, and all of it at once. With runs they are put to the test by the
// worst schedules of the rules. Progress is called with each case.
func (s *Settings) Answers(ctx context.Context, e *Events, runs int, progress func(string)) (list []reports.Wish, err error) {
	if e.Holder {
		list = append(list, s.holderCrashes())
	}
	for _, c := range s.cases(e) {
		v := s.judge(e, c)
		w := s.answer(e, v)
		if progress(w.Name()); runs > 0 {
			if err := s.play(ctx, e, v, &w, runs); err != nil {
				return nil, fmt.Errorf("%s: %w", w.Name(), err)
			}
		}
		list = append(list, w)
	}
	return list, nil
}

// cases are those that the reader asks, and before them that nothing happens, if that alone is not safe.
func (s *Settings) cases(e *Events) []Case {
	if v := s.judge(e, Case{}); !v.safe() {
		return append([]Case{{}}, e.Cases()...)
	}
	return e.Cases()
}

// holderCrashes says when another has the lock.
func (s *Settings) holderCrashes() reports.Wish {
	w := reports.Wish{Goal: reports.AdviceSafe, Names: []string{promises.Crash}, Values: []string{"holder"}, Verdict: reports.AdviceSafe}
	if p := s.promise("takeover-crash"); p != nil {
		w.Spared = "another has the lock after at most " + Write(promises.Duration, s.must(p.Formula))
		return w
	}
	w.Verdict, w.Harm = reports.AdviceUnsafe, "no client ever has the lock again"
	return w
}

// promise is the promise of a name, nil if there is none.
func (s *Settings) promise(name string) *promises.Promise {
	i := slices.IndexFunc(s.Lock.Promises, func(p promises.Promise) bool { return p.Name == name })
	if i < 0 {
		return nil
	}
	return &s.Lock.Promises[i]
}

// answer is a verdict as it is told.
func (s *Settings) answer(e *Events, v verdict) reports.Wish {
	w := reports.Wish{Goal: reports.AdviceSafe, Names: v.Names, Verdict: reports.AdviceSafe}
	harm := s.Lock.Harm
	if v.Keeps {
		w.Goal, harm = reports.AdviceKeep, "the holder may lose the lock"
	}
	for _, name := range v.Names {
		w.Values = append(w.Values, s.told(e, v, name))
		if limit, found := s.limit(e, v.Case, name); found {
			w.Limits = append(w.Limits, s.limitOf(name, limit))
		}
	}
	if least, found := s.staysDown(e, v.Case); found {
		w.Limits = append(w.Limits, s.limitOf(promises.Crash, least))
		w.Limits[len(w.Limits)-1].Relation = ">"
	}
	if v.margin != nil {
		margin := floor(v.margin)
		w.MarginNS, w.Schedule = &margin, v.rule.Says
	}
	switch {
	case !v.safe():
		w.Verdict, w.Harm = reports.AdviceUnsafe, harm
		w.Harmless = s.others(e, v)
	case len(w.Limits) == 0:
		w.Spared = "safe at any length"
		if kept := s.judge(e, Case{Keeps: true, Names: v.Names}); !v.Keeps && s.Lock.Renewed() && !kept.safe() {
			w.Spared = "safe at any length, but the holder may lose the lock"
		}
	}
	return w
}

// told is a value of what happens, with the kind of an outage that does harm.
func (s *Settings) told(e *Events, v verdict, name string) string {
	length := Write(unit(name), e.Values[name])
	switch {
	case name == promises.Outage && (!v.safe() || e.Kind != ""):
		return v.Kind + ":" + length
	case name == promises.Crash:
		return "server:" + length
	}
	return length
}

// others are the kinds of an outage that do no harm, where another does.
func (s *Settings) others(e *Events, v verdict) (kinds []string) {
	c := v.Case
	for _, c.Kind = range e.kinds(v.Names) {
		if other := s.margin(e, c); other.safe() {
			kinds = append(kinds, c.Kind)
		}
	}
	return kinds
}

// unit is what is counted of what happens.
func unit(name string) promises.Unit {
	for _, h := range promises.Happens() {
		if h.Name == name {
			return h.Unit
		}
	}
	return promises.Duration
}

func (s *Settings) limitOf(name string, v *big.Rat) reports.WishLimit {
	l := reports.WishLimit{Of: name, Relation: "<", Value: limitText(unit(name), v), Unit: "ns", Number: float64(floor(v))}
	if unit(name) == promises.Share {
		l.Unit = "ppm"
		l.Number, _ = new(big.Rat).Mul(v, big.NewRat(1_000_000, 1)).Float64()
	}
	return l
}

// limitText is a limit with no more digits than anyone sets, rounded down.
func limitText(u promises.Unit, v *big.Rat) string {
	if d := time.Duration(floor(v)); u == promises.Duration && d > time.Second {
		return d.Truncate(100 * time.Microsecond).String()
	}
	return Write(u, v)
}

// play plays the worst schedules of a case: as it is, and on both sides of the limit of the first that happens.
func (s *Settings) play(ctx context.Context, e *Events, v verdict, w *reports.Wish, runs int) error {
	r := &reports.WishRuns{}
	w.Simulated = r
	if s.tests().tooLong(e.blow(v.Case)) {
		w.Simulated = nil
		return nil
	}
	got, err := s.happen(ctx, e, v.Case, runs)
	if err != nil {
		return err
	}
	r.Runs, r.Harmed = len(got.values), got.sum()
	r.Contradicts = v.safe() && r.Harmed > 0
	if got.worst > 0 {
		r.File, r.Seed = got.scene.text(), got.seed
	}
	if len(v.Names) == 0 {
		return nil
	}
	name := v.Names[0]
	limit, found := s.limit(e, v.Case, name)
	if !found {
		return nil
	}
	if below := below(name, limit); below.Sign() > 0 {
		if got, err = s.happen(ctx, e.but(name, below), v.Case, runs); err != nil {
			return err
		}
		r.HarmedBelow = got.sum()
		r.Contradicts = r.Contradicts || r.HarmedBelow > 0
	}
	above, found := s.above(e, v.Case, name, limit)
	if !found {
		return nil
	}
	if got, err = s.happen(ctx, e.but(name, above), v.Case, runs); err != nil {
		return err
	}
	r.Above, r.HarmedAbove = limitText(unit(name), above), got.sum()
	r.Tight = r.HarmedAbove > 0
	return nil
}

// happen is what runs of the worst schedules of a case give.
func (s *Settings) happen(ctx context.Context, e *Events, c Case, runs int) (*seen, error) {
	v := s.judge(e, c)
	return s.tests().happen(e.blow(v.Case)).playSome(ctx, runs)
}

// sum is the sum of the values.
func (s *seen) sum() (n int) {
	for _, v := range s.values {
		n += int(v)
	}
	return n
}

// but is what happens with another value of one of it.
func (e *Events) but(name string, v *big.Rat) *Events {
	other := *e
	other.Values = map[string]*big.Rat{}
	for k, old := range e.Values {
		other.Values[k] = old
	}
	other.Values[name] = v
	return &other
}

// below is the greatest value below a limit that a scenario can have.
func below(name string, limit *big.Rat) *big.Rat {
	least := big.NewRat(1, 1)
	if name == promises.Skew {
		least = big.NewRat(1, 1_000_000)
	}
	return new(big.Rat).Sub(limit, least)
}

// above is a value that is above a limit by as much as the rule may be loose; false if there is none.
func (s *Settings) above(e *Events, c Case, name string, limit *big.Rat) (*big.Rat, bool) {
	v := s.judge(e.but(name, limit), c)
	above, found := s.reaches(e, c, name, new(big.Rat).Neg(s.must(v.rule.Period)))
	if least := big.NewRat(int64(s.Duration(s.Lock.Settings[0].Name))/20, 1); found && name != promises.Skew && above.Cmp(least) < 0 {
		above = least // a margin that is no nearer to harm however little happens
	}
	return above, found
}

// Assumptions are what all verdicts take for granted.
func (s *Settings) Assumptions(e *Events) []string {
	list := []string{
		fmt.Sprintf("a message takes at most %s, and none is lost but in an outage", s.Text("delay")),
		"each thing happens at most once, and may be shorter than is given",
	}
	if e.Values[promises.Skew] == nil {
		list = append(list, "all clocks run at the same rate: --skew says otherwise")
	}
	if e.Values[promises.Outage] != nil && e.Kind == "" {
		list = append(list, "an outage is the worst of "+strings.Join(promises.Kinds(), ", "))
	}
	if s.Lock.Assumes != "" {
		list = append(list, s.Lock.Assumes)
	}
	return list
}
