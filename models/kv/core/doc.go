// Package core is what the nodes of a store have in common: the messages, whose kinds are one
// list since the digests of runs hold their numbers, the settings, the ring and the shares of its
// keys, the phases of a change, and a table of objects.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package core
