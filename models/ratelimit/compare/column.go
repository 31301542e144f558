package compare

import (
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/measure"
	"fencepost/sim"
	"fencepost/sim/stats"
)

// limiter is one algorithm with the states of all keys.
type limiter interface {
	join(s *store)                         // gives the records of keys a field
	start(r record, now ratelimit.Reading) // a new key
	touch(b *batch) int64                  // reads what take will need and is not in the records; of no meaning
	take(b *batch, bit uint32)             // sets the bit of the requests that are admitted
	bytes() int64                          // of all states
	about() int64                          // as bytes, of some of the keys taken for all
}

// column is a rule with a state for each key.
type column[S any, R ratelimit.Rule[S]] struct {
	rule   R
	states field[S]
}

func newColumn[S any, R ratelimit.Rule[S]](rule R, err error) (limiter, error) {
	return &column[S, R]{rule: rule}, err
}

func (c *column[S, R]) join(s *store) { c.states = addField[S](s) }

func (c *column[S, R]) start(r record, now ratelimit.Reading) { *c.states.of(r) = c.rule.Start(now) }

// toucher is a state that holds a list, of which it reads what the next decision looks at.
type toucher interface{ Touch() int64 }

func (c *column[S, R]) touch(b *batch) (sum int64) {
	if _, ok := any((*S)(nil)).(toucher); !ok {
		return 0
	}
	for _, r := range b.records[:b.n] {
		sum += any(c.states.of(r)).(toucher).Touch()
	}
	return sum
}

func (c *column[S, R]) take(b *batch, bit uint32) {
	for i := range b.n {
		r := &b.requests[i]
		if c.rule.Take(c.states.of(b.records[i]), ratelimit.Reading(r.At), r.Cost).Allowed {
			b.admitted[i] |= bit
		}
	}
}

// bytes is what the states take, with the slices that they hold.
func (c *column[S, R]) bytes() (total int64) {
	z := ratelimit.NewSizer[S]()
	for i := range c.states.store.n {
		total += z.Bytes(c.states.at(i))
	}
	return total
}

// about is what the states take if all are like a thousand of them, at equal distances.
func (c *column[S, R]) about() (total int64) {
	const some = 1000
	all := c.states.store.n
	n := min(all, some)
	if n == 0 {
		return 0
	}
	z := ratelimit.NewSizer[S]()
	for i := range n {
		total += z.Bytes(c.states.at(i * all / n))
	}
	return total * int64(all) / int64(n)
}

// queueColumn is the leaky queue. What it admits starts later, and counts in the
// window in which it starts.
type queueColumn struct {
	column[ratelimit.LeakyQueueState, *ratelimit.LeakyQueue]
	window  time.Duration
	windows field[measure.Window]
	waits   *stats.Tally
	result  sim.Result
	worst   int64
	worstAt sim.Time
}

var waitMeasure = sim.Program{Measures: []sim.Measure{{Name: "wait", Unit: sim.Duration}}}

func newQueueColumn(rule *ratelimit.LeakyQueue, window time.Duration) *queueColumn {
	q := &queueColumn{window: window, waits: stats.NewTally(&waitMeasure, 0)}
	q.rule = rule
	q.result.Samples = make([]sim.Sample, 0, batchSize)
	return q
}

func (q *queueColumn) join(s *store) {
	q.column.join(s)
	q.windows = addField[measure.Window](s)
}

func (q *queueColumn) start(r record, now ratelimit.Reading) {
	q.column.start(r, now)
	*q.windows.of(r) = measure.NewWindow(q.window)
}

func (q *queueColumn) touch(b *batch) (sum int64) {
	for _, r := range b.records[:b.n] {
		sum += q.windows.of(r).Touch()
	}
	return sum
}

func (q *queueColumn) take(b *batch, bit uint32) {
	q.result.Samples = q.result.Samples[:0]
	for i := range b.n {
		r, k := &b.requests[i], b.records[i]
		d := q.rule.Take(q.states.of(k), ratelimit.Reading(r.At), r.Cost)
		if !d.Allowed {
			continue
		}
		b.admitted[i] |= bit
		start := r.At.Add(d.Delay())
		if sum := q.windows.of(k).Admit(start, r.Cost); sum > q.worst {
			q.worst, q.worstAt = sum, start
		}
		q.result.Samples = append(q.result.Samples, sim.Sample{Value: int64(d.Delay())})
	}
	q.waits.Add(&q.result)
}

// about is also what the windows take, 96 bytes each with the requests of one.
func (q *queueColumn) about() int64 { return q.column.about() + 96*int64(q.windows.store.n) }

// finish fills in the column what is different about a queue.
func (q *queueColumn) finish(col *Column) {
	col.Worst, col.WorstAt = q.worst, q.worstAt
	m := &q.waits.Measures[0]
	col.WaitP50, col.WaitP99 = time.Duration(m.Quantile(500).Value), time.Duration(m.Quantile(990).Value)
	col.WaitMax = time.Duration(m.Max())
}
