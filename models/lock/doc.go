// Package lock holds distributed locks, the clients that use them, and the store that they
// protect, with and without fencing.
//
//	none.go         no lock at all
//	naive.go        SET NX without a TTL
//	redis.go        a lease on one Redis
//	redlock.go      a lease on a majority of them; presets.go is how libraries have it
//	sentinel.go     a lease on a Redis with replicas, which may fail over
//	watchdog.go     Redisson's lock, which renews itself
//	etcd.go         the mutex of etcd's client, on one machine or on Raft
//	zookeeper.go    Curator's recipe
//	k8slease.go     the leader election of client-go
//	consul.go       a session with lock-delay
//
// Each of these is an [Algorithm], the client's side, in the words of its source. A [Worker]
// is a client: it acquires, is in its [Critical] section, releases, and starts again. The
// table services in system.go says what each lock is made of; a new lock is one entry.
//
// [Rules] and [Acquisition], on which Redlock decides, and [Fence], by which the store does,
// need no engine. What nodes note is checked by the properties of properties.go: of exclusion
// in exclusion.go, of effects on the store in effects.go, of the service in service.go.
// beliefs.go is what these have in common: which client believes to hold the lock, is entitled
// to it or waits, and whose key is where.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package lock
