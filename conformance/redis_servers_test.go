package conformance

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/sim"
)

func wall(ms int64) sim.Wall { return sim.Wall(ms * 1e6) }

// RD-12: in a full memory INCR fails, also of a key that is there, and GET works; with
// allkeys-lru the key that was not used for longest goes, and a blocked user starts anew.
func TestFullMemory(t *testing.T) {
	c := startRedis(t, "full", "--maxmemory-samples", "64").client(t)
	p := newPair(t, c, "", &redis.DB[string]{})
	p.run("SET old 7\nSET user 1000 PX 60000")
	used := info(c, "used_memory")
	c.do("CONFIG", "SET", "maxmemory", "1")
	p.models[0].Max = p.models[0].Len()
	oom := "error " + redis.OOM.Error()
	p.run("INCR new -> " + oom + "\nINCR old -> " + oom + "\nGET old -> 7")

	c.do("CONFIG", "SET", "maxmemory", fmt.Sprint(integer(used)+300_000), "maxmemory-policy", "allkeys-lru")
	time.Sleep(1100 * time.Millisecond) // the server notes the use of a key in seconds
	d := p.models[0]
	d.Evict, d.Max = true, 3000
	for i := 0; i < 20_000 && (i < 3000 || c.do("EXISTS", "user") == "1"); i++ { // which does not count as use
		key := fmt.Sprint("k", i)
		if err := d.Set(0, key, 1); err != nil || c.do("SET", key, "1") != "OK" {
			t.Fatal(key, err)
		}
	}
	p.run("count user 1 60000 -> 1")
}

// info is a field of INFO.
func info(c *client, field string) string {
	_, rest, _ := strings.Cut(c.do("INFO"), "\r\n"+field+":")
	value, _, _ := strings.Cut(rest, "\r\n")
	return value
}

// RD-13: a replica that is cut off knows 40 of 100 calls, WAIT says that it has nothing of
// the rest, and after its promotion it admits 60 more: 160 of a limit of 100.
func TestFailoverAdmitsTwice(t *testing.T) {
	primary, replica := startRedis(t, "primary", "--repl-diskless-sync-delay", "0"), startRedis(t, "replica")
	c, r := primary.client(t), replica.client(t)
	var d redis.DB[string]
	r.do("REPLICAOF", "127.0.0.1", primary.port)
	for info(r, "master_link_status") != "up" {
		time.Sleep(10 * time.Millisecond)
	}
	admitted := 0
	call := func(p *pair) {
		if integer(p.do("count", "k", "1", "60000")) <= 100 {
			admitted++
		}
	}
	old := newPair(t, c, "", &d)
	for range 40 {
		call(old)
	}
	if got := c.do("WAIT", "1", "5000"); got != "1" {
		t.Fatalf("WAIT answers %s before the cut", got)
	}
	_, _, now := c.timed(t, "PING")
	var copied []*redis.DB[string] // of each that the primary may be: the deadline of k may be one of two milliseconds
	for _, m := range old.models {
		e, _ := m.Entry(wall(now), "k")
		copied = append(copied, &redis.DB[string]{})
		copied[len(copied)-1].Load(wall(now), "k", e)
	}
	r.do("REPLICAOF", "NO", "ONE")
	for info(c, "connected_slaves") != "0" {
		time.Sleep(time.Millisecond)
	}
	for range 60 {
		call(old)
	}
	if got := c.do("WAIT", "1", "100"); got != "0" {
		t.Fatalf("WAIT answers %s after the cut", got)
	}
	primary.kill()
	promoted := newPair(t, r, "", nil)
	promoted.models = copied
	promoted.run("GET k -> 40\nPTTL k")
	for range 100 {
		call(promoted)
	}
	if admitted != 160 {
		t.Fatalf("%d are admitted, expected 160", admitted)
	}
}

// RD-16, RD-17: the slots of keys, and a script over keys of two slots.
func TestSlots(t *testing.T) {
	c := startRedis(t, "cluster", "--cluster-enabled", "yes").client(t)
	keys := []string{"rate:42:2", "rate:{42}:0", "rate:{42}:7", "{}x", "{", "}{a}", "{a}{b}", "{{a}}", "a{b", "123456789", ""}
	r := rand.New(rand.NewPCG(1, 17))
	for range 500 {
		b := make([]byte, r.IntN(12))
		for i := range b {
			b[i] = "ab{}:\x00\xff19"[r.IntN(9)]
		}
		keys = append(keys, string(b))
	}
	for _, k := range keys {
		if got, says := c.do("CLUSTER", "KEYSLOT", k), number(int64(redis.KeySlot(k)), nil); got != says {
			t.Errorf("%q: Redis %s, the model %s", k, got, says)
		}
	}
	if got := c.do("CLUSTER", "KEYSLOT", "rate:42:2"); got != "1467" {
		t.Errorf("rate:42:2 lies in slot %s", got)
	}
	c.do("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
	for !strings.Contains(c.do("CLUSTER", "INFO"), "cluster_state:ok") {
		time.Sleep(10 * time.Millisecond)
	}
	for _, pairOfKeys := range [][2]string{{"rate:u:1", "rate:global"}, {"rate:{1}:u", "rate:{1}:ip"}} {
		got := class(c.do("EVAL", "return 2", "2", pairOfKeys[0], pairOfKeys[1]))
		says := "2"
		if err := redis.SameSlot(pairOfKeys[0], pairOfKeys[1]); err != nil {
			says = "error " + err.Error()
		}
		if got != says {
			t.Errorf("a script over %v: Redis answers %s, the model %s", pairOfKeys, got, says)
		}
	}
}

// RD-22: EVALSHA of a script that the server has not, or not any more.
func TestScriptsAreForgotten(t *testing.T) {
	c := startRedis(t, "scripts").client(t)
	var s redis.Scripts
	sha := c.do("SCRIPT", "LOAD", "return 7")
	c.do("SCRIPT", "FLUSH")
	steps := []struct {
		command []string
		says    func() error
	}{
		{[]string{"EVALSHA", sha, "0"}, func() error { return s.EvalSHA("return 7") }},
		{[]string{"EVAL", "return 7", "0"}, func() error { s.Eval("return 7"); return nil }},
		{[]string{"EVALSHA", sha, "0"}, func() error { return s.EvalSHA("return 7") }},
		{[]string{"SCRIPT", "FLUSH"}, func() error { s.Flush(); return nil }},
		{[]string{"EVALSHA", sha, "0"}, func() error { return s.EvalSHA("return 7") }},
	}
	for i, step := range steps {
		got, err := class(c.do(step.command...)), step.says()
		if failed := strings.HasPrefix(got, "error "); failed != (err != nil) || failed && got != "error "+err.Error() {
			t.Errorf("step %d, %v: Redis answers %s, the model %v", i, step.command, got, err)
		}
	}
}

// A server whose process is killed finds what its file has: nothing without one, all that
// was answered with appendfsync always. Expiry elapses while it is down.
func TestWhatSurvivesARestart(t *testing.T) {
	for mode, settings := range map[redis.Persistence][]string{
		redis.None:   {"--appendonly", "no"},
		redis.Always: {"--appendonly", "yes", "--appendfsync", "always"},
	} {
		name := fmt.Sprint("restart-", mode)
		server := startRedis(t, name, settings...)
		c := server.client(t)
		keys := map[string][]redis.Key{}
		for key, command := range map[string]string{"short": "SET short 1 PX 50 NX", "long": "SET long 2 PX 60000 NX", "counter": "INCR counter"} {
			for _, k := range lockCommand(t, c, make([]redis.Key, 1), strings.Fields(command)) {
				disk := redis.Disk{Mode: mode}
				disk.Wrote(k)
				keys[key] = append(keys[key], disk.Load())
			}
		}
		server.kill()
		time.Sleep(60 * time.Millisecond)
		c = startRedis(t, name, settings...).client(t)
		for key, k := range keys {
			k = lockCommand(t, c, k, []string{"GET", key})
			lockCommand(t, c, k, []string{"INCR", key})
		}
	}
}
