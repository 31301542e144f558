package linear

// free is the state of a lock that no client holds; else it is the client that does.
const free = -1

// start is the state of a key at first: the text that it holds, the holder, or the sum.
func (m Model) start() any {
	switch m {
	case Lock:
		return free
	case Counter:
		return int64(0)
	case Lease:
		return noLease
	}
	return m.initial()
}

// step is what the object does: it reports whether an operation can take effect in a
// state as it did, and the state after it.
//
// An open operation can take effect in any state, if only without effect. Never to take
// effect is then the same as to take effect after all others.
func (m Model) step(state any, o *Op) (bool, any) {
	switch m {
	case Set:
		return stepSet(state.(string), o)
	case Queue:
		return stepQueue(state.(string), o)
	case Counter:
		return stepCounter(state.(int64), o)
	case Lease:
		return state.(lease).step(o)
	}
	return step(state, o)
}

// step is what registers, stores and locks do.
func step(state any, o *Op) (bool, any) {
	open, refused := o.Outcome == Open, o.Outcome == Refused
	switch o.Kind {
	case Read:
		return state == any(o.Value), state
	case Write:
		return true, o.Value
	case Append:
		return true, state.(string) + o.Value
	case CAS:
		return change(state == any(o.Old), open, refused, state, o.Value)
	case Acquire:
		return change(state == any(free), open, refused, state, o.Client)
	case Release:
		return change(state == any(o.Client), open, refused, state, free)
	}
	panic("linear: " + o.Kind.String() + " has no meaning")
}

// change is an operation that takes effect on a condition.
func change(can, open, refused bool, state, next any) (bool, any) {
	if can && !refused {
		return true, next
	}
	return open || refused && !can, state
}
