// Package dimensions is limiters that keep to several limits at once, counted in a store.
package dimensions

import (
	"fmt"
	"time"

	"fencepost/models/ratelimit"
	"fencepost/models/ratelimit/fleet/core"
	"fencepost/models/ratelimit/fleet/message"
	"fencepost/sim"
	"fencepost/sim/model"
	"fencepost/sim/model/values"
)

// DimensionParams are several limits for one request, all of which it must keep to.
type DimensionParams struct {
	Mode   string           `yaml:"mode,oneof=seq-charge|seq-refund|check-all|charge-all|reserve"` // seq-charge
	Limits []DimensionLimit `yaml:"limits"`                                                        // in the order in which they are asked
	TTL    time.Duration    `yaml:"ttl"`                                                           // of a reservation that is neither confirmed nor cancelled: 5s
}

// DimensionLimit is one of them.
type DimensionLimit struct {
	Name   string         `yaml:"name"`
	Of     string         `yaml:"of,oneof=key|client|all"` // what counts together: key, a user; client, an address; all
	Limit  int64          `yaml:"limit"`
	Window *time.Duration `yaml:"window"` // that of the parameters
}

// Problems adds what is wrong with the parameters for a fleet.
func (p *DimensionParams) Problems(f *core.Fleet, found *model.Errors) {
	core.Between(found, "dimensions.limits", int64(len(p.Limits)), 1, maxDimensions)
	for i, l := range p.Limits {
		path := fmt.Sprintf("dimensions.limits.%d", i)
		core.Between(found, path+".limit", l.Limit, 1, 1<<40)
		if w := values.Or(l.Window, f.Window); w < 1 || w > core.MaxLength {
			found.Add(path+".window", "want 1ns to %v, got %v", core.MaxLength, w)
		}
	}
	found.If(p.TTL <= 0 || p.TTL > core.MaxLength, "dimensions.ttl", "want 1ns to %v, got %v", core.MaxLength, p.TTL)
}

// List is the limits, in their order.
func (p *DimensionParams) List(f *core.Fleet) (list []core.Dimension) {
	for i, l := range p.Limits {
		name := l.Name
		if name == "" {
			name = fmt.Sprint(i + 1)
		}
		of := map[string]core.DimensionOf{"client": core.OfClient, "all": core.OfAll}[l.Of]
		list = append(list, core.Dimension{Name: name, Limit: l.Limit, Window: values.Or(l.Window, f.Window), Of: of})
	}
	return list
}

// Place adds limiters, and a store with a counter for each dimension, to the system.
func (p *DimensionParams) Place(f *core.Fleet, s *sim.System[message.Msg]) {
	l := &f.Layout
	mode := map[string]DimensionMode{"seq-refund": SeqRefund, "check-all": CheckAll, "charge-all": ChargeAll, "reserve": Reserve}[p.Mode]
	store := l.First + sim.NodeID(l.Limiters)
	for i := range l.Limiters {
		s.Nodes = append(s.Nodes, sim.Place[message.Msg](fmt.Sprintf("limiter-%d", i+1), DimensionLimiter{Store: store, Dims: len(l.Dimensions), Mode: mode}))
	}
	s.Nodes = append(s.Nodes, sim.Place[message.Msg]("store", DimensionStore{Dims: l.Dimensions, Who: max(l.Keys, l.Clients), TTL: p.TTL}))
}

// DimensionMode is how a limiter asks for several dimensions.
type DimensionMode uint8

// One after the other, each charged as it is passed; the same, and what was charged is
// given back when a later one rejects; all checked and then all charged, in one script;
// all charged and then all checked; one after the other reserved, and then confirmed or
// cancelled.
const (
	SeqCharge DimensionMode = iota
	SeqRefund
	CheckAll
	ChargeAll
	Reserve
)

// DimensionLimiter admits what keeps to all dimensions.
//
// Source: charge-all is the default of envoyproxy/ratelimit, check-all what nginx does
// with several zones.
type DimensionLimiter struct {
	Store sim.NodeID
	Dims  int
	Mode  DimensionMode

	asked []asking
}

// asking is a request that is on its way through the dimensions.
type asking struct {
	request message.Msg
	from    sim.NodeID
	windows [maxDimensions]int64 // in which it has been charged
}

// Reset implements [sim.Resetter].
func (l *DimensionLimiter) Reset(initial *DimensionLimiter) {
	asked := l.asked
	*l = *initial
	l.asked = core.Copied(asked, initial.asked)
}

// Step implements [sim.Node].
func (l *DimensionLimiter) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	switch m := in.Msg; m.Kind {
	case message.Start:
	case message.Request:
		l.asked = append(l.asked, asking{request: m, from: in.From})
		if l.Mode == CheckAll || l.Mode == ChargeAll {
			out.Send(l.Store, message.NewTakeAll(m, l.Mode == CheckAll))
			return
		}
		l.take(out, m, 0)
	case message.Taken:
		for i := range l.asked {
			if l.asked[i].request.ID == m.ID {
				l.taken(out, m, i)
				return
			}
		}
	default:
		panic("fleet: a limiter got " + m.String())
	}
}

func (l *DimensionLimiter) take(out *sim.Out[message.Msg], m message.Msg, dim int) {
	out.Send(l.Store, message.NewTake(m, dim, l.Mode == Reserve))
}

// taken asks the next dimension, or decides.
func (l *DimensionLimiter) taken(out *sim.Out[message.Msg], m message.Msg, i int) {
	a := l.asked[i]
	dim := m.Dimension()
	last := l.Mode == CheckAll || l.Mode == ChargeAll || dim == l.Dims-1
	if m.OK && !last {
		l.asked[i].windows[dim] = m.Window()
		l.take(out, a.request, dim+1)
		return
	}
	l.asked = append(l.asked[:i], l.asked[i+1:]...)
	if m.OK {
		for dim := range l.Dims {
			if l.Mode == Reserve {
				out.Send(l.Store, message.InDimension(message.Confirm, m, dim))
			}
		}
		core.Admit(out, a.request, a.from, 0)
		return
	}
	if l.Mode == SeqRefund || l.Mode == Reserve {
		kind := message.Refund
		if l.Mode == Reserve {
			kind = message.Cancel
		}
		for before := range dim {
			out.Send(l.Store, message.NewRefund(kind, m, before, a.windows[before]))
		}
	}
	core.Show(out, a.request, ratelimit.Decision{Wait: m.Wait()})
	out.Note(message.NewRejected(m, m.Wait(), dim))
	out.Send(a.from, message.NewRejection(m.ID, m.Wait()))
}

// DimensionStore counts in dimensions.
type DimensionStore struct {
	Dims []core.Dimension
	Who  int // keys or clients, whichever are more
	TTL  time.Duration

	counts   dimensionCounts
	reserved []reservation
}

// reservation is what is charged until it is confirmed, cancelled, or out of time.
type reservation struct {
	id     uint64
	dim    int
	window int64
}

// Reset implements [sim.Resetter].
func (s *DimensionStore) Reset(initial *DimensionStore) {
	counts, reserved := s.counts, s.reserved
	*s = *initial
	s.counts = initial.counts
	s.counts.counts = core.Copied(counts.counts, initial.counts.counts)
	s.reserved = core.Copied(reserved, initial.reserved)
}

// Step implements [sim.Node].
func (s *DimensionStore) Step(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	switch m.Kind {
	case message.Start:
		s.counts.make(s.Dims, s.Who)
	case message.Take:
		s.take(in, out)
	case message.TakeAll:
		s.takeAll(in, out)
	case message.Refund:
		s.counts.refund(m.Dimension(), &m, m.Window(), in.Wall)
		out.Note(message.NewShardOp(0, m.Key, true, 0))
	case message.Confirm:
		s.release(in, false)
		out.Note(message.NewShardOp(0, m.Key, true, 0))
	case message.Cancel:
		s.release(in, true)
		out.Note(message.NewShardOp(0, m.Key, true, 0))
	case message.Lapse:
		s.release(in, true)
	default:
		panic("fleet: a store got " + m.String())
	}
}

// take charges one dimension, if there is room; OK asks for a reservation.
func (s *DimensionStore) take(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m, dim := in.Msg, in.Msg.Dimension()
	ok, left := s.counts.fits(dim, &m, in.Wall)
	answer := message.NewNotTaken(m, dim, left)
	if ok {
		answer = message.NewTaken(m, dim, s.counts.charge(dim, &m, in.Wall))
		if m.OK {
			s.reserved = append(s.reserved, reservation{m.ID, dim, answer.Window()})
			out.After(s.TTL, message.InDimension(message.Lapse, m, dim))
		}
	}
	count, _ := s.counts.at(dim, &m, in.Wall)
	out.Note(message.NewShardOp(m.ID, m.Key, ok, count.Count))
	out.Send(in.From, answer)
}

// takeAll is a script over all dimensions: OK checks all before it charges any.
func (s *DimensionStore) takeAll(in sim.In[message.Msg], out *sim.Out[message.Msg]) {
	m := in.Msg
	answer := message.NewTaken(m, 0, 0)
	for dim := range s.Dims {
		if ok, left := s.counts.fits(dim, &m, in.Wall); !ok {
			first := answer.Dimension()
			if answer.OK {
				first = dim
			}
			answer = message.NewNotTaken(m, first, max(answer.Wait(), left))
		}
	}
	for dim := range s.Dims {
		if answer.OK || !m.OK {
			s.counts.charge(dim, &m, in.Wall)
		}
	}
	out.Note(message.NewShardOp(m.ID, m.Key, answer.OK, 0))
	out.Send(in.From, answer)
}

// release ends a reservation, and gives back what it had taken.
func (s *DimensionStore) release(in sim.In[message.Msg], back bool) {
	m := in.Msg
	for i, r := range s.reserved {
		if r.id != m.ID || r.dim != m.Dimension() {
			continue
		}
		s.reserved = append(s.reserved[:i], s.reserved[i+1:]...)
		if back {
			s.counts.refund(r.dim, &m, r.window, in.Wall)
		}
		return
	}
}
