// Package compare runs several algorithms of rate limiting side by side on one stream
// of requests, generated or recorded, and counts what each of them did: how much it
// admitted, how full the fullest window got, what it decided otherwise than an exact
// log, whom it refused, and what it cost.
//
// There are no nodes and there is no engine: each request is decided by each algorithm
// at its instant, for its key, and a request that is refused does not come back.
//
// The exact log admits a request if the costs that it has admitted in the half-open
// window (t-W, t], and this one, are at most L. It is the definition, written down a
// second time: what the algorithms are measured against, and not one of them. An
// algorithm admits falsely what the exact log, which has seen the same arrivals and
// goes by its own admissions, refuses; and the other way round.
package compare

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"time"

	"fencepost/models/ratelimit/measure"
	"fencepost/models/ratelimit/traffic"
	"fencepost/sim"
	"fencepost/sim/model"
)

// Comparison is algorithms side by side. Besides the states of the algorithms it takes 112
// bytes and 16 to 32 of a table for each key, 16 bytes for each key and algorithm, less
// than 64 to the end of the record, and 24 bytes for each instant, beyond two, of a key's
// last window in which any of them admitted something. Nothing of it grows with the number
// of requests.
type Comparison struct {
	Rules   Rules
	Columns []*Column

	window   sim.Time
	keys     keys
	store    store
	clients  field[client]
	tallies  uintptr // where a record has its tallies: one per algorithm, and that of the exact log
	batch    batch
	requests int64
	largest  int64 // cost of a request

	impossible int64 // requests that cost more than the limit: the exact log never admits them
	first      sim.Time
	last       sim.Time
	digest     sim.Digest
	touched    int64 // of no meaning
	arrivals   int64 // that the rings have room for
}

// Memory is about how many bytes the clients take. The states of the algorithms, which may
// hold lists, are those of a thousand clients on average. Beside a client and its entry in a
// map there is room that lists have to grow: measured with all algorithms it is 100 bytes.
func (c *Comparison) Memory() int64 {
	if c.store.size == 0 {
		return 0 // before the first request
	}
	const perClient = 64 + 40 + 100
	total := int64(c.store.n)*(perClient+16*int64(len(c.Columns)+1)) + 24*c.arrivals
	for _, col := range c.Columns {
		total += col.limiter.about()
	}
	return total
}

// Column is one algorithm and what it did.
type Column struct {
	Name string

	Admitted, Refused int64    // requests
	Worst             int64    // cost admitted in the fullest window (t-W, t] of any key
	WorstAt           sim.Time // its end
	Hit               int64    // clients that were refused once or more

	FalseAdmits, FalseRejects int64
	FirstFalse                sim.Time // of these; [sim.Never] if there are none

	// Fairness is Jain's index, in thousandths, of the costs admitted for the clients
	// that the exact log has refused something: 1000 if all got the same, 1000/n if one
	// of n got everything. The others got what they asked for, and say nothing.
	Fairness int64

	WaitP50, WaitP99, WaitMax time.Duration // for a turn; 0 unless the algorithm is a queue

	Bytes    int64 // of the states of all keys that ever came, with what they point to
	Commands int64 // to a store, if the states were there

	algorithm *algorithm
	limiter   limiter
	promise   int64 // most that Worst may be
}

// client is what is kept of a key.
type client struct {
	key               uint64
	requests, refused int64     // refused by the exact log
	ring              []arrival // of the last window, oldest first; its length is a power of two
	head, count       int32
	hit               uint32     // by which algorithms, the i-th at bit i
	first             [2]arrival // the ring, until it is full
}

// arrival is what came at an instant of the last window.
type arrival struct {
	at       sim.Time
	cost     int64
	admitted uint32 // by which algorithms
}

// tally is what a key got of an algorithm.
type tally struct {
	recent int64 // cost admitted in the last window
	total  int64
}

// batchSize is how many requests are decided by one algorithm before it is the turn of
// the next. The records of a batch are read before they are needed: these misses of the
// cache overlap.
const batchSize = 256

type batch struct {
	n        int
	requests [batchSize]traffic.Request
	hashes   [batchSize]uint64
	records  [batchSize]record // of the keys
	admitted [batchSize]uint32
}

// New is a comparison of the algorithms with these names, or all mistakes.
func New(r Rules, names []string) (*Comparison, []model.ValidationError) {
	c := &Comparison{Rules: r, window: sim.Time(r.Window), keys: newKeys()}
	var found model.Errors
	for _, name := range names {
		a := find(name)
		if a == nil {
			found.Add("algorithms", "there is no algorithm %s", name)
			continue
		}
		l, err := a.build(&r)
		if err != nil {
			found = append(found, problemOf(name, err))
			continue
		}
		c.Columns = append(c.Columns, &Column{Name: name, algorithm: a, limiter: l, FirstFalse: sim.Never})
	}
	return c, found
}

// problemOf is why an algorithm refuses its parameters, at the one that it names.
func problemOf(name string, err error) model.ValidationError {
	path, _, _ := strings.Cut(err.Error(), ":")
	if !slices.Contains([]string{"limit", "window", "buckets"}, path) {
		path = ""
	}
	return model.ValidationError{Path: path, Message: fmt.Sprintf("%s: %v; want other values, or algorithms without it", name, err)}
}

// exact is the bit of the exact log; those below it are for the algorithms.
const exact = 31

// Add lets every algorithm decide a request, which is not before the last one. Results
// are there after [Comparison.Finish].
func (c *Comparison) Add(r traffic.Request) {
	b := &c.batch
	b.requests[b.n] = r
	if b.n++; b.n == batchSize {
		c.decide()
	}
}

// decide lets the algorithms decide the requests of the batch, and counts.
func (c *Comparison) decide() {
	b := &c.batch
	if c.store.size == 0 {
		c.arrange()
	}
	c.find(b)
	clear(b.admitted[:b.n])
	for i, col := range c.Columns {
		c.touched += col.limiter.touch(b)
		col.limiter.take(b, 1<<i)
	}
	if c.requests == 0 && b.n > 0 {
		c.first = b.requests[0].At
	}
	c.touched += c.touch(b)
	for i := range b.n {
		c.count(&b.requests[i], b.records[i], b.admitted[i])
	}
	b.n = 0
}

// touch reads what count will need and is not in the records.
func (c *Comparison) touch(b *batch) (sum int64) {
	for _, r := range b.records[:b.n] {
		if k := c.clients.of(r); k.count > 0 {
			sum += k.ring[k.head].cost
		}
	}
	return sum
}

// count counts what the algorithms decided about a request.
func (c *Comparison) count(r *traffic.Request, of record, admitted uint32) {
	k := c.clients.of(of)
	tallies := c.talliesOf(of)
	k.forget(r.At-c.window, tallies)
	k.requests++
	c.requests++
	c.largest = max(c.largest, r.Cost)
	if r.Cost > c.Rules.Limit {
		c.impossible++
	}
	c.last = r.At
	log := &tallies[len(c.Columns)]
	fits := r.Cost <= c.Rules.Limit-log.recent
	for j, col := range c.Columns {
		if admitted>>j&1 != 0 {
			col.Admitted++
			col.admit(&tallies[j], r)
			if !fits {
				col.FalseAdmits++
				col.FirstFalse = min(col.FirstFalse, r.At)
			}
			continue
		}
		col.Refused++
		k.hit |= 1 << j
		if fits {
			col.FalseRejects++
			col.FirstFalse = min(col.FirstFalse, r.At)
		}
	}
	if fits {
		admitted |= 1 << exact
		log.recent += r.Cost
	} else {
		k.refused++
	}
	if admitted != 0 {
		c.arrivals += k.push(arrival{r.At, r.Cost, admitted})
	}
	c.digest = c.digest.Fold(uint64(r.At), r.Key).Fold(uint64(r.Cost), uint64(admitted))
}

func (col *Column) admit(t *tally, r *traffic.Request) {
	t.total += r.Cost
	if t.recent += r.Cost; t.recent > col.Worst {
		col.Worst, col.WorstAt = t.recent, r.At
	}
}

func (c *Comparison) talliesOf(r record) []tally {
	return listOf[tally](r, c.tallies, len(c.Columns)+1)
}

// forget drops the arrivals up to an instant, which have left the window.
func (k *client) forget(until sim.Time, tallies []tally) {
	for ; k.count > 0; k.count-- {
		a := &k.ring[k.head]
		if a.at > until {
			return
		}
		for m := a.admitted &^ (1 << exact); m != 0; m &= m - 1 {
			tallies[bits.TrailingZeros32(m)].recent -= a.cost
		}
		if a.admitted>>exact != 0 {
			tallies[len(tallies)-1].recent -= a.cost
		}
		k.head = (k.head + 1) & int32(len(k.ring)-1)
	}
}

// push keeps an arrival; those of one instant that were decided alike are one. It returns by
// how many the room for them has grown.
func (k *client) push(a arrival) (grown int64) {
	mask := int32(len(k.ring) - 1)
	if k.count > 0 {
		if last := &k.ring[(k.head+k.count-1)&mask]; last.at == a.at && last.admitted == a.admitted {
			last.cost += a.cost
			return 0
		}
	}
	if int(k.count) == len(k.ring) {
		ring := make([]arrival, max(2, 2*len(k.ring)))
		for i := range k.count {
			ring[i] = k.ring[(k.head+i)&mask]
		}
		grown = int64(len(ring) - len(k.ring))
		k.ring, k.head, mask = ring, 0, int32(len(ring)-1)
	}
	k.ring[(k.head+k.count)&mask] = a
	k.count++
	return grown
}

// Finish decides what has been added, and completes the columns. More can be added
// after it.
func (c *Comparison) Finish() {
	c.decide()
	for j, col := range c.Columns {
		col.Hit = 0
		var shares []int64
		for i := range c.store.n {
			k := c.clients.at(i)
			col.Hit += int64(k.hit >> j & 1)
			if k.refused > 0 {
				shares = append(shares, c.talliesOf(c.store.at(i))[j].total)
			}
		}
		col.Fairness = int64(float64(measure.Jain(shares)*1000) + 0.5)
		col.Bytes = col.limiter.bytes()
		col.Commands = col.Admitted*col.algorithm.admitting + col.Refused*col.algorithm.refusing
		col.promise = col.algorithm.promise(&c.Rules, max(c.largest, 1))
		if q, ok := col.limiter.(*queueColumn); ok {
			q.finish(col)
		}
	}
}

// Requests, Clients and Span are how many there were, and the time from the first
// request to the last.
func (c *Comparison) Requests() int64     { return c.requests }
func (c *Comparison) Clients() int64      { return int64(c.store.n) }
func (c *Comparison) Span() time.Duration { return c.last.Sub(c.first) }

// Client is what a key asked for and was refused by the exact log.
type Client struct {
	Key               uint64
	Requests, Refused int64
}

// Refused are the keys that the exact log refused something, the most often refused first.
func (c *Comparison) Refused() (list []Client) {
	for i := range c.store.n {
		if k := c.clients.at(i); k.refused > 0 {
			list = append(list, Client{k.key, k.requests, k.refused})
		}
	}
	slices.SortStableFunc(list, func(a, b Client) int { return cmp.Compare(b.Refused, a.Refused) })
	return list
}
