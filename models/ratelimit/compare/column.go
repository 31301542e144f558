package compare

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/judge"
	"fencepost/sim"
)

// limiter is one algorithm with the states of all keys.
type limiter interface {
	start(now ratelimit.Reading) // a new key, the next one
	touch(b *batch)              // reads what take will need
	take(b *batch, bit uint32)   // sets the bit of the requests that are admitted
	bytes() int64
	about() int64 // as bytes, of some of the keys taken for all
}

// column is a rule with a state for each key.
type column[S any, R ratelimit.Rule[S]] struct {
	rule    R
	states  pages[S]
	touched S     // of no meaning, as is
	sum     int64 // this
}

func newColumn[S any, R ratelimit.Rule[S]](rule R, err error) (limiter, error) {
	return &column[S, R]{rule: rule}, err
}

func (c *column[S, R]) start(now ratelimit.Reading) { c.states.add(c.rule.Start(now)) }

// toucher is a state that holds a list, of which it reads what the next decision looks at.
type toucher interface{ Touch() int64 }

func (c *column[S, R]) touch(b *batch) {
	for _, k := range b.clients[:b.n] {
		c.touched = *c.states.at(int(k))
	}
	if _, ok := any(&c.touched).(toucher); ok {
		for _, k := range b.clients[:b.n] {
			c.sum += any(c.states.at(int(k))).(toucher).Touch()
		}
	}
}

func (c *column[S, R]) take(b *batch, bit uint32) {
	for i := range b.n {
		r := &b.requests[i]
		if c.rule.Take(c.states.at(int(b.clients[i])), ratelimit.Reading(r.At), r.Cost).Allowed {
			b.admitted[i] |= bit
		}
	}
}

// bytes is what the states take, with the slices that they hold.
func (c *column[S, R]) bytes() (total int64) {
	z := ratelimit.NewSizer[S]()
	for i := range c.states.n {
		total += z.Bytes(c.states.at(i))
	}
	return total
}

// about is what the states take if all are like a thousand of them, at equal distances.
func (c *column[S, R]) about() (total int64) {
	const some = 1000
	n := min(c.states.n, some)
	if n == 0 {
		return 0
	}
	z := ratelimit.NewSizer[S]()
	for i := range n {
		total += z.Bytes(c.states.at(i * c.states.n / n))
	}
	return total * int64(c.states.n) / int64(n)
}

// queueColumn is the leaky queue. What it admits starts later, and counts in the
// window in which it starts.
type queueColumn struct {
	column[ratelimit.LeakyQueueState, *ratelimit.LeakyQueue]
	window  time.Duration
	windows pages[judge.Window]
	last    judge.Window // that was touched, of no meaning
	waits   *sim.Tally
	result  sim.Result
	worst   int64
	worstAt sim.Time
}

var waitMeasure = sim.Program{Measures: []sim.Measure{{Name: "wait", Unit: sim.Duration}}}

func newQueueColumn(rule *ratelimit.LeakyQueue, window time.Duration) *queueColumn {
	q := &queueColumn{window: window, waits: sim.NewTally(&waitMeasure, 0)}
	q.rule = rule
	q.result.Samples = make([]sim.Sample, 0, batchSize)
	return q
}

func (q *queueColumn) start(now ratelimit.Reading) {
	q.column.start(now)
	q.windows.add(judge.NewWindow(q.window))
}

func (q *queueColumn) touch(b *batch) {
	q.column.touch(b)
	for _, k := range b.clients[:b.n] {
		q.last = *q.windows.at(int(k))
	}
	for _, k := range b.clients[:b.n] {
		q.sum += q.windows.at(int(k)).Touch()
	}
}

func (q *queueColumn) take(b *batch, bit uint32) {
	q.result.Samples = q.result.Samples[:0]
	for i := range b.n {
		r, k := &b.requests[i], int(b.clients[i])
		d := q.rule.Take(q.states.at(k), ratelimit.Reading(r.At), r.Cost)
		if !d.Allowed {
			continue
		}
		b.admitted[i] |= bit
		start := r.At.Add(d.Delay())
		if sum := q.windows.at(k).Admit(start, r.Cost); sum > q.worst {
			q.worst, q.worstAt = sum, start
		}
		q.result.Samples = append(q.result.Samples, sim.Sample{Value: int64(d.Delay())})
	}
	q.waits.Add(&q.result)
}

// about is also what the windows take, 96 bytes each with the requests of one.
func (q *queueColumn) about() int64 { return q.column.about() + 96*int64(q.windows.n) }

// finish fills in the column what is different about a queue.
func (q *queueColumn) finish(col *Column) {
	col.Worst, col.WorstAt = q.worst, q.worstAt
	m := &q.waits.Measures[0]
	col.WaitP50, col.WaitP99 = time.Duration(m.Quantile(500).Value), time.Duration(m.Quantile(990).Value)
	col.WaitMax = time.Duration(m.Max())
}

// pages is a list that grows without being copied.
type pages[T any] struct {
	list [][]T
	n    int
}

const pageSize = 1024

func (p *pages[T]) add(v T) int {
	if p.n%pageSize == 0 {
		p.list = append(p.list, make([]T, pageSize))
	}
	*p.at(p.n) = v
	p.n++
	return p.n - 1
}

func (p *pages[T]) at(i int) *T { return &p.list[i/pageSize][i%pageSize] }
