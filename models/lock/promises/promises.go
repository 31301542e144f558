// Package promises holds what the settings of a lock promise, as closed forms: when the
// lock is taken over, which outage and which pause it survives, how long two may hold it.
//
// A formula is text in the words of the settings, such as "ttl - work - 2*delay", with
// durations in nanoseconds, + - * / and the functions min, max, floor and sqrt of package
// sim/formula. What is printed is what is calculated: there is no second copy in code.
package promises

// Lock is a lock, or an election, with its settings and what they promise.
type Lock struct {
	Name      string // of the command and of the parameter service
	About     string
	Servers   []string // the nodes that count the lease
	Unchecked bool     // a holder has no deadline that it could check
	Settings  []Setting
	Derived   []Derived
	Limits    []Limit
	Promises  []Promise

	Harm    string    // what happens where it is not safe
	Terms   []Derived // what its rules have in common
	Rules   []Rule    // while it is
	Assumes string    // what the rules take for granted, besides what all locks do; "" for nothing
	Tuned   []Tune    // the settings that make it safe, the one that all depends on last
	Costs   []Cost
	Watch   Watch // of a lock that its holder renews
}

// Renewed reports whether the holder renews the lock, and may keep it.
func (l *Lock) Renewed() bool { return l.Watch.Formula != "" }

// Unit is what a number counts.
type Unit uint8

// The units.
const (
	Duration Unit = iota
	Number
	Ratio // of two clock rates
	Share // in parts per million
)

// Setting is a number that the reader gives. Its name is a variable of the formulas.
type Setting struct {
	Name    string
	Unit    Unit
	Default string // as it is written, or a formula of the settings before it
	Meaning string
}

// Derived is a number that the formulas have in common.
type Derived struct {
	Name    string
	Unit    Unit
	Formula string
	Meaning string
}

// Limit is what settings must keep: the formula must be above 0.
type Limit struct {
	Setting string
	Formula string
	Message string
}

// Relation says how a number stands to what happens.
type Relation uint8

// The relations.
const (
	Most   Relation = iota // what happens is never above the number
	Mean                   // it is this on average
	Below                  // what is below the number does no harm
	Always                 // it is this number each time
)

// String is the relation as a formula has it.
func (r Relation) String() string { return [...]string{"<=", "~", "<", "="}[r] }

// Promise is one number that follows from the settings.
type Promise struct {
	Name     string // in kebab case
	Title    string
	Says     string // what the number means, in a sentence
	Unit     Unit
	Quantity string // left of the relation, in a word
	Relation Relation
	Formula  string
	// Period is a step by which such a formula is easily wrong: what happens in the worst
	// of many runs lies nearer to the number than that.
	Period string
	Safe   bool // it is 0 where what may happen is safe
	Copied []Copied
	Source string
}

// Copied is a formula that is often used in place of the promise's, and is not the same.
type Copied struct {
	Formula string
	Says    string // what is said with it, and what it overlooks
}

// Locks are the locks, in the order in which a reader looks for them.
func Locks() []Lock {
	return []Lock{redis(), redlock(), sentinel(), watchdog(), etcd(), zookeeper(), consul(), k8sLease(), naive()}
}

// delay is a setting of all locks.
func delay(value string) Setting {
	return Setting{"delay", Duration, value, "longest time that a message travels, one way"}
}

// redisDrift is the allowance for clock errors.
//
// Source: redlock-rb (antirez, 2014), redlock.rb, lock, drift.
func redisDrift(of string) Derived {
	return Derived{"drift", Duration, "floor(" + of + "/100, 1ms) + 2ms", "allowance for clock errors: 1% in whole milliseconds, and 2 ms"}
}
