package conformance

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"fencepost/models/internal/redis"
)

var redisSchedules = flag.Int("redis-schedules", 200, "how many random schedules of Redis commands to run")

// lockModel is the answer of a single key, in the form of the server's.
func lockModel(k *redis.Key, now int64, args []string) string {
	w := wall(now)
	switch name, rest := args[0], args[2:]; name {
	case "SET": // value PX ms NX
		if k.SetNX(w, uint64(integer(rest[0])), milliseconds(rest[2])) {
			return "OK"
		}
		return "nil"
	case "GET":
		v, ok := k.Get(w)
		return optional(int64(v), ok, nil)
	case "INCR":
		return strconv.FormatUint(k.Incr(w), 10)
	case "DEL":
		return yes(k.Del(w), nil)
	case "delif":
		return yes(k.DelIf(w, uint64(integer(rest[0]))), nil)
	case "expireif":
		return yes(k.PExpireIf(w, uint64(integer(rest[0])), milliseconds(rest[1])), nil)
	}
	panic("no command of a lock: " + args[0])
}

// lockCommand runs a command of one key on the server and on the model, and requires the
// same answer at some reading of the clock that the server may have had, as pair.do does. It
// takes what the model may be before, and returns what it may be then.
func lockCommand(t testing.TB, c *client, before []redis.Key, args []string) (after []redis.Key) {
	t.Helper()
	answer, first, last := c.timed(t, real("", args)...)
	var said []string
	for _, k := range before {
		for now := first; now <= last; now++ {
			next := k
			if says := lockModel(&next, now, args); says != answer {
				said = append(said, says)
				continue
			}
			sets := next.Expires && (next.ExpireAt != k.ExpireAt || asked(args, now, next.ExpireAt))
			for later := now; later <= last && (later == now || sets); later++ {
				set := next
				if sets {
					set.ExpireAt = next.ExpireAt.Add(time.Duration(later-now) * time.Millisecond)
				}
				if !slices.Contains(after, set) {
					after = append(after, set)
				}
				if over := args[0] == "expireif" && !wall(last).Before(set.ExpireAt); over && !slices.Contains(after, redis.Key{}) {
					after = append(after, redis.Key{})
				}
			}
		}
	}
	if after == nil {
		t.Fatalf("%v at %d..%d ms: Redis answers %s, the model %v", args, first, last, answer, said)
	}
	return after
}

// A key that expires is alive in its last millisecond and gone in the next, in the model
// and in the server: asked all the time, until it is gone, both say the same.
func TestExpiryToTheMillisecond(t *testing.T) {
	c := startRedis(t, "millisecond").client(t)
	asked := 0
	for i := range 20 {
		key := fmt.Sprint("k", i)
		k := lockCommand(t, c, make([]redis.Key, 1), []string{"SET", key, "7", "PX", "20", "NX"})
		for c.do("EXISTS", key) == "1" {
			k = lockCommand(t, c, k, []string{"GET", key})
			asked++
		}
		lockCommand(t, c, k, []string{"GET", key})
	}
	if asked < 200 {
		t.Fatalf("asked only %d times", asked)
	}
}

// Random commands of locks and of rate limiters, with expiries of a few milliseconds that
// elapse in between, are answered alike.
func TestRandomCommands(t *testing.T) {
	c := startRedis(t, "random").client(t)
	commands := 0
	for seed := range *redisSchedules {
		r := rand.New(rand.NewPCG(uint64(seed), 14))
		t.Run(fmt.Sprint("seed-", seed), func(t *testing.T) {
			k := make([]redis.Key, 1)
			p := newPair(t, c, fmt.Sprint(seed, ":"), &redis.DB[string]{})
			for range 40 {
				if r.IntN(10) == 0 {
					time.Sleep(time.Duration(r.IntN(3000)) * time.Microsecond)
				}
				k = lockCommand(t, c, k, lockWords(r, fmt.Sprint("lock-", seed)))
				p.do(words(r)...)
				commands += 2
			}
		})
	}
	t.Logf("%d schedules, %d commands", *redisSchedules, commands)
}

// lockWords is a random command of a lock.
func lockWords(r *rand.Rand, key string) []string {
	value, px := fmt.Sprint(1+r.IntN(2)), fmt.Sprint(1+r.IntN(6))
	return [][]string{{"SET", key, value, "PX", px, "NX"}, {"GET", key}, {"INCR", key}, {"DEL", key}, {"delif", key, value},
		{"expireif", key, value, px}}[r.IntN(6)]
}

// words is a random command of a limiter, on one of three keys.
func words(r *rand.Rand) []string {
	key := string(rune('a' + r.IntN(3)))
	n, px := fmt.Sprint(r.IntN(5)-1), fmt.Sprint(r.IntN(7))
	some := [][]string{{"INCR", key}, {"INCRBY", key, n}, {"SET", key, n}, {"SET", key, n, "PX", px}, {"SET", key, n, "PX", px, "NX"},
		{"GET", key}, {"DEL", key}, {"EXPIRE", key, n}, {"EXPIRE", key, "0.5"}, {"PEXPIRE", key, px}, {"PTTL", key},
		{"ZADD", key, n, px}, {"ZCARD", key}, {"ZREMRANGEBYSCORE", key, n, "(" + px}, {"count", key, n, fmt.Sprint(1 + r.IntN(6))},
		{"source", key, "3", n}, {"log", key, "2", n, "1", px, px}, {"chargeall", "a", "b", "2", "3", "5"}}
	return slices.Clone(some[r.IntN(len(some))])
}
