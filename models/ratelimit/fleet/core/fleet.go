// Package core is what every form of a fleet has: clients, the limiter that decides alone, what is
// remembered of each key, and who is who. A form imports it, and no other form.
package core

import (
	"fmt"
	"strings"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Fleet is what every form is built from: what the parameters say of all of them.
type Fleet struct {
	Algorithm // of each limiter
	Limiters  int
	Divided   bool           // each limiter has its part of the limit, and not the whole
	Clients   []ClientParams // as they are written
	Layout    Layout
}

// Share is the limit that each limiter has.
func (f *Fleet) Share() int64 {
	if f.Divided {
		return f.Limit / int64(max(1, f.Limiters))
	}
	return f.Limit
}

// MustKeys are the states of all keys under a limit that has been checked.
func (f *Fleet) MustKeys(limit int64) Keys {
	k, err := f.Keys(limit, f.Layout.Keys)
	if err != nil {
		panic(err) // the parameters have been checked
	}
	return k
}

// Problems adds the mistakes in the limit, which every form has, and in the
// algorithm.
func (f *Fleet) Problems(found *model.Errors) {
	refused := map[string]bool{}
	say := func(err error) {
		if err == nil {
			return
		}
		for line := range strings.SplitSeq(err.Error(), "\n") {
			key, what, _ := strings.Cut(line, ": ")
			if path := PathOf(key); !refused[path] {
				refused[path] = true
				found.Add(path, "%s", what)
			}
		}
	}
	say(ratelimit.SlidingLogParams{Limit: f.Limit, Window: f.Window}.Validate())
	refused["burst"] = refused["limit"] && f.Burst == nil // it is the limit
	if f.Limit > 0 && f.Share() == 0 {
		refused["limit"] = true
		found.Add("share", "%d divided by %d limiters leaves none for each", f.Limit, f.Limiters)
	}
	_, err := f.Keys(f.Share(), 1)
	say(err)
	f.nginxProblems(found)
	if tokens := values.Or(f.Tokens, 0); tokens < 0 {
		found.Add("tokens", "want 0 or more, got %d", tokens)
	}
}

// nginxProblems adds what limit_req does not have.
func (f *Fleet) nginxProblems(found *model.Errors) {
	if f.Algorithm.Algorithm != "nginx" {
		return
	}
	found.If(f.Window != time.Second && f.Window != time.Minute, "window", "nginx has rates per second and per minute: want 1s or 1m, got %v", f.Window)
	found.If(f.Window == time.Minute && f.Share()*1000/60 == 0, "limit", "nginx keeps the rate in thousandths of a request per second: want 1r/m or more, got %d", f.Share())
	for i, c := range f.Clients {
		found.If(values.Or(c.Cost, 1) != 1, fmt.Sprintf("clients.%d.cost", i), "nginx counts requests: want 1, got %d", values.Or(c.Cost, 1))
	}
}
