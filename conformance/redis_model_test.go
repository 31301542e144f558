package conformance

import (
	"math"
	"strconv"
	"strings"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// model is the model's answer to a command, in the form of the server's.
func model(d *redis.DB[string], now sim.Wall, args []string) string {
	name, key, rest := args[0], args[1], args[2:]
	switch name {
	case "GET":
		v, ok, err := d.Get(now, key)
		return optional(v, ok, err)
	case "SET":
		return modelSet(d, now, key, rest)
	case "DEL":
		return yes(d.Del(now, key), nil)
	case "INCR":
		return number(d.IncrBy(now, key, 1))
	case "INCRBY":
		return number(d.IncrBy(now, key, integer(rest[0])))
	case "EXPIRE":
		_, existed := d.Entry(now, key)
		err := d.Expire(now, key, rest[0])
		return yes(existed, err)
	case "PEXPIRE":
		return yes(d.PExpire(now, key, milliseconds(rest[0])), nil)
	case "PTTL":
		return number(d.PTTL(now, key), nil)
	case "source":
		return yes(d.SourceCount(now, key, rest...))
	case "count":
		return number(d.Count(now, key, integer(rest[0]), milliseconds(rest[1])))
	case "chargeall":
		n := (len(args) - 2) / 2
		limits := make([]int64, n)
		for i := range limits {
			limits[i] = integer(args[1+n+i])
		}
		full, err := d.ChargeAll(now, args[1:1+n], limits, milliseconds(args[len(args)-1]))
		return number(int64(full), err)
	}
	return modelSorted(d, now, name, key, rest)
}

// modelSorted are the commands of sorted sets.
func modelSorted(d *redis.DB[string], now sim.Wall, name, key string, rest []string) string {
	switch name {
	case "ZADD":
		return yes(d.ZAdd(now, key, score(rest[0]), uint64(integer(rest[1]))))
	case "ZCARD":
		n, err := d.ZCard(now, key)
		return number(int64(n), err)
	case "ZREMRANGEBYSCORE":
		n, err := d.ZRemRangeByScore(now, key, bound(rest[0]), bound(rest[1]))
		return number(int64(n), err)
	case "log":
		return yes(d.Log(now, key, int(integer(rest[0])), score(rest[1]), score(rest[2]), uint64(integer(rest[3])), milliseconds(rest[4])))
	}
	panic("no command of the model: " + name)
}

// modelSet is SET key value [PX n] [NX] [KEEPTTL].
func modelSet(d *redis.DB[string], now sim.Wall, key string, rest []string) string {
	v, err := strconv.ParseInt(rest[0], 10, 64)
	options := strings.Join(rest[1:], " ")
	switch f := strings.Fields(options); {
	case err != nil:
		err = d.SetText(now, key, rest[0])
	case options == "":
		err = d.Set(now, key, v)
	case f[len(f)-1] == "NX":
		set, err := d.SetNX(now, key, v, milliseconds(f[1]))
		if err == nil && !set {
			return "nil"
		}
		return ok(err)
	default:
		err = d.SetPX(now, key, v, milliseconds(f[1]))
	}
	return ok(err)
}

func ok(err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	return "OK"
}

func number(n int64, err error) string {
	if err != nil {
		return "error " + err.Error()
	}
	return strconv.FormatInt(n, 10)
}

func yes(is bool, err error) string {
	n := int64(0)
	if is {
		n = 1
	}
	return number(n, err)
}

// optional is the answer to GET. The model has no text of a key that is no number: it
// reports that instead.
func optional(n int64, is bool, err error) string {
	if err == nil && !is {
		return "nil"
	}
	return number(n, err)
}

func integer(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		panic(err)
	}
	return n
}

func milliseconds(text string) time.Duration {
	return time.Duration(integer(text)) * time.Millisecond
}

func score(text string) float64 {
	switch text {
	case "-inf":
		return math.Inf(-1)
	case "+inf":
		return math.Inf(1)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	return f
}

func bound(text string) redis.Bound {
	open := strings.HasPrefix(text, "(")
	return redis.Bound{Score: score(strings.TrimPrefix(text, "(")), Open: open}
}
