package conformance

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"fencepost/models/internal/zookeeper"
)

var zookeeperSchedules = flag.Int("zookeeper-schedules", 150, "how many random schedules of ZooKeeper operations to run")

// never is an interval between two looks for empty containers that no test waits for.
const never = 24 * time.Hour

// script runs steps on a server and the model. Behind " -> " a step says what the outcome
// begins with.
func (z *zkPair) script(steps string) {
	z.t.Helper()
	for _, line := range strings.Split(strings.TrimSpace(steps), "\n") {
		step, want, _ := strings.Cut(strings.TrimSpace(line), " -> ")
		server, model := z.do(step)
		if server != model || !strings.HasPrefix(server, want) {
			z.t.Fatalf("%s\n  server %s\n  model  %s\n  want   %s", step, server, model, want)
		}
	}
}

// The vectors Z-04, Z-05 and Z-07, watches, and the errors, each step with the whole Stat and
// its zxids.
func TestZooKeeperVectors(t *testing.T) {
	p := startZooKeeper(t, "zookeeper-vectors", zkTick, never)
	for name, steps := range map[string]string{
		"sequence": `
			0 container / node-1 -> /node-1
			0 persistent-sequential /node-1 lock-* -> /node-1/lock-0000000000
			0 persistent-sequential /node-1 lock-* -> /node-1/lock-0000000001
			0 persistent-sequential /node-1 lock-* -> /node-1/lock-0000000002
			0 delete /node-1/lock-0000000001
			0 exists /node-1 -> czxid 2 mzxid 2 pzxid 6 version 0 cversion 4 children 2
			0 ephemeral-sequential /node-1 lock-* -> /node-1/lock-0000000003`,
		"names": `
			0 persistent / node-1
			0 ephemeral-sequential /node-1 _c_00000000000000ff-lock-* -> /node-1/_c_00000000000000ff-lock-0000000000
			1 ephemeral-sequential /node-1 _c_000000000000009f-lock-* -> /node-1/_c_000000000000009f-lock-0000000001
			2 ephemeral-sequential /node-1 _c_000000000000001a-lock-* -> /node-1/_c_000000000000001a-lock-0000000002
			0 persistent /node-1 node-9
			0 ephemeral-sequential /node-1 lock-* -> /node-1/lock-0000000004`,
		"queue": `
			0 container / node-1
			0 ephemeral-sequential /node-1 lock-*
			1 ephemeral-sequential /node-1 lock-*
			2 ephemeral-sequential /node-1 lock-*
			1 get /node-1/lock-0000000000 watch
			2 get /node-1/lock-0000000001 watch
			0 delete /node-1/lock-0000000000 -> ok; 1: event 2
			1 close -> closed; 2: event 2`,
		"watches": `
			0 persistent / node-1
			1 exists /node-1/node-5 watch -> error -101
			2 get /node-1/node-5 watch -> error -101
			0 persistent /node-1 node-5
			1 get /node-1/node-5 watch
			1 list /node-1/node-5 watch
			2 list /node-1 watch
			2 list /node-1 watch
			0 set /node-1/node-5
			0 set /node-1/node-5
			1 get /node-1/node-5 watch
			0 delete /node-1/node-5
			0 persistent /node-1 node-5`,
		"errors": `
			0 ephemeral / node-2
			0 persistent / node-1
			0 persistent /node-1 node-1
			0 persistent /node-9 node-1 -> error -101
			0 persistent / node-1 -> error -110
			0 persistent /node-2 node-1 -> error -108
			0 delete /node-9 -> error -101
			0 delete /node-1 -> error -111
			0 delete /node-1/node-1 1 -> error -103
			0 set /node-1/node-1 1 -> error -103
			0 set /node-1/node-1 0 -> czxid 4 mzxid 12
			0 exists /node-1`,
	} {
		t.Run(name, func(t *testing.T) {
			z := newZKPair(t, p, name)
			defer z.end()
			z.script(steps)
		})
	}
	t.Run("herd and predecessor", func(t *testing.T) { testZKHerd(t, p) })
}

// testZKHerd drains queues and counts the events.
func testZKHerd(t *testing.T, p *process) {
	for watch, want := range map[string]int{"herd": 45, "predecessor": 9} {
		z := newZKPair(t, p, watch)
		z.script("0 container / node-1")
		const clients = 10
		for i := range clients {
			z.script(fmt.Sprint(i, " ephemeral-sequential /node-1 lock-*"))
		}
		wait := func(i, holder int) {
			if watch == "herd" {
				z.script(fmt.Sprint(i, " list /node-1 watch"))
			} else if i == holder+1 || holder == 0 {
				z.script(fmt.Sprintf("%d get /node-1/lock-%010d watch", i, i-1))
			}
		}
		events := 0
		for holder := range clients {
			for i := holder + 1; i < clients; i++ {
				if watch == "herd" || holder == 0 {
					wait(i, holder)
				}
			}
			server, model := z.do(fmt.Sprintf("%d delete /node-1/lock-%010d", holder, holder))
			if server != model {
				t.Fatalf("server %s, model %s", server, model)
			}
			events += strings.Count(server, "event")
		}
		if events != want {
			t.Errorf("%s: %d events, expected %d", watch, events, want)
		}
		z.end()
	}
}

// Z-02: the timeouts that servers grant.
func TestZooKeeperClampsTimeouts(t *testing.T) {
	for _, tick := range []time.Duration{2 * time.Second, 500 * time.Millisecond} {
		p := startZooKeeper(t, fmt.Sprint("zookeeper-tick-", tick), tick, never)
		for _, asked := range []time.Duration{100 * time.Millisecond, 3 * time.Second, 30 * time.Second, time.Minute} {
			c, err := dialZooKeeper(p.port, 0, nil, asked)
			if err != nil {
				t.Fatal(err)
			}
			if want := zookeeper.Clamp(asked, tick); c.timeout != want {
				t.Errorf("tick %v: %v asked for, %v granted, the model grants %v", tick, asked, c.timeout, want)
			}
			c.close()
		}
	}
}

// Z-01: an ephemeral node outlives the connection of its client, and goes with the session,
// not before its timeout; the session is taken over in time, and has expired later.
func TestZooKeeperExpiresSessionsNotConnections(t *testing.T) {
	const tick = 200 * time.Millisecond
	p := startZooKeeper(t, "zookeeper-expiry", tick, never)
	watcher, err := dialZooKeeper(p.port, 0, nil, 20*tick)
	if err != nil {
		t.Fatal(err)
	}
	defer watcher.close()
	for range 5 {
		c, err := dialZooKeeper(p.port, 0, nil, 2*tick)
		if err != nil {
			t.Fatal(err)
		}
		c.create("/e", zookeeper.Ephemeral, "")
		c.hangUp()
		again, err := dialZooKeeper(p.port, c.id, c.password, 2*tick)
		if err != nil || again.id != c.id {
			t.Fatalf("the session is not taken over: %v", err)
		}
		touched := time.Now() // or later: it is the server that knows
		again.ping()
		again.hangUp()
		var m encoder
		if _, code, err := watcher.call(opExists, m.string("/e").bool(true)); err != nil || code != zookeeper.OK {
			t.Fatalf("the node is gone with the connection: %v %v", code, err)
		}
		if got := watcher.wait(t); got != eventText(zookeeper.NodeDeleted, "/e") {
			t.Fatal(got)
		}
		lag := time.Since(touched)
		if least := zookeeper.Clamp(2*tick, tick); lag < least {
			t.Errorf("the session expired after %v, before %v", lag, least)
		}
		// The answer is a timeout of 0, or the connection is closed before it is read.
		if late, err := dialZooKeeper(p.port, c.id, c.password, 2*tick); err == nil && late.timeout != 0 {
			t.Error("the session has not expired")
		}
		watcher.ping()
	}
}

// Z4: a container without children is deleted, one that never had any is not; the numbers
// begin again, and the czxid goes on.
func TestZooKeeperDeletesContainers(t *testing.T) {
	p := startZooKeeper(t, "zookeeper-containers", zkTick, 200*time.Millisecond)
	z := newZKPair(t, p, "containers")
	defer z.end()
	z.script(`
		0 container / node-1
		0 container / node-2
		0 ephemeral-sequential /node-1 lock-* -> /node-1/lock-0000000000
		0 exists /node-1 watch`)
	last := []string{"delete", "/node-1/lock-0000000000"} // the look for containers may come at any moment after it
	if server, model := z.onServer(z.list[0], last), z.onModel(z.list[0], last); server != "ok" || model != "ok" {
		t.Fatalf("delete: the server answers %s, the model %s", server, model)
	}
	if got := z.list[0].wait(t); got != eventText(zookeeper.NodeDeleted, z.root+"/node-1") {
		t.Fatal(got)
	}
	if deleted := z.model.CheckContainers(); deleted != 1 {
		t.Fatalf("the model deletes %d containers", deleted)
	}
	z.model.Drain(func(zookeeper.Event) {})
	z.script(`
		0 exists /node-1 -> error -101
		0 list / -> [node-2]
		0 container / node-1 -> /node-1 czxid 7
		0 ephemeral-sequential /node-1 lock-* -> /node-1/lock-0000000000 czxid 8`)
}

// Random schedules of up to four sessions: every way to create a node, deletions and writes
// by version, reads with and without watches, sessions that end.
func TestZooKeeperRandomSchedules(t *testing.T) {
	p := startZooKeeper(t, "zookeeper-random", zkTick, never)
	steps := 0
	for n := range *zookeeperSchedules {
		r := rand.New(rand.NewPCG(uint64(n), 38))
		z := newZKPair(t, p, fmt.Sprint("random-", n))
		var done []string
		for range 40 {
			step := zkStep(r)
			done = append(done, step)
			if server, model := z.do(step); server != model {
				t.Fatalf("schedule %d:\n  %s\n  server %s\n  model  %s", n, strings.Join(done, "\n  "), server, model)
			}
			steps++
		}
		z.end()
	}
	t.Logf("%d steps", steps)
}

// A model whose numbers are ahead by one is found out.
func TestADifferenceOfZooKeeperIsSeen(t *testing.T) {
	z := newZKPair(t, startZooKeeper(t, "zookeeper-difference", zkTick, never), "difference")
	defer z.end()
	z.script("0 persistent / node-1")
	z.model.Age(zookeeper.Directory(1), 1)
	if server, model := z.do("0 persistent-sequential /node-1 lock-*"); server == model {
		t.Fatalf("both answer %s", server)
	}
}

// zkStep draws a step.
func zkStep(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	dir := pick("/node-1", "/node-2", "/node-3")
	path := pick(dir, dir+pick("/node-1", "/node-5", "/lock-0000000000", "/lock-0000000001", "/lock-0000000003", "/_c_00000000000000ff-lock-0000000002"))
	step := ""
	switch r.IntN(12) {
	case 0, 1:
		step = pick("persistent", "ephemeral", "container") + " / " + dir[1:]
	case 2, 3:
		step = pick("persistent", "ephemeral", "container") + " " + dir + " " + pick("node-1", "node-5")
	case 4, 5, 6:
		step = pick("persistent", "ephemeral") + "-sequential " + pick(dir, dir, "/") + " " + pick("lock-*", "_c_00000000000000ff-lock-*")
	case 7, 8:
		step = "delete " + path + pick("", "", " 0", " 1")
	case 9:
		step = "set " + path + pick("", "", " 0", " 1")
	case 10:
		step = pick("exists ", "get ", "list ") + path + pick("", " watch", " watch")
	default:
		step = pick("list / watch", "list / watch", "close")
	}
	return fmt.Sprint(r.IntN(4), " ", step)
}
