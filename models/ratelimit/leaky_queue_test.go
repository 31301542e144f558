package ratelimit

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestSpacing: an admitted request starts at least a service after the one before, in
// order, and waits at most N services.
func TestSpacing(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	for range 2000 {
		p := LeakyQueueParams{Places: in(r, 0, 5), Service: time.Duration(in(r, 1, 20)), Ticks: r.IntN(2) == 0}
		q := must(NewLeakyQueue(p))
		k, last := q.Start(start), Reading(-1<<40)
		for _, req := range schedule(r, 60, 1, Reading(p.Service), false) {
			if d := q.Take(&k, req.now, 1); d.Allowed {
				begin := req.now + Reading(d.Delay())
				if begin-last < Reading(p.Service) || d.Delay() > time.Duration(p.Places)*p.Service || p.Ticks && begin%Reading(p.Service) != 0 {
					t.Fatalf("%+v: start at %d after %d, %+v", p, begin, last, d)
				}
				last = begin
			}
		}
	}
}

// TestLine: a line without deadlines decides and starts as the queue; with deadlines,
// nobody starts late and those behind move up.
func TestLine(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 0))
	for range 2000 {
		p := LeakyQueueParams{Places: in(r, 0, 5), Service: time.Duration(in(r, 1, 20))}
		q, line := must(NewLeakyQueue(p)), must(NewLeakyLine(p))
		k := q.Start(start)
		promised, started := []Reading{}, []Reading{}
		last := start
		serve := func(until Reading) {
			for at, ok := line.Next(last); ok && at <= until; at, ok = line.Next(at) {
				_, ok := line.Start(at)
				require.True(t, ok)
				started = append(started, at)
			}
		}
		for i, req := range schedule(r, 60, 1, Reading(p.Service), false) {
			serve(req.now - 1)
			// what is due now and has not been started does not wait
			d, e := q.Take(&k, req.now, 1), line.Arrive(req.now, Item{ID: uint64(i)})
			require.Equal(t, d, e, "%+v request %d", p, i)
			if d.Allowed {
				promised = append(promised, req.now+Reading(d.Delay()))
			}
			last = req.now
			serve(req.now)
		}
		serve(1 << 40)
		require.Equal(t, promised, started)
	}
}

func TestLineDeadlines(t *testing.T) {
	line := must(NewLeakyLine(LeakyQueueParams{Places: 3, Service: time.Second}))
	for i := range uint64(4) {
		assert.True(t, line.Arrive(0, Item{ID: i, Deadline: 1500 * ms}).Allowed)
	}
	d := line.Arrive(0, Item{ID: 4})
	assert.Equal(t, Decision{Wait: time.Second, ResetAfter: 4 * time.Second}, d)
	for _, at := range []Reading{0, 1000} {
		item, ok := line.Start(at * ms)
		assert.True(t, ok)
		assert.EqualValues(t, at/1000, item.ID)
	}
	_, ok := line.Drop(1500 * ms)
	assert.False(t, ok)
	for id := range uint64(2) {
		item, ok := line.Drop(1501 * ms)
		assert.True(t, ok)
		assert.Equal(t, id+2, item.ID)
	}
	assert.Zero(t, line.Len())
	d = line.Arrive(1501*ms, Item{ID: 5})
	assert.Equal(t, 499*time.Millisecond, d.Delay(), "the turns of the dropped are not used up")
	_, err := NewLeakyLine(LeakyQueueParams{Places: 3, Service: time.Second, Ticks: true})
	assert.Error(t, err)
	_, err = NewLeakyLine(LeakyQueueParams{})
	assert.Error(t, err)
}
