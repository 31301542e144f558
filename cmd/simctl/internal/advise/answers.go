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
	for _, c := range e.Cases() {
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
	if v.margin != nil {
		margin := floor(v.margin)
		w.MarginNS, w.Schedule = &margin, v.rule.Says
	}
	switch {
	case !v.safe():
		w.Verdict, w.Harm = reports.AdviceUnsafe, harm
		w.Harmless = s.others(e, v)
	case len(w.Limits) == 0:
		w.Spared = "does no harm, however long or large"
		if kept := s.judge(e, Case{Keeps: true, Names: v.Names}); !v.Keeps && s.Lock.Renewed() && !kept.safe() {
			w.Spared = "does no harm, however long or large; the holder may lose the lock"
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

// play plays the worst schedules of a case.
func (s *Settings) play(ctx context.Context, e *Events, v verdict, w *reports.Wish, runs int) error {
	got, err := s.tests().happen(e.blow(v.Case)).playSome(ctx, runs)
	if err != nil {
		return err
	}
	r := &reports.WishRuns{Runs: len(got.values)}
	for _, harmed := range got.values {
		r.Harmed += int(harmed)
	}
	r.Contradicts = v.safe() && r.Harmed > 0
	if got.worst > 0 {
		r.File, r.Seed = got.scene.text(), got.seed
	}
	w.Simulated = r
	return nil
}

// Assumptions are what all verdicts take for granted.
func (s *Settings) Assumptions(e *Events) []string {
	list := []string{
		fmt.Sprintf("a message takes at most %s, and none is lost but in an outage", s.Text("delay")),
		"each thing happens at most once, and may be shorter than is said",
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
