package advise

import (
	"math/big"
	"slices"
	"strings"

	"fencepost/models/lock/promises"
	"fencepost/reports"
)

// Wishes holds what the reader says may happen against what the settings promise: each alone, and all together where there
// is a formula for it.
func (s *Settings) Wishes() (list []reports.Wish) {
	for i := range s.Lock.Wishes {
		if w := &s.Lock.Wishes[i]; s.wished(w) {
			list = append(list, s.wish(w))
		}
	}
	return list
}

// wished reports whether the reader has given all that a wish is about, and none of it is 0.
func (s *Settings) wished(w *promises.Wish) bool {
	return !slices.ContainsFunc(w.Settings, func(name string) bool {
		_, given := s.given[name]
		return !given || s.values[name].Sign() == 0
	})
}

func (s *Settings) wish(w *promises.Wish) reports.Wish {
	limit, at := s.promised(w.Promise), new(big.Rat)
	if w.Setting != "" {
		at = s.values[w.Setting]
	}
	r := reports.Wish{Names: w.Settings, Promise: w.Promise, Of: w.Setting, Limit: Write(promises.Duration, limit), Harm: w.Harm, Spared: w.Spared, Safe: at.Cmp(limit) < 0}
	r.LimitNS, r.MarginNS = floor(limit), floor(new(big.Rat).Sub(limit, at))
	for _, name := range w.Settings {
		r.Values = append(r.Values, s.Text(name))
	}
	return r
}

// promised is the number of a promise.
func (s *Settings) promised(name string) *big.Rat {
	i := slices.IndexFunc(s.Lock.Promises, func(p promises.Promise) bool { return p.Name == name })
	return s.must(s.Lock.Promises[i].Formula)
}

// Lease is the shortest lease with which no wish does harm, and how long a takeover after a crash takes then; false if there
// is none up to the longest that a lock may have, or all wishes are safe as it is. The lease is the first setting.
func (s *Settings) Lease() (remedy reports.Remedy, found bool) {
	wishes := s.Wishes()
	if !slices.ContainsFunc(wishes, func(w reports.Wish) bool { return !w.Safe }) {
		return remedy, false
	}
	name := s.Lock.Settings[0].Name
	grain := s.must(s.Lock.Grain)
	grains := func(n int64) *Settings {
		given := map[string]string{}
		for k, v := range s.given {
			given[k] = v
		}
		given[name] = Write(promises.Duration, new(big.Rat).Mul(grain, big.NewRat(n, 1)))
		other, err := Read(s.Lock, given)
		if err != nil || slices.ContainsFunc(other.Wishes(), func(w reports.Wish) bool { return !w.Safe }) {
			return nil
		}
		return other
	}
	high := int64(1)
	for grains(high) == nil {
		if high *= 2; new(big.Rat).Mul(grain, big.NewRat(high, 1)).Cmp(big.NewRat(int64(maxLength), 1)) > 0 {
			return remedy, false
		}
	}
	low := high / 2
	for high-low > 1 {
		if middle := (low + high) / 2; grains(middle) == nil {
			low = middle
		} else {
			high = middle
		}
	}
	with := grains(high)
	return reports.Remedy{Set: "--" + name + " " + with.Text(name), Takeover: strings.TrimSpace(Write(promises.Duration, with.promised("takeover-crash")))}, true
}
