package conformance

import (
	"strings"
	"testing"
	"time"

	"fencepost/models/internal/redis"
)

// redisVectors are schedules of commands that the model and the server answer alike. What
// follows -> is what the test vectors say.
var redisVectors = []struct{ id, claim, script string }{
	{"RD-01", "a counter whose client died before EXPIRE refuses forever", `
INCR k -> 1
source k 3 1 -> 1
source k 3 1 -> 1
source k 3 1 -> 0
source k 3 1 -> 0
sleep 1300ms
source k 3 1 -> 0
GET k -> 6
PTTL k -> -1`},
	{"RD-02", "an expiry of half a second is an error after the increment, which stays", `
source k 3 0.5 -> error ERR value is not an integer or out of range
source k 3 0.5 -> 1
source k 3 0.5 -> 1
source k 3 0.5 -> 0
source k 3 0.5 -> 0
GET k -> 5
PTTL k -> -1`},
	{"RD-03", "an expiry of 0 or less is no limit", `
source k 3 0 -> 1
source k 3 0 -> 1
source k 3 0 -> 1
source k 3 0 -> 1
source k 3 0 -> 1
PTTL k -> -2
source m 3 -5 -> 1
source m 3 -5 -> 1
source m 3 -5 -> 1
source m 3 -5 -> 1
PTTL m -> -2`},
	{"RD-04", "a missing argument is an error after the increment", `
source k 3
GET k -> 1
PTTL k -> -1
source k 3 60 -> 1
PTTL k -> -1
source x x 60
GET x -> 1
PTTL x`},
	{"RD-05", "a key that is there without an expiry never gets one", `
SET k 1 -> OK
source k 3 1 -> 1
source k 3 1 -> 1
source k 3 1 -> 0
source k 3 1 -> 0
source k 3 1 -> 0
sleep 1200ms
source k 3 1 -> 0
PTTL k -> -1`},
	{"RD-06", "two clients that read, decide and write lose an update; INCR does not", `
SET k 3 -> OK
GET k -> 3
GET k -> 3
SET k 4 -> OK
SET k 4 -> OK
GET k -> 4
SET k 3
INCR k -> 4
INCR k -> 5`},
	{"RD-09", "members that are equal are one member", `
ZADD k 1000 1000 -> 1
ZADD k 1000 1000 -> 0
ZADD k 1000 1000 -> 0
ZCARD k -> 1
ZADD u 1000 1 -> 1
ZADD u 1000 2 -> 1
ZCARD u -> 2`},
	{"RD-10", "add then count rejects both, count then add admits both", `
ZADD k 1 1 -> 1
ZADD k 2 2 -> 1
ZADD k 3 3 -> 1
ZCARD k -> 3
ZCARD k -> 3
ZADD m 1 1 -> 1
ZCARD m -> 1
ZCARD m -> 1
ZADD m 2 2 -> 1
ZADD m 3 3 -> 1
ZCARD m -> 3`},
	{"RD-14", "the healing script gives an expiry to a counter without one", `
SET k 50 -> OK
count k 1 1000 -> 51
PTTL k
INCR k -> 52
PTTL k`},
	{"RD-15", "EXPIRE at every call: a steady caller is refused forever", `
INCR k -> 1
EXPIRE k 1 -> 1
sleep 500ms
INCR k -> 2
EXPIRE k 1 -> 1
sleep 500ms
INCR k -> 3
EXPIRE k 1 -> 1
sleep 500ms
INCR k -> 4
EXPIRE k 1 -> 1
sleep 500ms
INCR k -> 5`},
	{"RD-18", "all limits are charged or none", `
chargeall a b c 2 5 10 60000 -> -1
chargeall a b c 2 5 10 60000 -> -1
chargeall a b c 2 5 10 60000 -> 0
chargeall a b c 2 5 10 60000 -> 0
GET a -> 2
GET b -> 2
GET c -> 2`},
	{"RD-19", "scores are doubles", `
ZADD k 1700000000000000001 1 -> 1
ZADD k 1700000000000000100 2 -> 1
ZREMRANGEBYSCORE k (1700000000000000001 +inf -> 0
ZREMRANGEBYSCORE k 1700000000000000001 1700000000000000001 -> 2
ZADD k 1700000000000001 1 -> 1
ZADD k 1700000000000002 2 -> 1
ZREMRANGEBYSCORE k (1700000000000001 +inf -> 1`},
	{"RD-20", "the ends of a range of scores are in it unless they are open", `
ZADD k 40 1 -> 1
ZREMRANGEBYSCORE k -inf (40 -> 0
ZREMRANGEBYSCORE k -inf 40 -> 1
ZCARD k -> 0
PTTL k -> -2`},
	{"RD-21", "an expiry of 0 in SET is an error each time", `
SET k 1 PX 0 -> error ERR invalid expire time
SET k 1 PX 0 NX -> error ERR invalid expire time
PTTL k -> -2
SET k 1
SET k 1 PX 0 NX -> error ERR invalid expire time
GET k -> 1`},
	{"RD-22", "overflow, texts, wrong types", `
SET n 9223372036854775807 -> OK
INCR n -> error ERR increment or decrement would overflow
GET n -> 9223372036854775807
SET abc abc -> OK
INCR abc -> error ERR value is not an integer or out of range
ZADD n 1 1 -> error WRONGTYPE Operation against a key holding the wrong kind of value
ZADD z 1 1 -> 1
INCR z -> error WRONGTYPE Operation against a key holding the wrong kind of value
SET z 5 -> OK
GET z -> 5
EXPIRE n 1e3 -> error ERR value is not an integer or out of range
EXPIRE n 9223372036854775807 -> error ERR invalid expire time`},
	{"expiry", "INCR keeps the expiry, SET drops it; 0 or less deletes", `
SET k 1 PX 100000 -> OK
INCR k -> 2
PTTL k
SET k 8 -> OK
PTTL k -> -1
PEXPIRE k 0 -> 1
PTTL k -> -2
PEXPIRE k 1000 -> 0
DEL k -> 0`},
	{"log", "the script of a log admits while there is room in the window", `
log k 2 100 40 1 60000 -> 1
log k 2 110 50 2 60000 -> 1
log k 2 120 60 3 60000 -> 0
log k 2 160 100 4 60000 -> 1
ZCARD k -> 2
PTTL k`},
}

// The vectors that need one server, whatever the number of clients: it runs one command
// after the other.
func TestRedisVectors(t *testing.T) {
	server := startRedis(t, "redis")
	for _, v := range redisVectors {
		t.Run(v.id, func(t *testing.T) {
			t.Parallel()
			newPair(t, server.client(t), v.id+":", &redis.DB[string]{}).run(v.script)
		})
	}
}

// RD-08: while a transaction or a script runs its keys do not expire.
func TestExpiryIsFrozenInATransaction(t *testing.T) {
	server := startRedis(t, "frozen")
	c, clock := server.client(t), server.client(t)
	var d redis.DB[string]
	_, _, set := c.timed(t, "SET", "k", "0", "PX", "50")
	if err := d.SetPX(wall(set), "k", 0, 50*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	_, first, _ := clock.timed(t, "PING")
	c.do("MULTI")
	for _, args := range []string{"SET k 0 PX 60000 NX", "DEBUG SLEEP 0.1", "INCR k"} {
		if answer := c.do(strings.Fields(args)...); answer != "QUEUED" {
			t.Fatal(answer)
		}
	}
	got := c.do("EXEC")
	done, count, err := d.SetNXIncr(wall(first), wall(first+100), "k", 1, time.Minute, true)
	if want := "[nil OK 1]"; got != want || done || count != 1 || err != nil {
		t.Fatalf("Redis answers %s, the model %v %d %v; expected %s", got, done, count, err, want)
	}
	answer, _, last := c.timed(t, "PTTL", "k")
	if says := number(d.PTTL(wall(last), "k"), nil); answer != says || says != "-2" {
		t.Fatalf("PTTL: Redis answers %s, the model %s, expected -2", answer, says)
	}
}

// RD-11: what a sorted set of 36-character members takes, within 10%: more or less by how
// its scores are written and how high its list happens to be.
func TestBytesOfALog(t *testing.T) {
	c := startRedis(t, "bytes").client(t)
	var z redis.ZSet
	member := strings.Repeat("x", 32)
	for n := 1; n <= 1000; n++ {
		z.Add(float64(n), uint64(n))
		c.do("ZADD", "k", number(1_700_000_000_000+int64(n), nil), member+number(int64(n+1000), nil)[:4])
		if n != 100 && n != 200 && n != 1000 {
			continue
		}
		bytes := integer(c.do("MEMORY", "USAGE", "k", "SAMPLES", "0"))
		if off := float64(z.Bytes()) / float64(bytes); off < 0.9 || off > 1.1 {
			t.Errorf("%d members: Redis takes %d bytes, the model %d", n, bytes, z.Bytes())
		}
	}
}
