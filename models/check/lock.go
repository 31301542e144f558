package check

import "fencepost/sim"

// Lock is where the clients and the instances of a lock are, and what its properties need to know of it.
type Lock struct {
	Clients     int        // nodes 1 to Clients
	FirstServer sim.NodeID // of the instances
	Servers     int        // 0: nothing keeps the clients from each other
	Quorum      int
	Needed      int         // servers that have to be up and connected for a client to be served
	Clock       sim.ClockID // that clients measure their lease with

	// Replicated servers are one service, and observers see one: a fact of a server with an ID that is not above the
	// latest is not news.
	Replicated bool
	Uncounted  bool // the resource does not count its writes
}

// IsClient reports whether a node is a client.
func (l *Lock) IsClient(id sim.NodeID) bool { return id >= 1 && int(id) <= l.Clients }

// IsServer reports whether a node is an instance.
func (l *Lock) IsServer(id sim.NodeID) bool {
	return id >= l.FirstServer && int(id-l.FirstServer) < l.Servers
}

// Lockless reports whether nothing keeps the clients from each other.
func (l *Lock) Lockless() bool { return l.Servers == 0 }

// ClientNodes are the nodes of the clients.
func (l *Lock) ClientNodes() (list []sim.NodeID) {
	for i := range l.Clients {
		list = append(list, sim.NodeID(i+1))
	}
	return list
}

// ServerNodes are the nodes of the instances.
func (l *Lock) ServerNodes() (list []sim.NodeID) {
	for i := range l.Servers {
		list = append(list, l.FirstServer+sim.NodeID(i))
	}
	return list
}

// Instances is how many instances observers see.
func (l *Lock) Instances() int {
	if l.Replicated {
		return 1
	}
	return l.Servers
}

func byClient[T any](l *Lock) Table[T]   { return make(Table[T], l.Clients+1) }
func byInstance[T any](l *Lock) Table[T] { return make(Table[T], l.Instances()) }
