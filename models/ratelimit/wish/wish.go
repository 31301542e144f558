// Package wish is what the owner of a limiter wants of it, beside the rules that it has: a model checks its decisions against
// both, and the difference is what the owner has got wrong.
package wish

import (
	"fmt"
	"time"

	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// Wish is at most Limit requests of a user in any half-open window (t-W, t]. The zero Wish is none.
type Wish struct {
	Limit  int64         `yaml:"limit" range:"0..1099511627776"` // requests of one user in any window
	Window time.Duration `yaml:"window" range:"0s..640000h"`     // as in 1m
}

// Given reports whether there is a wish.
func (w Wish) Given() bool { return w != Wish{} }

// Problems adds what is wrong with the wish, in the block of that name.
func (w Wish) Problems(found *model.Errors) {
	switch {
	case w.Limit > 0 && w.Window == 0:
		found.Add("wish.window", "a wish needs a unit: want the time in which %d requests are allowed, as in window: 1m", w.Limit)
	case w.Window > 0 && w.Limit == 0:
		found.Add("wish.limit", "want how many requests are allowed in %s, as in limit: 60", values.Length(w.Window))
	}
}

// String is the wish as a bound, "" if there is none.
func (w Wish) String() string {
	if !w.Given() {
		return ""
	}
	return fmt.Sprintf("the wish is %d of a user in any %s", w.Limit, values.Length(w.Window))
}
