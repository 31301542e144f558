package conformance

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"fencepost/models/internal/redis"
	"fencepost/models/lock"
	"fencepost/sim"
)

// group is a master and its replicas.
type group struct {
	servers []*process
	clients []*client // the first is the master's
}

// startGroup starts a master, redis-1, with so many replicas, and waits until they are linked.
func startGroup(t *testing.T, name string, replicas int) *group {
	t.Helper()
	g := &group{}
	for i := range replicas + 1 {
		p := startRedis(t, fmt.Sprintf("%s-%d", name, i+1), "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1")
		c := p.client(t)
		if i > 0 {
			c.do("REPLICAOF", "127.0.0.1", g.servers[0].port)
		}
		g.servers, g.clients = append(g.servers, p), append(g.clients, c)
	}
	until(t, "all replicas acknowledge", func() bool {
		g.clients[0].do("SET", "started", "1")
		return g.clients[0].do("WAIT", strconv.Itoa(replicas), "100") == strconv.Itoa(replicas)
	})
	return g
}

// ask is one command on a connection of its own: a server that changes its role ends those
// that there are.
func (p *process) ask(t *testing.T, args ...string) string {
	t.Helper()
	c, err := dial(p.port)
	if err != nil {
		t.Fatal(err)
	}
	defer c.conn.Close()
	return c.do(args...)
}

// signal stops a server as a long pause does, or lets it continue.
func (p *process) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	if err := p.cmd.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
}

// until waits for something that happens soon.
func until(t *testing.T, what string, happens func() bool) {
	t.Helper()
	for deadline := time.Now().Add(60 * time.Second); !happens(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("60s are over, and it is not that %s", what)
		}
	}
}

// startSentinel starts a Sentinel that watches a master alone.
func startSentinel(t *testing.T, name, master string) *client {
	t.Helper()
	p := start(t, name, func(dir, port string) *exec.Cmd {
		command := unprivileged(t, dir)
		config := fmt.Sprintf("port %s\nbind 127.0.0.1\ndir %s\nsentinel monitor m 127.0.0.1 %s 1\n"+
			"sentinel down-after-milliseconds m 1000\nsentinel failover-timeout m 10000\n", port, dir, master)
		file := filepath.Join(dir, "sentinel.conf") // which Sentinel rewrites
		if err := os.WriteFile(file, []byte(config), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
		return command(exec.Command(redisProgram(t), file, "--sentinel"))
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
	return p.client(t)
}

// current is the port of the master that a Sentinel names.
func current(sentinel *client) string {
	answer := sentinel.do("SENTINEL", "get-master-addr-by-name", "m")
	return strings.Trim(answer[strings.LastIndex(answer, " ")+1:], "]")
}

// L-08 and what follows: the master is stopped with a key that its replica has not got; the
// replica is promoted and grants the lock again; the old master continues to say that it is
// one, and grants, until Sentinel makes a replica of it, and then its key is gone.
func TestSentinelLosesALock(t *testing.T) {
	g := startGroup(t, "lost", 1)
	master, replica := g.clients[0], g.clients[1]
	sentinel := startSentinel(t, "lost-sentinel", g.servers[0].port)
	until(t, "Sentinel knows the replica", func() bool {
		return strings.Contains(sentinel.do("SENTINEL", "replicas", "m"), g.servers[1].port)
	})
	// The write is in no replica's buffer any more when it is answered, and the replica cannot ask for it again.
	g.servers[1].signal(t, syscall.SIGSTOP)
	if err := master.send([]string{"MULTI"}, []string{"SET", "lock", "1.1", "NX", "PX", "600000"}, []string{"CLIENT", "KILL", "TYPE", "replica"}, []string{"EXEC"}); err != nil {
		t.Fatal(err)
	}
	answers := make([]string, 4)
	for i := range answers {
		answers[i], _ = master.receive()
	}
	g.servers[0].signal(t, syscall.SIGSTOP)
	g.servers[1].signal(t, syscall.SIGCONT)
	if !strings.HasPrefix(answers[3], "[OK") {
		t.Fatalf("the lock is not granted: %v", answers)
	}
	stopped := time.Now()
	until(t, "the replica is promoted", func() bool { return current(sentinel) == g.servers[1].port })
	t.Logf("the switch to the replica came %v after the master stopped, with down-after 1s", time.Since(stopped).Round(10*time.Millisecond))
	if got := replica.do("PING"); got == "PONG" {
		t.Fatal("the connection of a client survives the promotion")
	}
	if got := g.servers[1].ask(t, "SET", "lock", "2.1", "NX", "PX", "600000"); got != "OK" {
		t.Fatalf("the promoted replica has the lock: %s", got)
	}

	g.servers[0].signal(t, syscall.SIGCONT)
	if got := g.servers[0].ask(t, "SET", "other", "1.2", "NX", "PX", "600000"); got != "OK" {
		t.Fatalf("the old master does not grant: %s", got)
	}
	continued := time.Now()
	until(t, "the old master is a replica", func() bool { return strings.Contains(g.servers[0].ask(t, "INFO"), "role:slave\r\n") })
	t.Logf("the old master became a replica %v after it continued", time.Since(continued).Round(10*time.Millisecond))
	until(t, "it has the data of the new master", func() bool { return g.servers[0].ask(t, "GET", "lock") == "2.1" })
	if got := g.servers[0].ask(t, "GET", "other"); got != "nil" {
		t.Fatalf("a write of the old master is left: %s", got)
	}
	if got := g.servers[0].ask(t, "SET", "other", "1.3", "NX"); !strings.HasPrefix(got, "error READONLY") {
		t.Fatalf("the new replica writes: %s", got)
	}
	if !modelLoses(t) {
		t.Fatal("the model does not lose the lock")
	}
}

// modelLoses reports whether the model loses a lock in the same schedule: the master is
// stopped before the write has left it.
func modelLoses(t *testing.T) bool {
	t.Helper()
	p := lock.DefaultParams()
	second := time.Second
	one := 1
	p.Service, p.Work = "sentinel", []time.Duration{8 * second}
	p.Sentinel = &lock.SentinelParams{Sentinels: &one, DownAfter: &second, Lag: sim.Constant(second)}
	c := sim.Config{Until: sim.Time(30 * second), Faults: []sim.Fault{{Do: sim.Pause, Node: 3, When: sim.When{At: sim.Time(100 * time.Millisecond)}, For: sim.Constant(20 * second)}}}
	system := p.System()
	w, err := sim.NewWorld(system, c)
	if err != nil {
		t.Fatal(err)
	}
	r := w.Run(1)
	for i, property := range system.Properties {
		if property.Name() == "mutual-exclusion" {
			return r.Properties[i].Verdict == sim.Violated
		}
	}
	t.Fatal("no property mutual-exclusion")
	return false
}

// WAIT counts the replicas that have acknowledged, as the model does.
func TestWaitCountsWhoHasAcknowledged(t *testing.T) {
	g := startGroup(t, "wait", 2)
	master := g.clients[0]
	var model redis.Replicas
	model.Begin(redis.Position{History: 1})
	write := func(acked ...int) {
		t.Helper()
		if got := master.do("SET", "k", "v"); got != "OK" {
			t.Fatal(got)
		}
		model.Wrote()
		for _, i := range acked {
			model.Ack(i, model.At, 0)
		}
	}
	const enough, short = "20000", "300" // ms: a slow machine has time; a stopped server costs little
	agree := func(wait, timeout string) {
		t.Helper()
		if got, want := master.do("WAIT", wait, timeout), fmt.Sprint(model.Acked(model.At.Offset)); got != want {
			t.Fatalf("WAIT %s answers %s, the model %s", wait, got, want)
		}
	}
	write(0, 1)
	agree("2", enough)
	g.servers[2].signal(t, syscall.SIGSTOP)
	write(0)
	agree("1", enough)
	agree("2", short)
	g.servers[2].signal(t, syscall.SIGCONT)
	model.Ack(1, model.At, 0)
	agree("2", enough)
	if got := g.clients[1].do("WAIT", "1", "10"); !strings.HasPrefix(got, "error") {
		t.Fatalf("a replica answers WAIT with %s", got)
	}
}

// A master without good replicas refuses what writes, scripts as well, and answers what reads.
func TestMinReplicasRefusesWrites(t *testing.T) {
	g := startGroup(t, "min", 1)
	master := g.clients[0]
	master.do("CONFIG", "SET", "min-replicas-to-write", "1")
	master.do("CONFIG", "SET", "min-replicas-max-lag", "1")
	set := func() string { return master.do("SET", "lock", "1.1", "PX", "600000") }
	until(t, "it writes with a replica", func() bool { return set() == "OK" })
	var model redis.Replicas
	model.Begin(redis.Position{History: 1})
	model.Ack(0, model.At, 0)
	g.servers[1].signal(t, syscall.SIGSTOP)
	until(t, "it refuses without one", func() bool { return strings.HasPrefix(set(), "error NOREPLICAS") })
	if model.Good(wall(1_999), time.Second) != 1 || model.Good(wall(2_000), time.Second) != 0 {
		t.Fatal("the model refuses from the second whole second on")
	}
	release := master.do("EVAL", "if redis.call('GET', KEYS[1]) == ARGV[1] then return redis.call('DEL', KEYS[1]) end", "1", "lock", "1.1")
	if !strings.Contains(release, "NOREPLICAS") {
		t.Fatalf("the script that releases the lock answers %s", release)
	}
	if got := master.do("GET", "lock"); got != "1.1" {
		t.Fatalf("GET answers %s", got)
	}
	g.servers[1].signal(t, syscall.SIGCONT)
	until(t, "it writes again", func() bool { return set() == "OK" })
}

// A key that has expired is gone for who asks a replica, also if the master has not deleted it
// yet, and for SET NX once the replica is a master.
func TestAReplicaHidesAnExpiredKey(t *testing.T) {
	g := startGroup(t, "expired", 1)
	master, replica := g.clients[0], g.clients[1]
	master.do("DEBUG", "SET-ACTIVE-EXPIRE", "0")
	if got := master.do("SET", "lock", "1.1", "NX", "PX", "2000"); got != "OK" {
		t.Fatal(got)
	}
	master.do("WAIT", "1", "1000")
	if got := replica.do("GET", "lock"); got != "1.1" {
		t.Fatalf("GET on the replica answers %s", got)
	}
	if m, r := master.do("PEXPIRETIME", "lock"), replica.do("PEXPIRETIME", "lock"); m != r {
		t.Fatalf("the expiry is %s on the master and %s on the replica", m, r)
	}
	keys := replica.do("DBSIZE")
	until(t, "the key has expired", func() bool { return replica.do("GET", "lock") == "nil" })
	if got := replica.do("DBSIZE"); got != keys {
		t.Fatalf("the replica has deleted the key by itself: %s keys are left of %s", got, keys)
	}
	replica.do("REPLICAOF", "NO", "ONE")
	if got := replica.do("SET", "lock", "2.1", "NX", "PX", "2000"); got != "OK" {
		t.Fatalf("the promoted replica refuses: %s", got)
	}
}
