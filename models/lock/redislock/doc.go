// Package redislock holds the clients of locks on Redis.
//
//	naive.go         SET NX without a TTL
//	redis.go         a lease on one Redis
//	redlock.go       a lease on a majority of them; acquisition.go decides, presets.go is how libraries have it
//	sentinel.go      a lease on a Redis with replicas, which may fail over; connection.go finds the master
//	watchdog.go      Redisson's lock, which renews itself
//
// polling.go and renewal.go are what these have in common: to ask again, and to extend a lease.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package redislock
