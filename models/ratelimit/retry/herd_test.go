package retry

import (
	"container/heap"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The vectors' own definition of the herd, without an engine: 200 clients at 0, a bucket
// of 10 that fills with 10/s, in whole milliseconds, in the order (time, id). The same
// herd goes through the engine in models/ratelimit/chain.

type turn struct {
	at time.Duration
	id int
}

type turns []turn

func (t turns) Len() int { return len(t) }
func (t turns) Less(i, j int) bool {
	return t[i].at < t[j].at || t[i].at == t[j].at && t[i].id < t[j].id
}
func (t turns) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t *turns) Push(x any)   { *t = append(*t, x.(turn)) }
func (t *turns) Pop() any     { x := (*t)[len(*t)-1]; *t = (*t)[:len(*t)-1]; return x }

type herd struct {
	calls int
	last  time.Duration // success
	peak  int           // calls in a slot of 100 ms, after the first slot
}

// stampede plays the herd; header is what the server makes of the exact Retry-After.
func stampede(b Backoff, a After, header func(time.Duration) time.Duration) (h herd) {
	const clients, burst, token = 200, 10, 100 * time.Millisecond
	var queue turns
	var source [clients + 1]SplitMix64
	var made [clients + 1]int
	var wait [clients + 1]time.Duration
	slots := map[time.Duration]int{}
	for id := 1; id <= clients; id++ {
		heap.Push(&queue, turn{0, id})
		source[id] = SplitMix64(id)
	}
	level, filled := burst*token, time.Duration(0)
	for len(queue) > 0 {
		now := heap.Pop(&queue).(turn)
		level, filled = min(burst*token, level+now.at-filled), now.at
		h.calls++
		slots[now.at/(100*ms)]++
		if level >= token {
			level -= token
			h.last = now.at
			continue
		}
		i := now.id
		made[i]++
		wait[i] = b.Wait(made[i], wait[i], &source[i])
		now.at += a.Wait(header(token-level), wait[i], &source[i])
		heap.Push(&queue, now)
	}
	delete(slots, 0)
	for _, n := range slots {
		h.peak = max(h.peak, n)
	}
	return h
}

func TestHerd(t *testing.T) {
	grown := func(k Kind) Backoff { return Backoff{Kind: k, Base: 100 * ms, Cap: 10 * time.Second, Grain: ms} }
	none := func(time.Duration) time.Duration { return 0 }
	exact := func(d time.Duration) time.Duration { return d }
	for _, v := range []struct {
		id      string
		backoff Backoff
		after   After
		header  func(time.Duration) time.Duration
		want    herd
	}{
		{"CL-01", Backoff{Kind: Fixed, Base: 100 * ms}, After{}, none, herd{18_345, 19_000 * ms, 190}},
		{"CL-02", grown(Exponential), After{}, none, herd{2_569, 162_700 * ms, 190}},
		{"CL-03", grown(Full), After{}, none, herd{1_605, 22_390 * ms, 126}},
		{"CL-04", grown(Equal), After{}, none, herd{1_515, 28_422 * ms, 151}},
		{"CL-05", Backoff{}, After{}, exact, herd{18_345, 19_000 * ms, 190}},
		{"CL-06", Backoff{}, After{}, Seconds, herd{2_100, 19_000 * ms, 190}},
		{"CL-07", Backoff{}, After{Jitter: 10 * time.Second, Grain: ms}, Seconds, herd{514, 24_456 * ms, 6}},
	} {
		t.Run(v.id, func(t *testing.T) { assert.Equal(t, v.want, stampede(v.backoff, v.after, v.header)) })
	}
}
