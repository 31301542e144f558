package advise

import (
	"fmt"
	"math/big"
	"slices"

	"fencepost/models/lock/promises"
	"fencepost/sim/formula"
)

// Case is some of what happens, at once.
type Case struct {
	Keeps bool // whether the holder keeps the lock; otherwise whether it is safe
	Names []string
	Kind  string // of the outage
}

// verdict is how far a case is from doing harm.
type verdict struct {
	Case
	margin *big.Rat       // nil: nothing of it can do harm
	rule   *promises.Rule // that has the margin
}

func (v *verdict) safe() bool { return v.margin == nil || v.margin.Sign() > 0 }

// Cases are what the reader asks: each thing that happens alone, and all of them at once.
func (e *Events) Cases() (list []Case) {
	names := e.Happens()
	goals := []bool{false}
	if e.Keeps {
		goals = append(goals, true)
	}
	for _, keeps := range goals {
		for i := range names {
			list = append(list, Case{Keeps: keeps, Names: names[i : i+1]})
		}
		if len(names) > 1 {
			list = append(list, Case{Keeps: keeps, Names: names})
		}
	}
	return list
}

// judge is the verdict of a case, with the worst kind of an outage if none is given.
func (s *Settings) judge(e *Events, c Case) verdict {
	worst := verdict{Case: c}
	for _, kind := range e.kinds(c.Names) {
		c.Kind = kind
		v := s.margin(e, c)
		if worst.Kind == "" || v.margin != nil && (worst.margin == nil || v.margin.Cmp(worst.margin) < 0) {
			worst = v
		}
	}
	return worst
}

// kinds are those that an outage may have; a crash of one server is of its own.
func (e *Events) kinds(names []string) []string {
	switch {
	case !slices.Contains(names, promises.Outage):
		return []string{promises.Crash}
	case e.Kind != "":
		return []string{e.Kind}
	}
	return promises.Kinds()
}

// margin is the least that a rule gives.
func (s *Settings) margin(e *Events, c Case) verdict {
	v := verdict{Case: c}
	values := s.during(e.of(c))
	for i := range s.Lock.Rules {
		r := &s.Lock.Rules[i]
		if r.Keeps != c.Keeps || !applies(r, c) {
			continue
		}
		if m := must(r.Formula, values); v.margin == nil || m.Cmp(v.margin) < 0 {
			v.margin, v.rule = m, r
		}
	}
	return v
}

// applies reports whether a rule says something of a case.
func applies(r *promises.Rule, c Case) bool {
	if slices.ContainsFunc(r.Needs, func(name string) bool { return !slices.Contains(c.Names, name) }) {
		return false
	}
	crashes := slices.Contains(c.Names, promises.Crash)
	return len(r.Kinds) == 0 || slices.Contains(c.Names, promises.Outage) && slices.Contains(r.Kinds, c.Kind) || crashes && slices.Contains(r.Kinds, promises.Crash)
}

// of are the values of a case: 0 for what does not happen in it. A server that crashes is out of reach meanwhile, and may be back at once.
func (e *Events) of(c Case) map[string]*big.Rat {
	values := map[string]*big.Rat{}
	for _, h := range promises.Happens() {
		values[h.Name] = new(big.Rat)
		if slices.Contains(c.Names, h.Name) {
			values[h.Name] = e.Values[h.Name]
		}
	}
	if !slices.Contains(c.Names, promises.Outage) {
		values[promises.Outage] = values[promises.Crash]
	}
	if !e.Exact {
		values[promises.Crash] = new(big.Rat)
	}
	return values
}

// during are the settings, what happens, and the terms of the rules.
func (s *Settings) during(happens map[string]*big.Rat) map[string]*big.Rat {
	values := map[string]*big.Rat{}
	for name, v := range s.values {
		values[name] = v
	}
	for name, v := range happens {
		values[name] = v
	}
	for _, t := range slices.Concat(promises.Terms(), s.Lock.Terms) {
		values[t.Name] = must(t.Formula, values)
	}
	return values
}

// must is the value of a formula of the program.
func must(text string, values map[string]*big.Rat) *big.Rat {
	names := make([]string, 0, len(values))
	for name := range values {
		names = append(names, name)
	}
	f, err := formula.ParseOf(text, names)
	if err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	v, err := f.Exact(func(name string) *big.Rat { return values[name] })
	if err != nil {
		panic(fmt.Sprintf("%s: %v", text, err))
	}
	return v
}

// limit is the least value of what happens with which the case does harm, the others being what they are; false if there is none. What
// has a length is looked for in nanoseconds, a share in parts per billion.
func (s *Settings) limit(e *Events, c Case, name string) (limit *big.Rat, found bool) {
	return s.reaches(e, c, name, new(big.Rat))
}

// reaches is the least value with which the margin is no more than a number.
func (s *Settings) reaches(e *Events, c Case, name string, margin *big.Rat) (value *big.Rat, found bool) {
	most, unit := int64(maxLength), big.NewRat(1, 1)
	if name == promises.Skew {
		most, unit = 490_000_000, big.NewRat(1, 1_000_000_000)
	}
	harms := func(n int64) bool {
		v := s.judge(e.but(name, new(big.Rat).Mul(unit, big.NewRat(n, 1))), c)
		return v.margin != nil && v.margin.Cmp(margin) <= 0
	}
	if !harms(most) {
		return nil, false
	}
	low, high := int64(-1), most // safe, and not
	for high-low > 1 {
		if middle := low + (high-low)/2; harms(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return new(big.Rat).Mul(unit, big.NewRat(high, 1)), true
}

// staysDown is for how long a server that crashes has to be down, at least, so that the case does no harm; false if that does not help.
func (s *Settings) staysDown(e *Events, c Case) (least *big.Rat, found bool) {
	if v := s.judge(e, c); v.safe() || !v.rule.Forgets || !slices.Contains(c.Names, promises.Crash) {
		return nil, false
	}
	safe := func(n int64) bool {
		other := e.but(promises.Crash, big.NewRat(n, 1))
		other.Exact = true
		v := s.judge(other, c)
		return v.safe()
	}
	low, high := int64(0), int64(maxLength)
	if !safe(high) {
		return nil, false
	}
	for high-low > 1 {
		if middle := low + (high-low)/2; safe(middle) {
			high = middle
		} else {
			low = middle
		}
	}
	return big.NewRat(low, 1), true
}
