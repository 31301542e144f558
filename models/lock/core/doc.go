// Package core is what every lock has: its messages ([Msg], in msg.go; messages.go declares the kinds, under the
// numbers that the digests of runs hold, and what they carry; a file as msg_etcd.go has what is by hand), the client's side as an interface ([Algorithm], which embeds an [Attempt]), and how
// a client reads its clocks. The timers are kinds too, each with the node that sets it.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package core
