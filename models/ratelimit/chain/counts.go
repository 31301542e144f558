package chain

// allWorkers is the status of a Credit that is about all workers.
const allWorkers = 1

// newFree is a Credit: a worker is free again, after this request.
func newFree(after Msg) Msg { return Msg{Kind: Credit, value: 1, Slot: uint32(after.others())} }

// newWorkers is a Credit: how many of all workers are free, and how many are at work for what is not
// critical.
func newWorkers(free, others int64) Msg {
	return Msg{Kind: Credit, Status: allWorkers, value: free, Slot: uint32(others)}
}

// Workers is how many workers a Credit says are free. Of all, others are those at work for what is
// not critical; else those among the free that were.
func (m Msg) Workers() (free, others int64, all bool) {
	return m.value, int64(m.Slot), m.Status == allWorkers
}

// newGrant says that requests have left what is behind the limiter, of which others were not
// critical.
func newGrant(requests, others int64) Msg {
	return Msg{Kind: Grant, value: requests, Slot: uint32(others)}
}

// Granted is how many requests have left, and how many of them were not critical.
func (m Msg) Granted() (requests, others int64) { return m.value, int64(m.Slot) }

// newQueued notes that a request waits, with all that do.
func newQueued(request Msg, waiting int) Msg {
	return request.about(Queued).with(int64(waiting))
}

// Waiting is how many requests wait.
func (m Msg) Waiting() int64 { return m.value }

// newShedding notes how many of the least important classes are shed.
func newShedding(classes int64) Msg { return Msg{Kind: Shedding, value: classes} }

// Shed is how many classes are shed.
func (m Msg) Shed() int64 { return m.value }
