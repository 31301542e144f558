package advise

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"time"

	"fencepost/models/lock/promises"
)

// blow is what happens in a case, in numbers of a run.
type blow struct {
	Case
	pause, outage, crash, step time.Duration
	skew                       *big.Rat
	all                        bool // servers crash, not one
}

// blow is a case with the values that are given.
func (e *Events) blow(c Case) blow {
	values := e.of(c)
	length := func(name string) time.Duration { return time.Duration(floor(values[name])) }
	b := blow{Case: c, skew: values[promises.Skew]}
	b.pause, b.step = length(promises.Pause), length(promises.Step)
	if slices.Contains(c.Names, promises.Crash) {
		b.crash = time.Duration(floor(e.Values[promises.Crash]))
	}
	switch outage := slices.Contains(c.Names, promises.Outage); {
	case outage && c.Kind == promises.Crash:
		b.crash, b.all = max(b.crash, length(promises.Outage)), true
	case outage:
		b.outage = length(promises.Outage)
	}
	return b
}

// longest is how long all of it lasts.
func (b *blow) longest() time.Duration { return b.pause + b.outage + b.crash }

// mostTurns bounds the renewals or attempts of a run.
const mostTurns = 1_000_000

func (x *session) tooLong(b blow) bool {
	turn := x.cycle
	if x.service() == "zookeeper" {
		turn = min(turn, x.grid)
	}
	return b.longest()/turn > mostTurns
}

func (l *lease) tooLong(b blow) bool { return b.longest()/l.retry > mostTurns }

// clocks are slow where the holder is, and fast elsewhere.
func (b *blow) clocks(s *scene, others string) {
	if b.skew.Sign() == 0 {
		return
	}
	slow, fast := drift(new(big.Rat).Neg(b.skew)), drift(b.skew)
	s.clocks = append(s.clocks, "client-1: {drift: "+slow+"}", "client-2: {drift: "+fast+"}", others+": {drift: "+fast+"}")
}

// slowly is a length as long as the slowest clock takes to count it, quickly what the fastest counts in it.
func (b *blow) slowly(d time.Duration) time.Duration {
	return time.Duration(floor(new(big.Rat).Quo(big.NewRat(int64(d), 1), new(big.Rat).Sub(big.NewRat(1, 1), b.skew))))
}

func (b *blow) quickly(d time.Duration) time.Duration {
	return time.Duration(floor(new(big.Rat).Mul(big.NewRat(int64(d), 1), new(big.Rat).Add(big.NewRat(1, 1), b.skew))))
}

// happen is the worst schedule of a case: a holder that renews is paused just before a renewal, and hears nothing when it resumes.
func (x *session) happen(b blow) *trial {
	extra := 2*b.longest() + 4*x.lease
	t := &trial{value: harmed("overlap")}
	switch {
	case b.Keeps:
		t.value = kept
	case x.service() == "watchdog":
		t.value = harmed("lost-updates") // its holder holds it until the server has told it that it does not
	}
	t.scenes = x.scenes(extra, func(i int, s *scene, when time.Duration) {
		start := x.part(x.grid, 7*i%phases)
		s.waits = b.quickly(b.slowly(s.waits))
		s.set("start", "[%v, %v]", start, s.waits)
		s.until = b.slowly(s.until)
		if x.service() == "watchdog" && !b.Keeps {
			when = x.working(i, s)
		}
		when = b.slowly(when)
		b.clocks(s, x.server)
		if b.step > 0 {
			x.step(s, b.step, when, i)
		}
		x.strike(s, &b, i, when)
	})
	return t
}

// strike pauses the holder, and takes the answers of the server from it as it resumes: in half of the scenes. In the others it is as bad as
// it can be for the lock.
func (x *session) strike(s *scene, b *blow, i int, when time.Duration) {
	pause, outage := fmt.Sprintf("at: %v", when), fmt.Sprintf("at: %v", when)
	if b.pause > 0 {
		outage = "after: {fault: stop, end: 0s}"
	}
	switch place := i / 2 % 4; x.service() {
	case "etcd":
		if place == 1 && !b.Keeps { // it opens its session
			opens := x.part(x.grid, 7*i%phases) + x.part(6*x.delay, i)
			outage, pause = fmt.Sprintf("at: %v", opens), fmt.Sprintf("at: %v", opens+part(max(b.outage, b.crash), i))
		}
	case "watchdog":
		if place < 2 {
			pause, outage = "before: write, nth: 1", pause
		}
		if place == 1 && b.Kind == promises.Hanging {
			outage = "on: {note: owned, by: redis-1, nth: 2}" // the renewal is carried out, and its answer comes too late
		}
	case "zookeeper":
		switch place {
		case 1:
			pause, outage = "before: zk-suspended, nth: 1", pause // a ping is lost
		case 3:
			pause = fmt.Sprintf("before: {effect: zk-pong, by: zookeeper, nth: %d}", 4+i%6) // it reads the answer when it resumes
		}
	case "consul":
		const ends = "on: {note: freed, by: consul}" // its session, before it is told
		switch place {
		case 1:
			pause, outage = ends, pause
		case 2: // the first renewal is due later than half of a TTL after the request for the lock
			pause = fmt.Sprintf("at: %v", x.part(x.grid, 7*i%phases)+4*x.delay+x.part(x.cycle, i))
		case 3:
			outage = ends
		}
	}
	s.strikes(b, pause, outage, x.server, i)
	if b.Kind == promises.Refused && b.outage > 0 && x.service() == "k8s-lease" {
		s.set("kubernetes", "%s", strings.Replace(s.get("kubernetes"), "request-timeout: "+x.Text("timeout"), "request-timeout: "+(2*x.delay+1).String(), 1))
	}
}

// strikes adds the faults, at places that are given. One that begins where another ends comes after it.
func (s *scene) strikes(b *blow, pause, outage, server string, i int) {
	if b.pause > 0 {
		s.fault("pause: client-1, %s, for: %v, name: stop", pause, b.pause)
	}
	kind := "cut"
	if b.Kind == promises.Hanging {
		kind = "hold"
	}
	if b.outage > 0 {
		s.fault("%s: {between: [[client-1], [%s]]}, %s, for: %v", kind, server, outage, part(b.outage, i))
	}
	if b.crash > 0 {
		s.fault("crash: %s, %s, for: %v", server, outage, part(b.crash, i))
	}
}

// part is a length up to another: about half of the scenes have all of it, the others less.
func part(most time.Duration, i int) time.Duration {
	if i/8%2 == 0 {
		return most
	}
	return max(1, most>>(i/16*3+1))
}

// working is when it happens to a holder whose work has an end: before its first renewal.
func (x *session) working(i int, s *scene) time.Duration {
	work := x.Duration("work")
	s.set("work", "[%v, %v]", work, 2*s.until+work)
	s.until = 4*s.until + 2*work
	return x.part(x.grid, 7*i%phases) + x.opens + x.part(min(x.cycle, work), i)
}

// step steps the wall clock that counts: of the server forward, or of a member of an election back.
func (x *session) step(s *scene, by, when time.Duration, i int) {
	if x.service() == "k8s-lease" {
		if i%4 < 2 {
			by = min(by, x.Duration("retry")) // so that the next renewal is of the same second
		}
		s.fault("step-clock: client-1, by: -%v, at: %v", by, max(when-x.cycle/2, 0))
		return
	}
	s.fault("step-clock: %s, by: %v, at: %v", x.server, by, when)
}

// kept is 0 if the first holder has the lock to the end.
func kept(_ int, r *run) int64 {
	if r.of("acquisitions") > 1 || ownerless(r) > 0 || r.of("overlap") > 0 {
		return 1
	}
	return 0
}

// happen is the worst schedule of a case: a holder is paused before its write, and a server has forgotten the lock, or counts it wrong.
func (l *lease) happen(b blow) *trial {
	from := l.ttl - 4*l.cycle - b.step
	if b.crash > 0 || b.outage > 0 || b.skew.Sign() > 0 {
		from = 0
	}
	reads := l.ttl + b.crash + b.outage        // when the second client may read
	writes := 3*l.work + 2*b.pause + 4*l.cycle // and how long after that it writes
	t := &trial{value: harmed("lost-updates"), scenes: l.scenes(from, func(i int, s *scene) {
		s.until = 3 * (s.until + reads + writes)
		s.set("check", "false").set("work", "[%v, %v]", l.work, writes)
		b.clocks(s, "redis-*")
		s.faultFor(b.pause, "pause: client-1, before: write, nth: 1")
		if b.step > 0 {
			for i := range l.servers {
				s.fault("step-clock: redis-%d, by: %v, on: {note: acquired, by: client-1}", i+1, b.step)
			}
		}
		if b.outage > 0 && l.service == "sentinel" {
			l.replaced(s, &b, i)
		} else if b.outage > 0 {
			l.deafen(s, &b, i)
		}
		if b.crash > 0 {
			s.set("per-node-timeout", "%v", l.cycle) // what asks a server that is down asks again
			if l.service == "redlock" && i/2%2 == 0 {
				s.set("start", "[0s, 0s]") // so that votes are split
			}
			for n := range l.crashing(&b) {
				s.fault("crash: redis-%d, on: acquired, by: client-1, for: %v", n+1, part(b.crash, i))
			}
		}
	})}
	return t
}

// deafen takes the answers of all servers from the holder once it has the lock, or where one of the few that granted it crashes, those of
// the others from the start.
func (l *lease) deafen(s *scene, b *blow, i int) {
	if b.crash > 0 && l.servers > 1 {
		var others []string
		for i := l.servers / 2; i > 0; i-- {
			others = append(others, fmt.Sprintf("redis-%d", l.servers+1-i))
		}
		if len(others) > 0 {
			s.fault("cut: {between: [[client-1], [%s]]}, at: 0s, for: %v", strings.Join(others, ", "), b.outage)
		}
		return
	}
	if b.Kind == promises.Hanging { // the answers that grant the lock
		s.fault("hold: {from: redis-*, to: client-1, one-way: true}, at: 0s, for: %v", l.grant(part(b.outage, i)))
		return
	}
	s.fault("cut: {between: [[client-1], [redis-*]]}, on: acquired, by: client-1, for: %v", b.outage)
}

// grant is for how long the answer that grants the lock can be held up: later, the client takes it for none.
func (l *lease) grant(most time.Duration) time.Duration {
	if l.service == "naive" {
		return most
	}
	return min(most, l.ttl-l.Duration("drift")-2*l.delay)
}

// crashing is how many servers crash.
func (l *lease) crashing(b *blow) int {
	if b.all {
		return l.servers
	}
	return 1
}

// replaced takes the master of a Redis with replicas from the Sentinels: it hangs once it has granted the lock, or is cut off with the
// holder, which asks it for the lock while a replica is promoted.
func (l *lease) replaced(s *scene, b *blow, i int) {
	if b.Kind == promises.Hanging && i/2%2 == 1 { // the answer that grants the lock
		s.set("per-node-timeout", "%v", b.outage+l.cycle)
		s.fault("hold: {from: redis-1, to: client-1, one-way: true}, at: 0s, for: %v", l.grant(b.outage))
		return
	}
	if b.Kind != promises.Cut {
		s.fault("pause: redis-1, on: acquired, by: client-1, for: %v", b.outage)
		return
	}
	if i/2%2 == 0 { // it may happen, or not
		s.set("work", "%v", l.work).set("start", "[%v, %v]", b.outage*time.Duration(2*i+1)/time.Duration(2*l.phases), b.outage/2)
		s.fault("cut: {between: [[client-1, redis-1, sentinel-1], [client-2, redis-2, sentinel-2, sentinel-3]]}, at: 0s, for: %v", b.outage)
	}
}
