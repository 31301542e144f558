package advise

import (
	"fmt"
	"time"
)

// session makes the trials of a lock that its holder keeps by renewing it.
type session struct {
	*Settings
	base   scene         // what all scenes have
	server string        // its node, or a pattern of them
	lease  time.Duration // how long the lock outlives a holder, at least
	cycle  time.Duration // from one renewal to the next
	poll   time.Duration // how long a waiter may take to see that the lock is free
	grid   time.Duration // of the server: where in it the first client begins is drawn
	opens  time.Duration // an acquisition takes no longer

	delay, pause time.Duration
	outage       string // how a server is out of reach: a fault, with its duration to fill in
	crash        string // the fault of a crash right after a renewal, or ""
	rounds       int    // acquisitions until the messages of one are counted
	warm         int    // cycles before something happens
}

const phases = 50 // of what is not drawn

// newSession makes the trials of a lock by its settings.
func newSession(s *Settings) *session {
	x := &session{Settings: s, delay: s.Duration("delay"), pause: s.Duration("pause"), rounds: 3, warm: 2}
	x.base = scene{from: s.load, service: s.Lock.Name, delay: fmt.Sprintf("{uniform: [0s, %v]}", x.delay)}
	x.opens = 20*x.delay + time.Millisecond
	switch s.Lock.Name {
	case "k8s-lease":
		x.kubernetes()
	case "etcd":
		x.etcd()
	case "zookeeper":
		x.zookeeper()
	case "watchdog":
		x.watchdog()
	case "consul":
		x.consul()
	}
	return x
}

func (x *session) kubernetes() {
	x.server, x.outage = "api-server", "cut: {between: [[client-*], [api-server]]}"
	x.lease, x.poll, x.cycle = x.Duration("lease"), x.Duration("2*(retry + jitter*retry) + 10*delay"), x.Duration("retry + 2*delay")
	x.onCancel(&x.base, false)
	x.grid, x.rounds, x.crash = time.Second, 1, "on: extended, nth: 3"
}

// onCancel says what a leader that stops does.
func (x *session) onCancel(s *scene, release bool) {
	s.set("kubernetes", "{lease: %v, renew: %v, retry: %v, request-timeout: %v, release-on-cancel: %v}",
		x.lease, x.Duration("renew"), x.Duration("retry"), x.Duration("timeout"), release)
}

func (x *session) etcd() {
	x.server, x.outage = "etcd-1", "cut: {between: [[client-*], [etcd-1]]}"
	x.lease, x.poll, x.cycle = x.Duration("ttl"), x.Duration("scan + 8*delay"), x.Duration("keepalive")
	x.grid, x.crash = x.Duration("2*scan"), "on: extended, nth: 2"
	x.base.set("ttl", "%v", x.lease)
}

func (x *session) zookeeper() {
	x.server, x.outage = "zookeeper", "hold: {between: [[client-*], [zookeeper]]}"
	x.lease, x.poll, x.cycle = x.Duration("timeout"), x.Duration("tick + 8*delay"), x.Duration("timeout/3")
	x.grid = x.Duration("tick")
	x.base.set("ttl", "%v", x.Duration("session"))
	x.base.set("zookeeper", "{tick: %v, expiration-percent: %d}", x.Duration("tick"), x.Int("percent"))
}

func (x *session) consul() {
	x.server, x.outage = "consul", "cut: {between: [[client-*], [consul]]}"
	x.lease, x.poll, x.cycle = x.Duration("session + lockdelay"), x.Duration("retry + 8*delay"), x.Duration("ttl/2")
	x.base.set("ttl", "%v", x.Duration("ttl")).set("consul", "{lock-delay: %v}", x.Duration("lockdelay"))
}

func (x *session) watchdog() {
	x.server, x.outage = "redis-1", "pause: redis-1"
	x.lease, x.poll, x.cycle = x.Duration("lease"), x.Duration("8*delay + 10ms"), x.Duration("lease/3 + 2*delay")
	x.base.set("ttl", "%v", x.lease).set("per-node-timeout", "%v", x.Duration("timeout"))
}

// trial implements trials.
func (x *session) trial(name string, at Value) *trial {
	switch name {
	case "takeover-crash":
		return x.crashed()
	case "takeover-crash-mean":
		x.warm = 20 // so that a candidate that draws its waits may be anywhere in one
		return x.crashedAnytime().constant(x.delay)
	case "takeover-release":
		return x.released()
	case "takeover-release-mean":
		x.warm = 20
		return x.released().constant(x.delay)
	case "outage":
		return x.unharmed(at.Duration(), func(s *scene, when time.Duration) {
			s.fault("%s, at: %v, for: %v", x.outage, when, at.Duration())
		})
	case "pause", "pause-kept":
		return x.measured(name, x.unharmed(at.Duration(), func(s *scene, when time.Duration) {
			s.fault("pause: client-1, at: %v, for: %v", when, at.Duration())
		}))
	case "pause-checked":
		return x.measured(name, x.unharmed(at.Duration(), func(s *scene, when time.Duration) {
			s.set("check", "true").set("work", "[%v, %v]", when, s.until).set("hold", "%v", s.until)
			s.fault("pause: client-1, before: write, nth: 1, for: %v", at.Duration())
		}))
	case "clock-rate":
		return x.rate(at)
	case "overlap":
		return x.overlap()
	case "overlap-lost":
		return x.cutOff(func(s *scene) {
			s.set("zookeeper", "{tick: %v, expiration-percent: %d, stop-at: lost}", x.Duration("tick"), x.Int("percent"))
		})
	case "overlap-release":
		return x.cutOff(func(s *scene) { x.onCancel(s, true) })
	case "messages":
		return x.messages()
	}
	return nil
}

// scene is a holder from the start on, and a second client that wants the lock too. The
// instant is in part i of a cycle of the holder: at another distance from its
// renewals in each scene.
func (x *session) scene(i int, extra time.Duration) (s *scene, when time.Duration) {
	copied := x.base
	s = &copied
	s.params = append([][2]string(nil), s.params...)
	start := x.part(x.grid, 7*i%phases)
	when = start + x.opens + time.Duration(x.warm)*x.cycle + x.part(x.cycle, i)
	s.until = when + extra + 2*x.lease + 2*x.poll + x.cycle + time.Second
	s.waits = start + x.opens + x.part(x.cycle, 3*i%phases)
	s.set("start", "[%v, %v]", start, s.waits).set("check", "false").set("work", "%v", s.until)
	return s, when
}

// part is the middle of part i of a length.
func (x *session) part(of time.Duration, i int) time.Duration {
	return of * time.Duration(2*i+1) / (2 * phases)
}

func (x *session) scenes(extra time.Duration, add func(i int, s *scene, when time.Duration)) (list []*scene) {
	for i := range phases {
		s, when := x.scene(i, extra)
		add(i, s, when)
		list = append(list, s)
	}
	return list
}

// crashed is a holder that crashes right after a renewal, where there is a note of that.
func (x *session) crashed() *trial {
	if x.crash == "" {
		return x.crashedAnytime()
	}
	return &trial{value: handover, scenes: x.scenes(0, func(_ int, s *scene, _ time.Duration) {
		s.fault("crash: client-1, %s", x.crash)
	})}
}

// crashedAnytime is a holder that crashes at an instant that is drawn.
func (x *session) crashedAnytime() *trial {
	return &trial{value: handover, scenes: x.scenes(0, func(_ int, s *scene, when time.Duration) {
		s.fault("crash: client-1, at: %v", when)
	})}
}

func (x *session) released() *trial {
	return &trial{value: handover, scenes: x.scenes(0, func(_ int, s *scene, when time.Duration) {
		s.set("work", "[%v, %v]", when, s.until)
		if x.service() == "k8s-lease" {
			x.onCancel(s, true)
		}
	})}
}

// unharmed is a holder that something happens to: it does harm if the holder loses the lock.
func (x *session) unharmed(extra time.Duration, add func(s *scene, when time.Duration)) *trial {
	return &trial{value: kept, scenes: x.scenes(extra+x.lease, func(_ int, s *scene, when time.Duration) { add(s, when) })}
}

// measured says what of a pause is measured as harm. A client of ZooKeeper is SUSPENDED
// before its session ends: then it has lost the lock, but done no harm.
func (x *session) measured(name string, t *trial) *trial {
	if (x.service() == "zookeeper" || x.service() == "consul") && name != "pause-kept" {
		t.value = harmed("overlap")
	}
	return t
}

// rate is a holder that is cut off, and whose clock is slower than all others'.
func (x *session) rate(at Value) *trial {
	holder, others := at.clocks()
	return &trial{value: harmed("overlap"), scenes: x.scenes(4*x.lease, func(_ int, s *scene, when time.Duration) {
		s.clocks = append(s.clocks, "client-1: {drift: "+holder+"}", "client-2: {drift: "+others+"}", x.server+": {drift: "+others+"}")
		if x.service() == "etcd" || x.service() == "watchdog" {
			return // whether renewals come in time
		}
		s.fault("cut: {between: [[client-1], [%s]]}, at: %v", x.server, 3*when)
	})}
}

func (x *session) service() string { return x.base.service }

// overlap is a holder that is paused, or cut off for good.
func (x *session) overlap() *trial {
	return &trial{value: overlapped, scenes: x.scenes(2*x.pause, func(i int, s *scene, when time.Duration) {
		switch {
		case x.service() == "watchdog":
			work := x.Duration("work") // nothing ends it, and it begins after the pause
			s.until += 2 * work
			s.set("work", "[%v, %v]", work, s.until)
			s.faultFor(x.pause, "pause: client-1, on: acquired")
		case i%2 == 0:
			s.faultFor(x.pause, "pause: client-1, at: %v", when)
		default:
			s.fault("cut: {between: [[client-1], [%s]]}, at: %v", x.server, when)
		}
	})}
}

// cutOff is a holder that is cut off for good.
func (x *session) cutOff(add func(s *scene)) *trial {
	return &trial{value: overlapped, scenes: x.scenes(2*x.lease, func(_ int, s *scene, when time.Duration) {
		add(s)
		s.fault("cut: {between: [[client-1], [%s]]}, at: %v", x.server, when)
	})}
}

func overlapped(_ int, r *run) int64 { return r.of("overlap") }

// messages are those of one client without contention: in its later acquisitions with
// those of the release before.
func (x *session) messages() *trial {
	s, _ := x.scene(0, 0)
	s.set("clients", "1").set("start", "0s").set("rounds", "%d", x.rounds).set("work", "0s").set("think", "%v", x.opens)
	return &trial{scenes: []*scene{s}, value: func(_ int, r *run) int64 {
		if r.of("acquisitions") != int64(x.rounds) {
			return none
		}
		_, last := r.span("messages-per-acquisition")
		return last
	}}
}
