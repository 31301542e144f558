// Package lock holds distributed locks, the clients that use them, and the store that they
// protect, with and without fencing.
//
//	none.go         no lock at all
//	redislock       SET NX without a TTL, a lease on one Redis or on a majority (Redlock), behind
//	                Sentinel, and Redisson's; redisserver has the servers
//	etcdlock        the mutex of etcd's client, on one machine or on Raft
//	zklock          Curator's recipe
//	k8slock         the leader election of client-go
//	consullock      a session with lock-delay
//
// Each of these is a [core.Algorithm], the client's side, in the words of its source, with the
// servers beside it. A [Worker] is a client: it acquires, is in its [Critical] section, releases,
// and starts again. The table services in system.go says what each lock is made of; a new lock is
// one entry. What the block of a lock says stands in a file of parameters here.
//
// [redislock.Rules] and [redislock.Acquisition], on which Redlock decides, and [Fence], by which
// the store does, need no engine. facts.go says which note is which fact; properties.go names the properties of package
// check that read them, and what they know of a lock stands in the ledger of that package.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package lock
