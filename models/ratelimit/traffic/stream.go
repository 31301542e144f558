package traffic

import (
	"fmt"
	"time"

	"fencepost/internal/splitmix"
	"fencepost/sim"
)

// Stream is requests in order of their instants.
type Stream interface {
	// Next is the next request, and whether there is one.
	Next() (Request, bool)
}

// New is the traffic that the parameters describe; they have no [Params.Problems]. The
// same parameters and seed give the same requests. Requests of one instant come in
// order of their classes. A client's key is its number in the class, from 0, plus the
// class times 2^32.
func New(p Params, seed uint64) Stream {
	if bad := p.Problems(); len(bad) > 0 {
		panic(fmt.Sprintf("traffic: %s: %s", bad[0].Path, bad[0].Message))
	}
	p = p.resolve()
	m := &merge{left: p.Requests}
	if m.left == 0 {
		m.left = 1<<63 - 1
	}
	for i := range p.Classes {
		c := newClients(&p.Classes[i], i, seed, min(p.For, p.Classes[i].Stop))
		c.advance()
		m.classes = append(m.classes, c)
	}
	return m
}

// merge puts the requests of all classes in order.
type merge struct {
	classes []*clients
	left    int64
}

// Next implements [Stream].
func (m *merge) Next() (Request, bool) {
	first := m.classes[0]
	for _, c := range m.classes[1:] {
		if c.request.At < first.request.At {
			first = c
		}
	}
	r := first.request
	if m.left == 0 || r.At == never {
		return Request{}, false
	}
	m.left--
	first.advance()
	return r, true
}

// clients are those of one class.
type clients struct {
	arrivals process
	keys     splitmix.Stream
	zipf     *zipf // nil: all alike
	n        uint64
	inTurn   bool
	turn     uint64
	stop     sim.Time

	repeats int64
	gap     time.Duration
	arrival sim.Time // the next one
	trains  queue

	request Request // the next one; it is never at the end
}

func newClients(c *Class, i int, seed uint64, stop time.Duration) *clients {
	s := &clients{
		arrivals: newProcess(c, seed), keys: newDraws(seed, c.Name, "keys"),
		n: uint64(c.Clients), inTurn: c.Pick == "in-turn", stop: sim.Time(0).Add(stop),
		repeats: c.Repeats, gap: c.Gap,
		request: Request{Key: uint64(i) << 32, Class: i, Cost: c.Cost},
	}
	if c.Zipf > 0 && c.Clients > 1 {
		s.zipf = newZipf(c.Clients, c.Zipf)
	}
	s.arrival = s.arrivals.next()
	return s
}

// advance finds the next request: a repeat that is due, or an arrival.
func (s *clients) advance() {
	t := train{at: s.arrival, left: s.repeats}
	if s.trains.n > 0 && s.trains.first().at <= s.arrival {
		t = s.trains.pop()
	} else {
		t.client = s.pick()
		s.arrival = s.arrivals.next()
	}
	s.request.At = t.at
	if t.at >= s.stop {
		s.request.At = never
	}
	s.request.Key = uint64(s.request.Class)<<32 + t.client
	if t.left > 0 {
		t.left--
		t.at = t.at.Add(s.gap)
		s.trains.push(t)
	}
}

func (s *clients) pick() uint64 {
	switch {
	case s.inTurn:
		k := s.turn
		s.turn = (k + 1) % s.n
		return k
	case s.zipf != nil:
		return s.zipf.rank(s.keys.Next())
	}
	return s.keys.Below(s.n)
}

// train is an arrival whose repeats are not all sent.
type train struct {
	at     sim.Time // of the next one
	client uint64
	left   int64 // after it
}

// queue holds trains in order of their instants. As all repeats of a class come after
// the same gap, the train that has just sent a request is the last one.
type queue struct {
	ring    []train // its length is a power of two
	head, n int
}

func (q *queue) first() *train { return &q.ring[q.head] }

func (q *queue) pop() train {
	t := *q.first()
	q.head = (q.head + 1) & (len(q.ring) - 1)
	q.n--
	return t
}

func (q *queue) push(t train) {
	if q.n == len(q.ring) {
		ring := make([]train, max(8, 2*q.n))
		for i := range q.n {
			ring[i] = q.ring[(q.head+i)&(len(q.ring)-1)]
		}
		q.ring, q.head = ring, 0
	}
	q.ring[(q.head+q.n)&(len(q.ring)-1)] = t
	q.n++
}
