// Package leader holds a node of a store whose writes a leader orders, through the log of Raft.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package leader
