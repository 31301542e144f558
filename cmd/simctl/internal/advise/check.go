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
	// sample is scene i of an acquisition by the first client, to work for this long; the run
	// continues for the extra time. The second client wants the lock all the time.
	sample(i int, work, extra time.Duration) *scene
}

// tests are the trials of the lock.
func (s *Settings) tests() trials {
	if s.Lock.Name == "redis" || s.Lock.Name == "redlock" {
		return newLease(s)
	}
	return newSession(s)
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
		if p.Needs != "" && s.must(p.Needs).Sign() == 0 {
			continue
		}
		progress(p.Title)
		r, err := s.promise(p)
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

// promise is the number of a promise, without its simulation.
func (s *Settings) promise(p *promises.Promise) (*reports.Promise, error) {
	v, err := s.Eval(p.Formula)
	if err != nil {
		return nil, err
	}
	number := Value{p.Unit, v}
	r := &reports.Promise{Name: p.Name, Title: p.Title, Says: p.Says, Source: p.Source,
		Formula: p.Quantity + " " + p.Relation.String() + " " + p.Formula, Value: number.String()}
	r.Number, _ = v.Float64()
	if p.Unit == promises.Duration {
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

// simulate puts a promise to the test; nil if nothing can.
func (s *Settings) simulate(ctx context.Context, p *promises.Promise, runs int) (*reports.Simulated, error) {
	number := Value{p.Unit, s.must(p.Formula)}
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
	const enough = 50 // for a median
	if len(got.values) == 0 || p.Relation == promises.Median && len(got.values) < enough {
		return r
	}
	worst := Value{p.Unit, big.NewRat(got.worst, 1)}
	r.Worst = worst.short()
	r.File, r.Seed = got.scene.text(), got.seed
	median, low, high := got.median()
	r.Median, r.Low, r.High = Value{p.Unit, median}.short(), Value{p.Unit, low}.short(), Value{p.Unit, high}.short()
	period := s.must(p.Period)
	switch p.Relation {
	case promises.Most:
		r.Contradicts = worst.Cmp(number.Rat) > 0
		r.Tight = worst.plus(period).Cmp(number.Rat) > 0
		r.Text = "at most " + r.Worst
	case promises.Median:
		quarter := new(big.Rat).Mul(period, big.NewRat(1, 4))
		r.Contradicts = number.plus(quarter).Cmp(low) < 0 || number.plus(quarter.Neg(quarter)).Cmp(high) > 0
		r.Tight = !r.Contradicts
		r.Text = fmt.Sprintf("median %s, 95%% interval %s to %s", r.Median, r.Low, r.High)
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
	r.Contradicts, r.Tight = r.Harmed > 0, r.HarmedAbove > 0
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

// median is the middle value, with the order statistics between which the median of all
// lies with 95%.
func (s *seen) median() (median, low, high *big.Rat) {
	n := len(s.values)
	half := 0.98 * math.Sqrt(float64(n))
	at := func(i float64) *big.Rat { return new(big.Rat).SetInt64(s.values[min(max(int(i), 0), n-1)]) }
	return at(float64(n) / 2), at(float64(n)/2 - half - 1), at(float64(n)/2 + half + 1)
}
