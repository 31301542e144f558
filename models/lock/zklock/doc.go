// Package zklock holds Curator's recipe of a lock, [Client], and the ensemble of ZooKeeper that it
// talks to, [Server]. What a request does to the tree is in models/internal/zookeeper.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package zklock
