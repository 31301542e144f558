package sim

import (
	"fmt"
	"strings"
	"time"
)

// FaultKind is one kind of fault: all that is said about it, once. The engine injects it by its row, scenario files and
// their reference have its word and its keys, sentences its clause, a search draws it within the keys of a budget, and
// shrinking makes its amount smaller. A new fault is a file with a constant, a row and what it does to a world.
type FaultKind struct {
	Word   string // as scenarios and replay files call it
	Plural string // what its injections are called, before " of client-1"
	About  string // what happens, for the reference of scenario files

	// Clause is what it does, without the subject: {length} is for how long or how late, with what separates it from what
	// is before, {amount} the amount, {between} whose messages.
	Clause string
	Begins string // the same in a story, where {node} is the subject; "": a story does not say it
	Ends   string // that it is over, in a story

	Subject Subject
	Lasting bool     // it lasts: its end is planned when it begins
	Stops   bool     // the node takes no step meanwhile
	Amount  Amount   // the quantity that it has besides a length
	Budget  Allowing // how a search draws it; zero: no search does

	// Keys are the keys of a scenario file that belong to it besides name, in the order in which they are shown, and Needs the
	// one that it must have. Without the key of its trigger it begins at 0, unless it is Triggered, which needs one. One that
	// Replays may follow the schedule of a log. Idle, it may be of length 0.
	Keys, Needs        string
	Triggered, Replays bool
	Idle               bool

	check func(f *Fault) (wrong []string)         // what is wrong with the fields that no other kind has; nil: nothing
	begin func(w any, p *plan, i int, until Time) // injects the i-th plan; w is the [World], by the methods that the kind needs
	end   func(w any, p *plan)                    // of one that lasts, unless begin plans its end otherwise
}

// Subject is what a fault is done to.
type Subject uint8

// The subjects.
const (
	OneNode    Subject = iota // a node
	TwoSides                  // the messages between groups of nodes
	OneMessage                // the chosen messages
)

// Amount is the quantity of a fault besides its length.
type Amount struct {
	Key     string // of scenario files
	Form    string // its definition in the schema: signed-duration and duration are Fault.By, clock-error is Fault.Rate
	About   string // what it means
	Example string
	Grain   int64 // shrinking makes it a multiple of this
}

// Allowing is the keys of a budget that allow a fault, each with what it means.
type Allowing struct {
	Count, CountAbout   string // how many of it
	Length, LengthAbout string // how long each lasts; kinds may share it
	Amount, AmountAbout string // how large each is
	Nodes, NodesAbout   string // at which nodes, or at whose messages; kinds may share it
	At                  string // what stands before their names, in words: "crashes at"
	One, Many, How      string // in words: "crash", "crashes", and what stands before its length: "down for"
}

// MaxActions is above the number of each action.
const MaxActions = 16

var faultKinds [MaxActions]*FaultKind

// declare makes a row that of an action. It panics when the program starts if two kinds have one number.
func declare(do Action, k FaultKind) *FaultKind {
	if faultKinds[do] != nil {
		panic(fmt.Sprintf("sim: the faults %q and %q have the number %d", faultKinds[do].Word, k.Word, do))
	}
	faultKinds[do] = &k
	return &k
}

// Actions are all actions, in the order of their numbers.
func Actions() (list []Action) {
	for do, k := range faultKinds {
		if k != nil {
			list = append(list, Action(do))
		}
	}
	return list
}

// Row is all that is said about the action, nil if there is no such action.
func (a Action) Row() *FaultKind {
	if int(a) >= len(faultKinds) {
		return nil
	}
	return faultKinds[a]
}

// String is the word that scenarios use.
func (a Action) String() string {
	if k := a.Row(); k != nil {
		return k.Word
	}
	return fmt.Sprintf("action-%d", uint8(a))
}

// Of is the subject of the action.
func (a Action) Of() Subject { return a.Row().Subject }

// AtChoice reports whether an [Adversary] may choose it for a node, as exhaustive search and PCT do. They cannot choose a kind that
// ends by its own plan, as [SetRate] does, because the world keeps no plan of an adversary's fault.
func (k *FaultKind) AtChoice() bool {
	return k.Subject == OneNode && k.Budget.Count != "" && k.end == nil
}

// Several is what faults of the kind are called.
func (k *FaultKind) Several() string {
	if k.Budget.Many != "" {
		return k.Budget.Many
	}
	return k.Plural
}

// Takes are the keys of scenario files that belong to it.
func (k *FaultKind) Takes() []string { return strings.Fields(k.Keys) }

// Of is the amount of a fault, and Set gives it another: a duration in nanoseconds, or parts per billion.
func (a *Amount) Of(f *Fault) int64 {
	if a.Form == "clock-error" {
		return int64(f.Rate)
	}
	return int64(f.By)
}

// Set gives a fault another amount.
func (a *Amount) Set(f *Fault, amount int64) {
	if a.Form == "clock-error" {
		f.Rate = PPB(amount)
	} else {
		f.By = time.Duration(amount)
	}
}

// Value is an amount as its form has it: a duration or a rate.
func (a *Amount) Value(amount int64) fmt.Stringer {
	if a.Form == "clock-error" {
		return PPB(amount)
	}
	return time.Duration(amount)
}

// Clause is what the fault does, in words without their subject, which is its node, the network or
// a message: "is paused for 15s". Length says for how long or how late, with what separates it
// from what is before; names are those of the nodes by [NodeID] less 1.
func (f *Fault) Clause(length string, names []string) string {
	k := f.Do.Row()
	s := strings.NewReplacer("{length}", length, "{amount}", k.Amount.Value(k.Amount.Of(f)).String())
	if k.Subject != TwoSides {
		return s.Replace(k.Clause)
	}
	return s.Replace(k.Clause) + ": " + whose(f.Sides, f.OneWay, names)
}

// whose says whose messages do not pass: "a, b | c", or in one direction "a to b, c". Names are those of the nodes by
// number less 1.
func whose(sides [][]NodeID, oneWay bool, names []string) string {
	groups := make([]string, len(sides))
	for i, side := range sides {
		group := make([]string, len(side))
		for k, id := range side {
			group[k] = names[int(id)-1]
		}
		groups[i] = strings.Join(group, ", ")
	}
	if oneWay {
		return groups[0] + " to " + strings.Join(groups[1:], ", ")
	}
	return strings.Join(groups, " | ")
}
