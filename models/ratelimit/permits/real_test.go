package permits

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"fencepost/internal/whole"
	"fencepost/sim"
)

// The middleware of the source in real channels and goroutines, run in the virtual time of
// testing/synctest next to the state machine: the same arrivals must come to the same
// answers at the same nanosecond, as long as the runtime draws nothing.

// channels is the middleware of S3 without gin and its logger.
type channels struct {
	semaphore chan struct{}
	queue     chan chan struct{}
	ctx       context.Context
	cancel    context.CancelFunc
	timeout   time.Duration
	returned  chan struct{} // closed when the dispatcher has returned
	order     atomic.Int32  // orders sends and the close for the race detector, which finds that bug by itself
}

func (c *channels) dispatch() {
	defer close(c.returned)
	for {
		select {
		case <-c.ctx.Done():
			return
		case notify, ok := <-c.queue:
			if !ok {
				return
			}
			c.semaphore <- struct{}{}
			close(notify)
		}
	}
}

func (c *channels) shutdown() {
	c.cancel()
	c.order.Add(1)
	close(c.queue)
	c.order.Add(1)
}

// handle is one request; 0 stands for a panic.
func (c *channels) handle(work time.Duration) (code uint16) {
	defer func() {
		if recover() != nil {
			code = 0
		}
	}()
	c.order.Add(1)
	run := func() uint16 {
		defer func() { <-c.semaphore }()
		time.Sleep(work)
		return OK
	}
	select {
	case c.semaphore <- struct{}{}:
		return run()
	default:
	}
	notify := make(chan struct{})
	select {
	case c.queue <- notify:
		c.order.Add(1)
		select {
		case <-notify:
			return run()
		case <-time.After(c.timeout):
			return GatewayTimeout
		}
	default:
		c.order.Add(1)
		return TooManyRequests
	}
}

// end lets the dispatcher return, which may be blocked forever.
func (c *channels) end() {
	c.cancel()
	for {
		select {
		case <-c.semaphore:
		case <-c.returned:
			return
		}
	}
}

// outcome is what a client is told, and when.
type outcome struct {
	code uint16
	at   time.Duration
}

// inChannels runs the schedule in real channels, and says how many permits are in use
// when all is over.
func inChannels(t *testing.T, p *Params) (outcomes []outcome, inUse int) {
	outcomes = make([]outcome, p.Clients)
	synctest.Test(t, func(*testing.T) {
		begin := time.Now()
		c := &channels{semaphore: make(chan struct{}, p.Permits), queue: make(chan chan struct{}, p.queue()),
			timeout: p.timeout(), returned: make(chan struct{})}
		c.ctx, c.cancel = context.WithCancel(context.Background())
		go c.dispatch()
		for i := range p.Clients {
			go func() {
				time.Sleep(p.Start[i])
				code := c.handle(p.Work[i].Least())
				outcomes[i] = outcome{code, time.Since(begin)}
			}()
		}
		for _, at := range p.Shutdown {
			go func() {
				time.Sleep(at)
				c.shutdown()
			}()
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		inUse = len(c.semaphore)
		c.end()
	})
	return outcomes, inUse
}

// listener keeps what the clients are told.
type listener struct {
	outcomes []outcome
	inUse    int
}

func (l *listener) Reset(*sim.View[Msg]) {
	clear(l.outcomes)
	l.inUse = 0
}

func (l *listener) Observe(v *sim.View[Msg], o *sim.Observation[Msg]) {
	switch m := &o.Msg; {
	case o.Event != sim.Noted:
	case m.Kind == Got:
		l.outcomes[o.Node-1] = outcome{m.status(), time.Duration(v.Now())}
	case m.Kind == Granted || m.Kind == Freed:
		l.inUse = int(m.InUse)
	}
}

// inModel runs the schedule in the simulator. drawn says that the runtime would have
// tossed a coin.
func inModel(t *testing.T, p *Params) (l *listener, drawn bool) {
	l = &listener{outcomes: make([]outcome, p.Clients)}
	program := sim.NewProgram(func() sim.System[Msg] {
		s := p.System()
		s.Meters = append(s.Meters, l)
		return s
	})
	w, err := program.NewWorld(sim.Config{Until: sim.Time(time.Minute)})
	require.NoError(t, err)
	w.Watch(sim.Watch{Draws: func(sim.Draw, uint64) { drawn = true }})
	require.Nil(t, w.Run(1).Panic)
	return l, drawn
}

// schedule draws arrivals in which no two things happen at the same instant: what one
// client brings about happens at its own number of nanoseconds past a microsecond.
func schedule(r *rand.Rand) Params {
	p := DefaultParams()
	p.Clients, p.Permits, p.Queue = 2+r.IntN(9), 1+r.IntN(3), ptr(r.IntN(5))
	p.Timeout = ptr(time.Duration(1+r.IntN(400)) * ms)
	at := func(n int) time.Duration { return time.Duration(r.IntN(n)) * time.Microsecond }
	for i := range p.Clients {
		p.Start = append(p.Start, at(500_000)+time.Duration(i+1))
		p.Work = append(p.Work, sim.Constant(at(300_000)+time.Microsecond))
	}
	if r.IntN(2) == 0 {
		p.Shutdown = []time.Duration{at(500_000) + time.Duration(p.Clients+1)}
	}
	return p
}

func TestAgainstRealChannels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	compared, codes, leaks := 0, map[uint16]int{}, 0
	n := whole.Of(700, 2000)
	for range n {
		p := schedule(r)
		require.Empty(t, p.Problems())
		model, drawn := inModel(t, &p)
		if drawn {
			continue // a dispatcher that is shut down with items in its queue
		}
		outcomes, inUse := inChannels(t, &p)
		require.Equal(t, outcomes, model.outcomes, "%+v", p)
		require.Equal(t, inUse, model.inUse, "%+v", p)
		compared++
		leaks += inUse
		for _, o := range outcomes {
			codes[o.code]++
		}
	}
	t.Logf("%d schedules, %d permits leaked, %v", compared, leaks, codes)
	for _, code := range []uint16{0, OK, TooManyRequests, GatewayTimeout} {
		require.NotZero(t, codes[code], "code %d", code)
	}
	require.Greater(t, compared, n*3/4)
	require.NotZero(t, leaks)
}
