package clients

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/go-redsync/redsync/v4"
	redsyncredis "github.com/go-redsync/redsync/v4/redis"
	"github.com/go-redsync/redsync/v4/redis/goredis/v9"
	goredislib "github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
	"github.com/stretchr/testify/require"

	locks "fencepost/models/lock"
	"fencepost/sim"
)

const (
	expiry   = 8 * time.Second // what both have without options
	warmUp   = time.Second     // in which the connections are made
	muteFor  = time.Second     // from then on
	rival    = 50*time.Millisecond + 333*time.Microsecond
	rivalsOn = 2 * time.Second // the second client's work
)

// pools are one client's connections to every server, made before it begins.
func pools(j *journal, servers []*redisServer) (list []redsyncredis.Pool, closeAll func()) {
	var clients []*goredislib.Client
	for _, s := range servers {
		c := goredislib.NewClient(&goredislib.Options{Addr: "in-memory", Dialer: s.dial, Protocol: 2, DisableIdentity: true,
			ConnMaxIdleTime: -1, ReadTimeout: -1, WriteTimeout: -1, MaxRetries: -1, ContextTimeoutEnabled: true,
			MaintNotificationsConfig: &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}})
		j.note("ping %v", c.Ping(context.Background()).Err())
		clients = append(clients, c)
		list = append(list, goredis.NewPool(c))
	}
	return list, func() {
		for _, c := range clients {
			c.Close()
		}
	}
}

// counter is what the lock protects: a read and a write take 5 ms each way.
type counter struct{ value int }

func (c *counter) read() int {
	time.Sleep(oneWay)
	v := c.value
	time.Sleep(oneWay)
	return v
}

func (c *counter) write(v int) {
	time.Sleep(oneWay)
	c.value = v
	time.Sleep(oneWay)
}

// outcome is what became of two clients that add one each, under the lock.
type outcome struct {
	lost          bool          // one of the two updates
	first, second time.Duration // when each had the lock
}

// takeover is from when the lock is free, since the first client's release has arrived or
// its keys have expired, until the second has it.
func (o *outcome) takeover(paused time.Duration) time.Duration {
	return o.second - min(o.first+paused+5*oneWay, o.first-oneWay+expiry)
}

// boundary is the pause from which on the first client's write arrives after the second
// client's read.
func (o *outcome) boundary() time.Duration { return o.second - o.first - 2*oneWay }

// twoWorkers runs them with the library. The first pauses between its read and its write.
// Some
// servers are mute when the clients begin.
func twoWorkers(j *journal, paused time.Duration, mute int) (o outcome) {
	servers := make([]*redisServer, 5)
	for i := range servers {
		servers[i] = &redisServer{j: j, delay: oneWay + time.Duration(i)*time.Microsecond, mute: i < mute, names: map[string]int64{}}
	}
	store, done := &counter{}, sync.WaitGroup{}
	work := func(start, pause time.Duration, acquired *time.Duration) {
		time.Sleep(start - warmUp) // so that the clients do not do it at one instant
		list, closeAll := pools(j, servers)
		defer closeAll()
		time.Sleep(start - j.at())
		m := redsync.New(list...).NewMutex("lock", redsync.WithTries(1000))
		if err := m.Lock(); err != nil {
			j.note("lock: %v", err)
			return
		}
		*acquired = j.at() - warmUp
		v := store.read()
		time.Sleep(pause)
		store.write(v + 1)
		_, err := m.Unlock() // fails if the lease is over: that is what this is about
		j.note("unlock: %v", err)
	}
	done.Go(func() { work(warmUp, paused, &o.first) })
	done.Go(func() { work(warmUp+rival, rivalsOn, &o.second) })
	done.Wait()
	o.lost = store.value < 2
	j.note("%+v", o)
	return o
}

// redlockModel is the same with the model.
func redlockModel(t *testing.T, seed int64, paused time.Duration, set func(*locks.Params), faults ...sim.Fault) (out outcome) {
	t.Helper()
	never, endless := false, 0
	p := locks.Params{Service: "redlock", Preset: "redsync", Clients: 2, Check: &never, Tries: &endless,
		Start: []time.Duration{0, rival}, Work: []time.Duration{paused + 2*oneWay, rivalsOn + 2*oneWay}}
	set(&p)
	require.Empty(t, p.Problems())
	o := &observed{}
	s := p.System()
	s.Meters = append(s.Meters, o)
	c := sim.Config{Until: sim.Time(time.Minute), Faults: faults}
	c.Network.Default.Delay = sim.Constant(oneWay)
	w, err := sim.NewWorld(s, c)
	require.NoError(t, err)
	r := w.Run(uint64(seed))
	for i, f := range r.Properties {
		out.lost = out.lost || s.Properties[i].Name() == "no-lost-update" && f.Verdict == sim.Violated
	}
	out.first, out.second = o.led[1][0].from, o.led[2][0].from
	return out
}

func asItIs(*locks.Params) {}
