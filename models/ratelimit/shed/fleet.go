// Package shed drops requests by what they are worth when there is no room for all:
// fleet.go keeps a part of the fleet for what is critical, worker.go sheds class after
// class on one machine. What is shed is answered with 503: it is not the quota of one client.
//
// Source: Stripe, "Scaling your API with rate limiters", 2017, "Fleet usage load
// shedder" and "Worker utilization load shedder".
package shed

import (
	"fmt"
	"slices"
)

// Class is what a request is worth, the most important first.
type Class uint8

// The classes.
const (
	Critical Class = iota // creating a charge
	Post                  // other changes
	Get                   // reads
	Test                  // test mode

	Classes = 4 // how many there are
)

var classNames = [...]string{"critical", "post", "get", "test"}

// String is the class in a word.
func (c Class) String() string { return classNames[c] }

// UnmarshalText reads a class from its word.
func (c *Class) UnmarshalText(text []byte) error {
	i := slices.Index(classNames[:], string(text))
	if i < 0 {
		return fmt.Errorf("want critical, post, get or test, got %q", text)
	}
	*c = Class(i)
	return nil
}

// Fleet keeps a share of the capacity for critical requests: the others are shed while
// they have the rest in use. Critical ones may use everything, and are then not the
// concern of this shedder.
type Fleet struct {
	Capacity int64 // requests that the fleet handles at once, 1 and up
	Reserved int64 // for critical ones, per mille: 0 to 1000. Stripe's is 200

	others int64 // under way, not critical
}

// Validate returns what is wrong with the parameters.
func (f *Fleet) Validate() error {
	if f.Capacity < 1 || f.Capacity > 1<<40 || f.Reserved < 0 || f.Reserved > 1000 {
		return fmt.Errorf("fleet: want a capacity of 1 to 2^40 and 0 to 1000 per mille reserved, got %d and %d", f.Capacity, f.Reserved)
	}
	return nil
}

// Room is how many requests that are not critical may be under way: rounded down, so that what is
// reserved is there.
func (f *Fleet) Room() int64 { return f.Capacity * (1000 - f.Reserved) / 1000 }

// Begin decides a request. One that is let in must End.
func (f *Fleet) Begin(c Class) bool {
	if c == Critical {
		return true
	}
	if f.others >= f.Room() {
		return false
	}
	f.others++
	return true
}

// End is the end of a request that was let in. One that is told of twice ends once, if
// nothing else is under way.
func (f *Fleet) End(c Class) {
	if c != Critical && f.others > 0 {
		f.others--
	}
}
