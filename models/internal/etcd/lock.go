package etcd

// The transactions of the client's package concurrency. A lock or an election is a
// directory, and the key of a session in it has the session's lease for its name.
//
// Source: etcd client 3.7, concurrency/{mutex,election,key}.go.

// LockKey is the key of a session in a lock or an election.
func LockKey(dir uint32, session LeaseID) Key { return Key{Dir: dir, Name: uint64(session)} }

// Enqueue puts the session's key, with its lease, at the end of the queue, unless it is in
// it. The first response is of the session's key, the second has the owner's.
func Enqueue(k Key, session LeaseID, value uint64) Command {
	owner := Op{Kind: Range, Prefix: true, Key: k, Order: OldestCreate}
	return Command{
		Compare: [MaxCompares]Compare{{Target: CreateRev, Key: k}},
		Then:    [MaxOps]Op{{Kind: Put, Key: k, Value: value, Lease: session}, owner},
		Else:    [MaxOps]Op{{Kind: Range, Key: k}, owner},
	}
}

// Predecessor reads the key that is next before a create revision in the queue.
func Predecessor(k Key, rev int64) Command {
	return Command{Then: [MaxOps]Op{{Kind: Range, Prefix: true, Key: k, Order: NewestCreate, MaxCreate: rev - 1}}}
}

// Get reads one key.
func Get(k Key) Command { return Command{Then: [MaxOps]Op{{Kind: Range, Key: k}}} }

// Owner reads the oldest key of a directory.
func Owner(dir uint32) Command {
	return Command{Then: [MaxOps]Op{{Kind: Range, Prefix: true, Key: Key{Dir: dir}, Order: OldestCreate}}}
}

// DeleteKey deletes one key, which another client may have put there since.
func DeleteKey(k Key) Command { return Command{Then: [MaxOps]Op{{Kind: Delete, Key: k}}} }

// DeleteOwn deletes a key if it is still the one that was made at a revision.
func DeleteOwn(k Key, rev int64) Command { return owned(k, rev, Op{Kind: Delete, Key: k}) }

// PutOwn puts a key if it is still the one that was made at a revision: Proclaim.
func PutOwn(k Key, rev int64, value uint64, session LeaseID) Command {
	return owned(k, rev, Op{Kind: Put, Key: k, Value: value, Lease: session})
}

func owned(k Key, rev int64, op Op) Command {
	return Command{Compare: [MaxCompares]Compare{{Target: CreateRev, Key: k, Operand: rev}}, Then: [MaxOps]Op{op}}
}
