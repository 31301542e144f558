package zookeeper

// EventType is what a watch tells of, with its number in ZooKeeper's protocol.
type EventType uint8

// The types of event.
const (
	NodeCreated         EventType = 1
	NodeDeleted         EventType = 2
	NodeDataChanged     EventType = 3
	NodeChildrenChanged EventType = 4
)

// Event is a watch that has fired: what the server sends to the session that set it.
type Event struct {
	Type    EventType
	Path    Path
	Session SessionID
}

// watch is a one-time trigger.
type watch struct {
	path    Path
	session SessionID
}

// watches are those on one aspect of nodes, their data or their children, in the order in
// which they were set.
type watches []watch

// set adds a watch. One that is set already is one watch.
func (w *watches) set(p Path, s SessionID) {
	for _, x := range *w {
		if x == (watch{p, s}) {
			return
		}
	}
	*w = append(*w, watch{p, s})
}

// fire removes the watches on a path and appends an event for each of them, except for
// sessions that were told from the given event on.
//
// Source: ZooKeeper, WatchManager.triggerWatch.
func (w *watches) fire(p Path, what EventType, events []Event, told int) []Event {
	kept := (*w)[:0]
	since := events[told:]
	for _, x := range *w {
		switch {
		case x.path != p:
			kept = append(kept, x)
		case !tells(since, x.session):
			events = append(events, Event{what, p, x.session})
		}
	}
	*w = kept
	return events
}

func tells(events []Event, s SessionID) bool {
	for _, e := range events {
		if e.Session == s {
			return true
		}
	}
	return false
}

// drop removes the watches of a session.
func (w *watches) drop(s SessionID) {
	kept := (*w)[:0]
	for _, x := range *w {
		if x.session != s {
			kept = append(kept, x)
		}
	}
	*w = kept
}
