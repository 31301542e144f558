package sim

// EventOrder is what a model knows after a run about the order of events of its own: which
// there were, which message caused which, and what their stamps say. The engine knows no
// clock, and hands it on. It holds until the next run.
type EventOrder interface {
	// Clock is what stamps the events, in one word.
	Clock() string
	// Partial reports whether its stamps can say of two events that they are concurrent.
	Partial() bool
	// Len is how many events there were.
	Len() int
	// Event is one of them, in the order in which they happened.
	Event(i int) OrderedEvent
	// Says is how the stamp of event a stands to that of event b: "<", ">", "=", or "||"
	// if it says that they are concurrent.
	Says(a, b int) string
}

// OrderedEvent is an event of a model: a step may make several.
type OrderedEvent struct {
	Node  NodeID
	At    Time
	Name  string // by which a person names it: unlike that of any other event
	Stamp string
	Text  string // what the node does, beginning with a verb
	From  int    // the event that sent the message it receives; -1: it receives none
}

// Order is what the model knows about the order of the events of the last run, nil if it
// has no such events.
func (w *World[M]) Order() EventOrder {
	if w.system.Order == nil {
		return nil
	}
	return w.system.Order(&w.view)
}
