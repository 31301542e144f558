package advise

import (
	"fmt"
	"time"
)

// lease makes the trials of a lock with a TTL that is not renewed: redis and redlock.
type lease struct {
	*Settings
	service                 string
	ttl, work, delay, retry time.Duration
	cycle                   time.Duration // from one attempt of a waiter to the next, at most
	pause                   time.Duration
	servers                 int
	phases                  int // of the waiter
}

func newLease(s *Settings) *lease {
	l := &lease{Settings: s, service: s.Lock.Name, servers: 1, phases: 50}
	l.work, l.delay, l.retry = s.Duration("work"), s.Duration("delay"), s.Duration("retry")
	if l.ttl = 10 * l.work; l.service != "naive" { // of a lock that does not end, the length of a run
		l.ttl = s.Duration("ttl")
	}
	l.pause, l.cycle = s.Duration("pause"), l.retry+4*l.delay
	if l.service == "redlock" {
		l.servers = s.Int("instances")
	}
	return l
}

// trial is the test of a promise by its name, for a value of what is promised: the pause,
// the rate, the work. It is nil where there is none.
func (l *lease) trial(name string, at Value) *trial {
	switch name {
	case "takeover-crash":
		return l.crash()
	case "takeover-crash-mean":
		return l.takeover()
	case "takeover-release":
		return l.release()
	case "takeover-release-mean":
		return l.release().constant(l.delay)
	case "outage":
		return l.outage(at.Duration())
	case "servers-down":
		return l.down()
	case "pause":
		return l.paused(at.Duration(), "before: write, nth: 1", false)
	case "pause-checked":
		return l.paused(at.Duration(), "on: checked", true)
	case "clock-rate":
		return l.rate(at)
	case "overlap":
		return l.overlap()
	case "messages":
		return l.messages()
	}
	return nil
}

// scene is two clients, of which the second wants the lock from an instant on, in the
// middle of part i of its cycle.
func (l *lease) scene(from time.Duration, i int) *scene {
	s := &scene{from: l.load, service: l.service, delay: fmt.Sprintf("{uniform: [0s, %v]}", l.delay)}
	s.waits = max(from, 3*l.delay) + (l.retry+2*l.delay)*time.Duration(2*i+1)/time.Duration(2*l.phases)
	s.until = s.waits + l.ttl + 4*l.cycle + l.work + time.Second
	s.set("start", "[0s, %v]", s.waits).set("per-node-timeout", "0s").set("write-timeout", "0s")
	if l.service != "naive" {
		s.set("ttl", "%v", l.ttl)
	}
	if l.service == "sentinel" {
		s.set("per-node-timeout", "%v", l.cycle).set("sentinel", "{down-after: %v, ping: %v, lag: %v}", l.Duration("downafter"), l.Duration("ping"), 4*l.delay)
	}
	if l.service == "redlock" {
		return s.set("instances", "%d", l.servers).set("retry", "{uniform: [0s, %v]}", l.retry)
	}
	return s.set("retry", "%v", l.retry)
}

// early scenes are those in which the second client wants the lock all the time.
func (l *lease) early(add func(i int, s *scene)) []*scene { return l.scenes(0, add) }

// late scenes are those in which it does from shortly before the lease may end: its
// attempts before that would change nothing.
func (l *lease) late(add func(i int, s *scene)) []*scene { return l.scenes(l.ttl-4*l.cycle, add) }

func (l *lease) scenes(from time.Duration, add func(i int, s *scene)) (list []*scene) {
	for i := range l.phases {
		s := l.scene(from, i)
		add(i, s)
		list = append(list, s)
	}
	return list
}

// constant gives each message the same delay.
func (t *trial) constant(delay time.Duration) *trial {
	for _, s := range t.scenes {
		s.delay = delay.String()
	}
	return t
}

// ownerless is the time for which no client had the lock, from when the first client had it.
func ownerless(r *run) int64 {
	first, _ := r.span("acquire-latency")
	return r.of("time-without-owner") - first
}

// handover counts the time from the end of the first holder to the second.
func handover(_ int, r *run) int64 {
	if r.of("acquisitions") != 2 {
		return none
	}
	return ownerless(r)
}

// takeover is a holder that crashes at any instant of its work.
func (l *lease) takeover() *trial {
	crash := func(i int) time.Duration {
		return 2*l.delay + 1 + l.work*time.Duration(2*(7*i%l.phases)+1)/time.Duration(2*l.phases)
	}
	l.phases = 199 // nothing is drawn with a retry that is always the same
	t := &trial{scenes: l.late(func(i int, s *scene) {
		s.set("work", "[%v, %v]", l.ttl+l.work, s.until).set("check", "false")
		s.fault("crash: client-1, at: %v", crash(i))
	})}
	t.value = func(i int, r *run) int64 { return t.second(i, r, crash(i)) }
	return t.constant(l.delay)
}

// crash is a holder that crashes as soon as it has the lock.
func (l *lease) crash() *trial {
	t := &trial{scenes: l.late(func(_ int, s *scene) {
		s.set("work", "[%v, %v]", l.ttl, s.until).set("check", "false")
		s.fault("crash: client-1, on: acquired")
	})}
	t.value = func(i int, r *run) int64 {
		first, _ := r.span("acquire-latency")
		return t.second(i, r, time.Duration(first))
	}
	return t
}

// second is how long after an instant the second client has the lock.
func (t *trial) second(i int, r *run, since time.Duration) int64 {
	if r.of("acquisitions") != 2 {
		return none
	}
	_, second := r.span("acquire-latency")
	return int64(t.scenes[i].waits-since) + second
}

// release is a holder that releases while the other asks.
func (l *lease) release() *trial {
	work := min(2*l.cycle, l.ttl/2)
	return &trial{value: handover, scenes: l.early(func(_ int, s *scene) {
		s.set("work", "[%v, %v]", work, s.until).set("check", "false")
	})}
}

// harmed is whether a measure is above 0.
func harmed(measure string) func(int, *run) int64 {
	return func(_ int, r *run) int64 { return min(r.of(measure), 1) }
}

// outage is a holder that is cut off, with its server, from the acquisition on: its check
// passes if it holds the lock to the end, even while another client wants it.
func (l *lease) outage(work time.Duration) *trial {
	return &trial{value: func(_ int, r *run) int64 { return min(ownerless(r), 1) }, scenes: l.late(func(_ int, s *scene) {
		s.until += work
		s.set("work", "%v", max(work, 0)).set("hold", "%v", s.until)
		s.fault("cut: {between: [[client-1, client-2], [redis-*]]}, on: acquired, by: client-1")
	})}
}

// down is a client that wants the lock while servers are down: what counts is how many
// were, if it got the lock.
func (l *lease) down() *trial {
	t := &trial{}
	for d := range l.servers + 1 {
		s := l.scene(0, 0)
		s.set("per-node-timeout", "%v", l.cycle).set("clients", "1").set("start", "%v", l.cycle).set("work", "0s")
		for i := range d {
			s.fault("crash: redis-%d, at: 0s", i+1)
		}
		t.scenes = append(t.scenes, s)
	}
	t.value = func(d int, r *run) int64 { return int64(d) * min(r.of("acquisitions"), 1) }
	return t
}

// paused is a holder that is paused for this long; its write does harm if an update is lost.
// With a check, every other scene has a pause before the check, three TTLs long.
func (l *lease) paused(pause time.Duration, when string, check bool) *trial {
	return &trial{value: harmed("lost-updates"), scenes: l.late(func(i int, s *scene) {
		s.until += 2*pause + 5*l.ttl
		s.set("check", "%v", check)
		s.set("work", "[%v, %v]", l.work, s.until-l.ttl-4*l.cycle)
		if check {
			s.set("work", "[%v, %v]", l.work, l.Duration("(ttl - drift - 2*delay)*3/4"))
		}
		if check && i%2 == 1 {
			s.fault("pause: client-1, on: acquired, for: %v", 3*l.ttl)
			return
		}
		s.faultFor(pause, "pause: client-1, "+when)
	})}
}

// rate is a holder whose clock is slower than the server's.
func (l *lease) rate(at Value) *trial {
	holder, server := at.clocks()
	return &trial{value: harmed("entitled-overlap"), scenes: l.late(func(_ int, s *scene) {
		s.until += 3 * l.ttl
		s.set("work", "%v", s.until)
		s.clocks = append(s.clocks, "client-1: {drift: "+holder+"}", "redis-*: {drift: "+server+"}")
	})}
}

func (l *lease) overlap() *trial {
	t := l.paused(l.pause, "before: write, nth: 1", false)
	t.value = func(_ int, r *run) int64 { return r.of("overlap") }
	return t
}

// messages are those of one client without contention, in its second acquisition: with
// them count those of the release before.
func (l *lease) messages() *trial {
	s := l.scene(0, 0)
	s.set("clients", "1").set("start", "0s").set("rounds", "3").set("work", "0s").set("check", "false").set("think", "%v", l.cycle)
	return &trial{scenes: []*scene{s}, value: func(_ int, r *run) int64 {
		if r.of("acquisitions") < 2 {
			return none
		}
		return r.of("messages-per-acquisition")
	}}
}
