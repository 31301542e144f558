package advise

import (
	"math/big"
	"strings"

	"fencepost/models/lock/promises"
	"fencepost/reports"
)

// Remedies are the shortest settings with which nothing that may happen does harm, and those with which the holder keeps the lock
// besides; none where the settings do so as they are, or none do.
func (s *Settings) Remedies(e *Events) (list []reports.Remedy) {
	goals := []string{reports.AdviceSafe}
	if e.Keeps {
		goals = append(goals, reports.AdviceKeep)
	}
	for _, goal := range goals {
		only := *e
		only.Keeps = goal == reports.AdviceKeep
		if s.good(&only) {
			continue
		}
		if with := s.tuned(&only); with != nil {
			list = append(list, with.remedy(goal, s))
		}
	}
	return list
}

// good reports whether no case does harm.
func (s *Settings) good(e *Events) bool {
	for _, c := range s.cases(e) {
		if v := s.judge(e, c); !v.safe() {
			return false
		}
	}
	return true
}

// tuned are the settings with which no case does harm: one after another each is as short as it can be, the rest being long enough.
func (s *Settings) tuned(e *Events) *Settings {
	with := s
	for i, tune := range s.Lock.Tuned {
		fits := func(t *Settings) bool { return t.longest(e, s.Lock.Tuned[i+1:]) }
		if with = with.shortest(tune, fits); with == nil {
			return nil
		}
	}
	if !with.good(e) {
		return nil
	}
	return with
}

// longest reports whether no case does harm with some settings as long as may be.
func (s *Settings) longest(e *Events, rest []promises.Tune) bool {
	if len(rest) == 0 {
		return len(s.wrong) == 0 && s.good(e)
	}
	for n := int64(1); ; n *= 2 {
		t, long := s.grains(rest[0], n)
		if long || t.longest(e, rest[1:]) {
			return !long
		}
	}
}

// shortest is the settings with one of them no longer than it has to be, and not shorter than it was; nil if no length will do.
func (s *Settings) shortest(tune promises.Tune, fits func(*Settings) bool) *Settings {
	if fits(s) {
		return s
	}
	grain := s.must(tune.Grain)
	low := floor(new(big.Rat).Quo(s.values[tune.Setting], grain)) // does not fit
	high := max(1, low)
	var found *Settings
	for found == nil {
		high *= 2
		t, long := s.grains(tune, high)
		switch {
		case long:
			return nil
		case fits(t):
			found = t
		}
	}
	for high-low > 1 {
		middle := low + (high-low)/2
		if t, _ := s.grains(tune, middle); fits(t) {
			high, found = middle, t
		} else {
			low = middle
		}
	}
	return found
}

// grains are the settings with another length of one of them, and whether it is longer than any may be.
func (s *Settings) grains(tune promises.Tune, n int64) (t *Settings, long bool) {
	length := new(big.Rat).Mul(s.must(tune.Grain), big.NewRat(n, 1))
	given := map[string]string{}
	for k, v := range s.given {
		given[k] = v
	}
	given[tune.Setting] = Write(promises.Duration, length)
	return readAny(s.Lock, given, s.load), length.Cmp(big.NewRat(int64(maxLength), 1)) > 0
}

// remedy is the settings that differ from others, and what they cost.
func (s *Settings) remedy(goal string, from *Settings) reports.Remedy {
	r := reports.Remedy{Goal: goal, Costs: s.Costs()}
	var flags []string
	for _, tune := range s.Lock.Tuned {
		if s.values[tune.Setting].Cmp(from.values[tune.Setting]) != 0 {
			flags = append(flags, "--"+tune.Setting+" "+s.Text(tune.Setting))
		}
	}
	r.Set = strings.Join(flags, " ")
	if p := s.promise("takeover-crash"); p != nil {
		r.Takeover = Write(promises.Duration, s.must(p.Formula))
	}
	return r
}

// Costs are the requests per second, of those that renew.
func (s *Settings) Costs() (list []string) {
	for _, c := range s.Lock.Costs {
		list = append(list, strings.TrimRight(strings.TrimRight(s.must(c.Formula).FloatString(3), "0"), ".")+" requests/s of "+c.Who)
	}
	return list
}

// Watch is the line for an operator; "" of a lock that is not renewed.
func (s *Settings) Watch() string {
	w := s.Lock.Watch
	if w.Formula == "" {
		return ""
	}
	return "alert when the last " + w.What + " is more than " + Write(promises.Duration, s.must(w.Formula)) + " ago: " + w.Says
}
