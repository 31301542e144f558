package sim

// System is what a model brings to a world: its nodes, and who looks at them. It
// serves one world.
type System[M Message] struct {
	Err   error // what is wrong with the parameters that it is made of: [NewWorld] refuses it
	Nodes []Spec[M]
	Kinds []string // the name of each [Kind], in kebab case
	Notes []Kind   // those that are noted
	// Ledgers are notified of everything before the properties are, which read them: what several
	// properties remember is kept once. What a ledger remembers is part of a fingerprint.
	Ledgers    []Observer[M]
	Properties []Property[M]
	Measures   []Measure
	Meters     []Observer[M] // that record the measures
	// Alike is groups of nodes that may change places: what can follow is the same, but for which of
	// them does it. Serials is nodes that number what they do, their attempts for instance, from 1 on: such a number
	// is compared with others of that node for being equal, and with nothing else. Of states that differ in no more
	// than such numbers a search with symbolic time looks at one. States, properties and messages that have
	// numbers of such nodes in them, or their serial numbers, are Renamers.
	Alike   [][]NodeID
	Serials []NodeID
	// Describe makes what describes one run for its log: it says in words what an
	// observation means, "" if it is not worth a line.
	// It is called after the observers have seen it. Nil says nothing; see [System.Told].
	Describe func() func(v *View[M], o *Observation[M]) string
	// Detail makes what says the same of observations too small for the log of a
	// run, for an explanation that shows few steps: what the node does, as "grants the
	// lock to client-1", beginning with a verb. Only a [Journal] has it.
	Detail func() func(v *View[M], o *Observation[M]) string
	// Show, if there is one, writes a message of [Out.Show] as it is written outside, a line
	// for each header field.
	Show func(m *M) []string
	// Order, if there is one, is the order of the model's own events in the run that is over.
	Order func(v *View[M]) EventOrder
	// States and Marks are what a timeline of a run shows of this system.
	States []State[M]
	Marks  []Mark[M]
}

// Told returns the system with a Describe: "NODE notes KIND" of every note, unless it has one.
func (s System[M]) Told() System[M] {
	if s.Describe == nil {
		s.Describe = func() func(*View[M], *Observation[M]) string {
			return func(v *View[M], o *Observation[M]) string {
				if o.Event != Noted {
					return ""
				}
				return v.Name(o.Node) + " notes " + o.Msg.String()
			}
		}
	}
	return s
}

// Config is everything else that a run consists of, but for the seed.
type Config struct {
	Until     Time // the run is [0, Until)
	Network   Network
	Clocks    []Clock // by node; missing ones are perfect
	Costs     []Dist  // by node: how long each step occupies it; missing ones are 0
	Faults    []Fault
	Overrides []Override
	Minimal   bool // every draw that is not overridden is 0, the minimal choice
	Resume    ResumeOrder
	Twice     bool // run each step twice on copies and compare: a check of the model
}

// ResumeOrder is the order in which a node handles what came due while it was
// stopped. All occur in practice, and they change outcomes.
type ResumeOrder uint8

// By due time and arrival; or all timers before all messages; or the reverse.
const (
	ByArrival ResumeOrder = iota
	TimersFirst
	MessagesFirst
)
