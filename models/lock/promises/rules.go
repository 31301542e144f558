package promises

// Rule is up to when something does no harm: for as long as its formula is above 0, which is the margin. The formula has what may
// happen in it, each by its name, and 0 for what does not happen. Of several rules the least margin counts.
type Rule struct {
	Keeps   bool     // it is about whether the holder keeps the lock; otherwise about whether two have it
	Needs   []string // what must happen for the rule to say something
	Kinds   []string // of an outage, of which it is one; none: any
	Formula string
	Forgets bool   // a server that comes back has forgotten the lock: harmless if it stays down for long enough
	Period  string // a margin of less than the negative of that does harm in some run
	Says    string // the worst schedule
}

// What may happen to a lock. A word is the name of a flag, and of a variable of the rules.
const (
	Pause  = "pause"  // of the holder's process: a duration
	Outage = "outage" // of the servers, all of them, one of the kinds: a duration
	Skew   = "skew"   // of the clocks' rates, each up to this from true: a share
	Step   = "step"   // of the wall clocks, forward those of servers, back those of clients: a duration
)

// The kinds of outages.
const (
	Refused = "refused" // each request fails at once
	Hanging = "hanging" // requests wait, and are served when it is over
	Cut     = "cut"     // requests and answers are lost
	Crash   = "crash"   // the servers crash, and come back; also what may happen to one server alone
)

// Kinds are the kinds of outages, in the order in which they are told.
func Kinds() []string { return []string{Cut, Hanging, Refused, Crash} }

// lasting are the kinds in which the servers run on.
var lasting = []string{Cut, Hanging, Refused}

// Happens is what may happen to any lock, in the order in which it is told.
func Happens() []Setting {
	return []Setting{
		{Pause, Duration, "0s", "longest pause of the holder, as by a collection"},
		{Outage, Duration, "0s", "longest time in which the holder gets no answer of the servers"},
		{Crash, Duration, "0s", "longest time until a server that crashes is back"},
		{Skew, Share, "0", "how far the rate of a clock is from true, at most"},
		{Step, Duration, "0s", "longest step of a wall clock"},
	}
}

// Terms are what the rules of all locks have in common.
func Terms() []Derived {
	return []Derived{
		{"fast", Share, "1 + skew", "seconds that the fastest clock counts in one"},
		{"slow", Share, "1/(1 - skew)", "seconds until the slowest clock has counted one"},
	}
}

// Tune is a setting that makes a lock safe, and the step in which it is looked for.
type Tune struct{ Setting, Grain string }

// Cost is a number of requests per second.
type Cost struct {
	Who     string
	Formula string
}

// Watch is what an operator can watch: the age of the last renewal from which on something is wrong.
type Watch struct {
	Formula string // "" of a lock that is not renewed
	What    string // that is older
	Says    string // why
}
