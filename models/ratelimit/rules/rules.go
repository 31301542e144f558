package rules

import (
	"strings"
	"time"
)

// Unit is the window of a limit. The zero Unit is none, of a limit that is unlimited.
type Unit uint8

// The units. A month has 30 days and a year 365.
const (
	Second Unit = iota + 1
	Minute
	Hour
	Day
	Week
	Month
	Year
)

var units = [...]struct {
	name   string
	length time.Duration
}{
	{"", 0},
	{"second", time.Second},
	{"minute", time.Minute},
	{"hour", time.Hour},
	{"day", 24 * time.Hour},
	{"week", 7 * 24 * time.Hour},
	{"month", 30 * 24 * time.Hour},
	{"year", 365 * 24 * time.Hour},
}

// String is the word of the file, in small letters.
func (u Unit) String() string { return units[u].name }

// Length is how long the window is; 0 for none.
func (u Unit) Length() time.Duration { return units[u].length }

// unitOf is the unit that a word means, in whatever case; 0 for none.
func unitOf(word string) Unit {
	for u := Second; u <= Year; u++ {
		if strings.EqualFold(word, units[u].name) {
			return u
		}
	}
	return 0
}

// Limit is what a rule allows.
type Limit struct {
	ID        string // its place in the file: "domain.key_value.key". No two limits of one set of files have the same, but for keys with dots
	Requests  uint32 // per unit; 0 blocks everything
	Unit      Unit   // 0 if it is unlimited
	Unlimited bool   // it always allows, but is found: it hides what a less specific rule says
	Shadow    bool   // what it refuses is counted and let through
	Quota     bool   // quota_mode: kept as it is
	Name      string // by which others replace it; may be empty
	Replaces  []string
}

// Rules are the rules of all domains, as one set of files has them. They do not change.
type Rules struct{ domains map[string]*level }

// level is what may stand at one depth of a descriptor.
type level struct {
	byKey     map[string]*descriptor // by composite key: key, or key_value
	wildcards []string               // the composite keys that end in *, in the order of the file
}

type descriptor struct {
	limit *Limit // nil: it has none
	share string // share_threshold: the value with its *, which all that it matches count under
	level        // below it
}

func newLevel() level { return level{byKey: map[string]*descriptor{}} }
