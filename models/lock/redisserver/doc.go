// Package redisserver holds a Redis with the key of a lock, alone or as a master with replicas
// that Sentinels watch. What a command does to the key is in models/internal/redis.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package redisserver
