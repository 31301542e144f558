package certify

// Limit is why a search ended with [Unknown].
type Limit uint8

// The limits. Of the last four a path violates the property, and no run of the engine shows it.
const (
	None    Limit = iota
	States        // [Limits].States are kept
	Memory        // [Limits].Memory is taken
	Time          // the context of the search is done
	TooWide       // more instants matter at once than a state has room for
	Grows         // states grow without end, maybe
	Between       // the violation exists between whole nanoseconds, and none was found elsewhere
	Ordered       // it takes another order of what happens at one instant than a run has
	Undrawn       // it takes a duration that a distribution does not have
	Clocks        // it takes clocks that read more than they do in any run
)

// String says in words why the search ended; "" of [None].
func (l Limit) String() string {
	return [...]string{"", "states", "memory", "time",
		"more than 250 instants matter at once",
		"the times at which a state is reached grow without end, maybe",
		"a violation was found between whole nanoseconds, and no run of it",
		"a violation takes another order of what happens at one instant than a run has",
		"a violation takes a duration that is never drawn",
		"clocks may read more than they do in any run"}[l]
}
