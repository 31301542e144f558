// Package consullock holds a lock on a session of Consul with its lock-delay: [Client] and [Server].
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package consullock
