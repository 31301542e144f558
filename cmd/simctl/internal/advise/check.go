package advise

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"time"

	"fencepost/models/lock/promises"
	"fencepost/reports"
	"fencepost/reports/units"
)

// trials make the test of a promise by its name, for a value of what is promised. They
// return nil where there is none.
type trials interface {
	trial(name string, at Value) *trial
	// happen is the worst schedule of a case.
	happen(b blow) *trial
	// tooLong reports whether a run of that would take minutes: something of a day, where renewals or attempts come every millisecond.
	tooLong(b blow) bool
	// sample is scene i of an acquisition by the first client, to work for this long; the run
	// continues for the extra time. The second client wants the lock all the time.
	sample(i int, work, extra time.Duration) *scene
}

// tests are the trials of the lock.
func (s *Settings) tests() trials {
	if s.Lock.Renewed() {
		return newSession(s)
	}
	return newLease(s)
}

// Advice is what the settings are; of promises there are none yet.
func (s *Settings) Advice() *reports.Advice {
	a := &reports.Advice{Schema: reports.AdviceSchema, Lock: s.Lock.Name, About: s.Lock.About}
	for _, set := range s.Lock.Settings {
		a.Settings = append(a.Settings, reports.AdviceSetting{Name: set.Name, Value: s.Text(set.Name), Meaning: set.Meaning})
	}
	for _, d := range s.Lock.Derived {
		a.Settings = append(a.Settings, reports.AdviceSetting{Name: d.Name, Value: s.Text(d.Name), Formula: d.Formula, Meaning: d.Meaning})
	}
	return a
}

// Promises calculates what the settings promise and, where runs is not 0, simulates each
// promise with about as many runs. Progress is called with the title of each.
func (s *Settings) Promises(ctx context.Context, runs int, progress func(string)) (list []reports.Promise, err error) {
	for i := range s.Lock.Promises {
		p := &s.Lock.Promises[i]
		progress(p.Title)
		r, err := s.calculated(p)
		if err != nil {
			return nil, err
		}
		if runs > 0 {
			if r.Simulated, err = s.simulate(ctx, p, runs); err != nil {
				return nil, fmt.Errorf("%s: %w", p.Name, err)
			}
		}
		list = append(list, *r)
	}
	return list, nil
}

// calculated is the number of a promise, without its simulation.
func (s *Settings) calculated(p *promises.Promise) (*reports.Promise, error) {
	number := s.number(p)
	v := number.Rat
	r := &reports.Promise{Name: p.Name, Title: p.Title, Says: p.Says, Source: p.Source,
		Formula: p.Quantity + " " + p.Relation.String() + " " + p.Formula, Value: number.String()}
	r.Condition = s.condition(p)
	if proof := s.Lock.ProofOf(p.Name); proof != nil {
		r.Proven = proof.Says()
	}
	r.Relation, r.Unit = p.Relation.String(), [...]string{promises.Duration: "ns", promises.Number: "count", promises.Ratio: "ratio"}[p.Unit]
	if r.Number, _ = v.Float64(); p.Unit == promises.Duration {
		r.Number = float64(number.Duration())
	}
	if p.Relation == promises.Below && v.Sign() <= 0 {
		r.Value = "none (" + r.Value + ")"
	}
	for _, c := range p.Copied {
		v, err := s.Eval(c.Formula)
		if err != nil {
			return nil, err
		}
		r.Copied = append(r.Copied, reports.Copied{Formula: p.Quantity + " " + p.Relation.String() + " " + c.Formula, Value: Value{p.Unit, v}.String(), Says: c.Says})
	}
	return r, nil
}

// number is what a promise comes to: of one that is about harm 0 while the pause does none.
func (s *Settings) number(p *promises.Promise) Value {
	if p.Safe {
		e := &Events{Values: map[string]*big.Rat{promises.Pause: s.values[promises.Pause]}}
		if v := s.judge(e, Case{Names: e.Happens()}); v.safe() {
			return Value{p.Unit, new(big.Rat)}
		}
	}
	return Value{p.Unit, s.must(p.Formula)}
}

// condition says when a promise that is about harm is 0.
func (s *Settings) condition(p *promises.Promise) string {
	e := &Events{Values: map[string]*big.Rat{}}
	limit, found := s.limit(e, Case{Names: []string{promises.Pause}}, promises.Pause)
	if !p.Safe || !found {
		return ""
	}
	return "0 while a pause is below " + Write(promises.Duration, limit) + ", without an outage"
}

// simulate puts a promise to the test; nil if nothing can.
func (s *Settings) simulate(ctx context.Context, p *promises.Promise, runs int) (*reports.Simulated, error) {
	number := s.number(p)
	t := s.tests()
	if p.Relation == promises.Below {
		return s.simulateBelow(ctx, p, t, number, runs)
	}
	tr := t.trial(p.Name, number)
	if tr == nil {
		return nil, nil
	}
	got, err := tr.playSome(ctx, runs)
	if err != nil {
		return nil, err
	}
	return s.compare(p, number, got), nil
}

// compare holds what was measured against the number of a promise.
func (s *Settings) compare(p *promises.Promise, number Value, got *seen) *reports.Simulated {
	r := &reports.Simulated{Runs: len(got.values) + got.missed, Missed: got.missed}
	const enough = 50 // for a mean
	if len(got.values) == 0 || p.Relation == promises.Mean && len(got.values) < enough {
		return r
	}
	worst := Value{p.Unit, big.NewRat(got.worst, 1)}
	r.Worst = worst.short()
	r.File, r.Seed = got.scene.text(), got.seed
	mean, low, high := got.mean()
	r.Mean, r.Low, r.High = Value{p.Unit, mean}.short(), Value{p.Unit, low}.short(), Value{p.Unit, high}.short()
	period := s.must(p.Period)
	switch p.Relation {
	case promises.Most:
		r.Contradicts = worst.Cmp(number.Rat) > 0
		r.Tight = worst.plus(period).Cmp(number.Rat) > 0
		r.Text = "at most " + r.Worst
		if !r.Contradicts && !r.Tight {
			r.Text += ", which is " + Value{p.Unit, new(big.Rat).Sub(number.Rat, worst.Rat)}.short() + " below it: the bound is loose, or too few runs come near it"
		}
	case promises.Mean:
		// One of 20 intervals misses, which is no alarm: one twice as wide misses in one of 10,000. The instants that stand for all lie a step apart.
		far := new(big.Rat).Add(new(big.Rat).Mul(period, big.NewRat(1, phases)), new(big.Rat).Sub(mean, low))
		r.Contradicts = number.plus(far).Cmp(low) < 0 || number.plus(far.Neg(far)).Cmp(high) > 0
		r.Tight = !r.Contradicts
		r.Text = fmt.Sprintf("on average %s, 95%% interval %s to %s", r.Mean, r.Low, r.High)
	case promises.Always:
		r.Contradicts = worst.Cmp(number.Rat) != 0 || got.values[0] != got.worst
		r.Tight = !r.Contradicts
		r.Text = fmt.Sprintf("%d to %d", got.values[0], got.worst)
	}
	return r
}

// simulateBelow looks for harm just below the number, where there must be none, and a
// period above, where there is.
func (s *Settings) simulateBelow(ctx context.Context, p *promises.Promise, t trials, number Value, runs int) (*reports.Simulated, error) {
	r := &reports.Simulated{}
	above := Value{Rat: new(big.Rat)} // there is none
	if p.Period != "" {
		above = number.plus(s.must(p.Period))
	}
	for _, side := range []struct {
		at     Value
		harmed *int
	}{{number.justBelow(), &r.Harmed}, {above, &r.HarmedAbove}} {
		if side.at.Sign() <= 0 {
			continue
		}
		tr := t.trial(p.Name, side.at)
		if tr == nil {
			return nil, nil
		}
		got, err := tr.playSome(ctx, runs)
		if err != nil {
			return nil, err
		}
		for _, v := range got.values {
			*side.harmed += int(v)
		}
		r.Runs, r.Missed = len(got.values)+got.missed, r.Missed+got.missed
		r.File, r.Seed = got.scene.text(), got.seed
	}
	if r.Contradicts, r.Tight = r.Harmed > 0, r.HarmedAbove > 0; r.Runs == 0 {
		r.Text = "nothing: none is harmless"
		return r, nil
	}
	r.Text = fmt.Sprintf("harm in %d of %s below it", r.Harmed, units.Number(r.Runs))
	if p.Period != "" {
		r.Above = above.short()
		r.Text += fmt.Sprintf(", in %s at %s", units.Number(r.HarmedAbove), r.Above)
	}
	return r, nil
}

func (s *Settings) must(text string) *big.Rat {
	v, err := s.Eval(text)
	if err != nil {
		panic(err)
	}
	return v
}

// mean is the average, with the interval in which that of all runs lies with 95%, rounded to nanoseconds.
func (s *seen) mean() (mean, low, high *big.Rat) {
	n, sum, squares := float64(len(s.values)), 0.0, 0.0
	for _, v := range s.values {
		sum += float64(v)
	}
	for _, v := range s.values {
		squares += (float64(v) - sum/n) * (float64(v) - sum/n)
	}
	half := 1.96 * math.Sqrt(squares/(n-1)/n)
	at := func(v float64) *big.Rat { return new(big.Rat).SetInt64(int64(math.Round(v))) }
	return at(sum / n), at(sum/n - half), at(sum/n + half)
}
