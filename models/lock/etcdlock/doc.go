// Package etcdlock holds the mutex of etcd's client and its servers: [Client] in a [Session],
// against [Server], a cluster as one machine, or [Member], one of several on Raft. What a
// transaction does to the store is in models/internal/etcd.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package etcdlock
