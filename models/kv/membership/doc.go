// Package membership holds the controller, which changes the ring as an operator or the load asks.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package membership
