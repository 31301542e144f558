package conformance

import (
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

// startRedis starts a Redis with further settings.
func startRedis(t testing.TB, name string, settings ...string) *process {
	t.Helper()
	program := redisProgram(t)
	return start(t, name, func(dir, port string) *exec.Cmd {
		args := []string{"--port", port, "--bind", "127.0.0.1", "--dir", dir, "--save", "", "--enable-debug-command", "yes"}
		return unprivileged(t, dir)(exec.Command(program, append(args, settings...)...))
	}, func(port string) error {
		c, err := dial(port)
		if err != nil {
			return err
		}
		defer c.conn.Close()
		if answer := c.do("PING"); answer != "PONG" {
			return fmt.Errorf("PING is answered with %s", answer)
		}
		return nil
	})
}

func (p *process) client(t testing.TB) *client {
	t.Helper()
	c, err := dial(p.port)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.conn.Close() })
	return c
}

// pair is a server and a model that get the same commands.
type pair struct {
	t      testing.TB
	client *client
	prefix string              // of the keys on the server, so that tests do not meet
	models []*redis.DB[string] // that have answered as the server has
}

func newPair(t testing.TB, c *client, prefix string, d *redis.DB[string]) *pair {
	return &pair{t, c, prefix, []*redis.DB[string]{d}}
}

// run runs commands, one a line, on both, and requires the same answers. The line
// "sleep 100ms" lets time pass. An expected answer may follow after ->.
func (p *pair) run(script string) {
	p.t.Helper()
	for line := range strings.Lines(script) {
		command, want, wanted := strings.Cut(strings.TrimSpace(line), " -> ")
		args := strings.Fields(command)
		switch {
		case len(args) == 0:
		case args[0] == "sleep":
			d, err := time.ParseDuration(args[1])
			if err != nil {
				p.t.Fatal(err)
			}
			time.Sleep(d)
		default:
			if got := p.do(args...); wanted && got != want {
				p.t.Fatalf("%s: both answer %s, expected %s", command, got, want)
			}
		}
	}
}

// do runs a command on both, and requires that the model answers as the server did at some
// reading of the clock that it may have had: those between the two readings around the
// command. Mostly they are in one millisecond; if not, what the model is after each of
// them is kept as long as it answers as the server does.
//
// Redis 7.0 reads the clock up to three times: when a command or a script begins, to decide
// which keys are alive; for each expiry that it sets; and again, to delete a key whose expiry
// is over by then. A busy machine makes them differ.
func (p *pair) do(args ...string) string {
	p.t.Helper()
	answer, first, last := p.client.timed(p.t, real(p.prefix, args)...)
	answer = class(answer)
	var said []string
	var agree []*redis.DB[string]
	for _, before := range p.models {
		for now := first; now <= last; now++ {
			m := &redis.DB[string]{}
			m.CopyFrom(before)
			if says := model(m, wall(now), args); says != answer {
				said = append(said, says)
				continue
			}
			agree = append(agree, m)
			for later := now; later <= last && last > first; later++ {
				agree = append(agree, setLater(m, before, now, later, last, args)...)
			}
		}
	}
	if p.models = agree; agree == nil {
		p.t.Fatalf("%v at %d..%d ms: Redis answers %s, the model %v", args, first, last, answer, said)
	}
	return answer
}

// setLater are the keyspaces that the server may have in the place of m, which the command made
// of before at now, if it read its clock at later when it set the expiry of a key, and at last
// when it looked whether that was over. There are none if the command set no expiry.
func setLater(m, before *redis.DB[string], now, later, last int64, args []string) (all []*redis.DB[string]) {
	for _, key := range args[1:] {
		e, exists := m.Entry(wall(now), key)
		old, _ := before.Entry(0, key)
		if !exists || !e.Expires || e.ExpireAt == old.ExpireAt && !asked(args, now, e.ExpireAt) {
			continue
		}
		ttl := e.ExpireAt.Sub(wall(2*now - later))
		set := &redis.DB[string]{}
		set.CopyFrom(m)
		set.PExpire(wall(now), key, ttl)
		all = append(all, set)
		if args[0] != "SET" && !wall(last).Before(wall(now).Add(ttl)) {
			gone := &redis.DB[string]{}
			gone.CopyFrom(m)
			gone.Del(wall(now), key)
			all = append(all, gone)
		}
	}
	return all
}

// asked reports whether a command at now asks for an expiry, in milliseconds or seconds.
func asked(args []string, now int64, at sim.Wall) bool {
	ms := at.Sub(wall(now)).Milliseconds()
	return slices.Contains(args, fmt.Sprint(ms)) || ms%1000 == 0 && slices.Contains(args, fmt.Sprint(ms/1000))
}

// timed runs a command between two readings of the server's clock, in milliseconds.
func (c *client) timed(t testing.TB, args ...string) (answer string, first, last int64) {
	t.Helper()
	clock := []string{"TIME"}
	if err := c.send(clock, args, clock); err != nil {
		t.Fatal(err)
	}
	var answers [3]string
	for i := range answers {
		var err error
		if answers[i], err = c.receive(); err != nil {
			t.Fatal(err)
		}
	}
	return answers[1], reading(answers[0]), reading(answers[2])
}

// reading is the answer to TIME, [seconds microseconds], in milliseconds.
func reading(answer string) int64 {
	var s, us int64
	fmt.Sscanf(answer, "[%d %d]", &s, &us)
	return s*1000 + us/1000
}

// classes are the errors of the model, and what the server's words begin with or contain.
var classes = []struct {
	err  redis.Error
	text string
}{
	{redis.OOM, "OOM command not allowed"},
	{redis.NotInteger, "not an integer or out of range"},
	{redis.Overflow, "would overflow"},
	{redis.WrongType, "WRONGTYPE"},
	{redis.InvalidExpire, "invalid expire time"},
	{redis.NoScript, "NOSCRIPT"},
	{redis.CrossSlot, "CROSSSLOT"},
	{redis.ScriptError, "user_script"},
}

// class replaces the words of an error by those of the model.
func class(answer string) string {
	if !strings.HasPrefix(answer, "error ") {
		return answer
	}
	for _, c := range classes {
		if strings.Contains(answer, c.text) {
			return "error " + c.err.Error()
		}
	}
	return answer
}

// The scripts of models/internal/redis as the server gets them.
var scripts = map[string]string{
	"source": `local limit = tonumber(ARGV[1])
local ttl = tonumber(ARGV[2])
local current = redis.call('INCR', KEYS[1])
if current == 1 then redis.call('EXPIRE', KEYS[1], ttl) end
if current > limit then return 0 else return 1 end`,
	"count": `local n = redis.call('INCRBY', KEYS[1], ARGV[1])
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return n`,
	"log": `redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
local n = redis.call('ZCARD', KEYS[1])
if n < tonumber(ARGV[1]) then redis.call('ZADD', KEYS[1], ARGV[2], ARGV[4]) end
redis.call('PEXPIRE', KEYS[1], ARGV[5])
if n < tonumber(ARGV[1]) then return 1 else return 0 end`,
	"chargeall": `for i, k in ipairs(KEYS) do
	if tonumber(redis.call('GET', k) or 0) + 1 > tonumber(ARGV[i]) then return i - 1 end
end
for _, k in ipairs(KEYS) do
	redis.call('INCR', k)
	if redis.call('PTTL', k) < 0 then redis.call('PEXPIRE', k, ARGV[#ARGV]) end
end
return -1`,
	"delif": `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end
return 0`,
	"expireif": `if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return 0`,
}

// real is a command as the server gets it: with the text of a script in the place of its
// name, and the prefix before each key.
func real(prefix string, args []string) []string {
	keys := 1
	out := []string{args[0]}
	if text, ok := scripts[args[0]]; ok {
		if args[0] == "chargeall" {
			keys = (len(args) - 2) / 2
		}
		out = []string{"EVAL", text, strconv.Itoa(keys)}
	}
	for i, a := range args[1:] {
		if i < keys {
			a = prefix + a
		}
		out = append(out, a)
	}
	return out
}
