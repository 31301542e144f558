package sim

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim/internal/dist"

	"github.com/stretchr/testify/require"
)

// hop is the message of PHOLD: 24 bytes, like the floor's event.
type hop struct {
	kind Kind
	from NodeID
	arg  uint64
	_    int64 // fills the 24 bytes
}

func (h hop) Label() Kind          { return h.kind }
func (h hop) Fold(d Digest) Digest { return d.Fold(uint64(h.kind)<<32|uint64(h.from), h.arg) }
func (h hop) String() string       { return fmt.Sprintf("hop %d", h.arg) }

// player counts what it gets and sends one message on, to a random player.
type player struct {
	seed  uint64
	among uint64
	count uint64
	last  Mono
}

func (p *player) Step(in In[hop], out *Out[hop]) {
	p.count++
	p.last = in.Mono
	p.seed += 0x9E3779B97F4A7C15
	to := NodeID(dist.Below(splitmix.Mix(p.seed), p.among)) + 1
	out.Send(to, hop{kind: 1, from: in.Self, arg: in.Msg.arg + 1})
}

func phold(tb testing.TB, n int) *World[hop] {
	s := System[hop]{Kinds: []string{"start", "hop"}}
	for i := range n {
		s.Nodes = append(s.Nodes, Place[hop]("player", player{seed: splitmix.Mix(uint64(i)), among: uint64(n)}))
	}
	return freely(tb, s)
}

// freely makes a world whose messages take 1 ms on average and keep no order.
func freely(tb testing.TB, s System[hop]) *World[hop] {
	w, err := NewWorld(s, Config{Until: Never, Network: Network{Order: Free, Default: Link{Delay: Exponential(ms)}}})
	require.NoError(tb, err)
	return w
}

// forSteps runs the world until it has done so many steps.
func (w *World[M]) forSteps(n uint64) {
	for goal := w.steps + n; w.steps < goal; {
		if !w.next(Never) {
			panic("sim: no events are left")
		}
	}
}

// The kinds of the lease workload. The arg of a timer is its generation.
const (
	begins Kind = iota
	think
	acquire
	grant
	held
	renewal
	renew
	release
	expiry
)

// holder thinks for 10 ms on average, acquires the lock that it shares with one
// other, holds it for 40 ms, renews it every 10 ms, releases it, and goes again.
type holder struct {
	lock       NodeID
	stale      *int // timers of an earlier generation, which do nothing
	generation uint64
	cycles     int
}

func (h *holder) Step(in In[hop], out *Out[hop]) {
	switch in.Msg.kind {
	case begins:
		out.AfterDraw(Exponential(10*ms), hop{kind: think})
	case think:
		out.Send(h.lock, hop{kind: acquire})
	case grant:
		h.generation++
		out.AfterDraw(Exponential(40*ms), hop{kind: held})
		out.After(10*ms, hop{kind: renewal, arg: h.generation})
	case renewal:
		if in.Msg.arg != h.generation {
			*h.stale++
			return
		}
		h.generation++
		out.Send(h.lock, hop{kind: renew})
		out.After(10*ms, hop{kind: renewal, arg: h.generation})
	case held:
		h.generation++
		h.cycles++
		out.Send(h.lock, hop{kind: release})
		out.AfterDraw(Exponential(10*ms), hop{kind: think})
	}
}

// lock is granted to one holder for 30 ms, longer if it is renewed; one other may
// wait for it.
type lock struct {
	stale      *int
	generation uint64
	holder     NodeID
	waiter     NodeID
}

func (l *lock) Step(in In[hop], out *Out[hop]) {
	switch in.Msg.kind {
	case begins:
		*l.stale++
	case acquire:
		if l.holder == None {
			l.grant(in.From, out)
		} else {
			l.waiter = in.From
		}
	case renew:
		if l.holder == in.From {
			l.extend(out)
		}
	case release:
		if l.holder == in.From {
			l.generation++
			l.next(out)
		}
	case expiry:
		if in.Msg.arg != l.generation {
			*l.stale++
			return
		}
		l.next(out)
	}
}

func (l *lock) grant(to NodeID, out *Out[hop]) {
	l.holder = to
	l.extend(out)
	out.Send(to, hop{kind: grant})
}

func (l *lock) extend(out *Out[hop]) {
	l.generation++
	out.After(30*ms, hop{kind: expiry, arg: l.generation})
}

func (l *lock) next(out *Out[hop]) {
	l.holder = None
	if w := l.waiter; w != None {
		l.waiter = None
		l.grant(w, out)
	}
}

// leases is a world of n clients and n/2 locks.
func leases(tb testing.TB, n int) *World[hop] {
	s := System[hop]{Kinds: []string{"begins", "think", "acquire", "grant", "held", "renewal", "renew", "release", "expiry"}}
	stale := new(int)
	for i := range n {
		s.Nodes = append(s.Nodes, Place[hop]("client", holder{lock: NodeID(n + 1 + i/2), stale: stale}))
	}
	for range n / 2 {
		s.Nodes = append(s.Nodes, Place[hop]("lock", lock{stale: stale}))
	}
	return freely(tb, s)
}

// measure lets the world take the benchmark's steps.
func (w *World[M]) measure(b *testing.B) (cpu time.Duration) {
	runtime.GC()
	b.ReportAllocs()
	b.ResetTimer()
	before := cpuTime()
	w.forSteps(uint64(b.N))
	cpu = cpuTime() - before
	b.StopTimer()
	return cpu
}

// report says how long one useful step took, by the clock and of the processor.
func report(b *testing.B, useful int, cpu time.Duration) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(useful), "ns/step")
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(useful), "cpu-ns/step")
}

// BenchmarkPHOLD is the workload of the floor: n events are pending; each step
// draws an exponential delay and sends to a random node.
func BenchmarkPHOLD(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := phold(b, n)
			w.reset(1)
			w.forSteps(uint64(3 * n))
			report(b, b.N, w.measure(b))
		})
	}
}

// BenchmarkLease is traffic of locks with many timers. Timers that were cancelled
// are found out when they come due, and do not count as steps.
func BenchmarkLease(b *testing.B) {
	for _, n := range []int{10, 1_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := leases(b, n)
			w.reset(1)
			w.forSteps(uint64(3 * n))
			stale := w.nodes[1].node.(*holder).stale
			*stale = 0
			cpu := w.measure(b)
			report(b, max(b.N-*stale, 1), cpu)
		})
	}
}

// BenchmarkReset is what it takes to start a run over.
func BenchmarkReset(b *testing.B) {
	for _, n := range []int{5, 1_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			w := phold(b, n)
			w.reset(1)
			w.forSteps(uint64(10 * n))
			b.ReportAllocs()
			for seed := uint64(0); b.Loop(); seed++ {
				w.reset(seed)
			}
		})
	}
}

// BenchmarkPending is the memory of a world with a million pending events: its
// heap less what it was before the first run, when there were only nodes.
func BenchmarkPending(b *testing.B) {
	const n = 1_000_000
	for b.Loop() {
		w := phold(b, n)
		before := inUse()
		w.reset(1)
		w.forSteps(3 * n)
		b.ReportMetric(float64(inUse()-before)/n, "B/event")
		runtime.KeepAlive(w)
	}
}

func inUse() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapInuse
}
