// Package core is what every lock has: its messages ([Msg], whose kinds are one list, since the
// digests of runs hold their numbers), the client's side as an interface ([Algorithm], which
// embeds an [Attempt]), and how a client reads its clocks. The timers are in the list too, each
// with the node that sets it.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package core
