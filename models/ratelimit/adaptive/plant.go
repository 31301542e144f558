package adaptive

import (
	"time"

	"fencepost/sim"
)

// Plant is what is protected: some cores that serve jobs in order. One without cores
// serves no client and only says what its load would be if as many jobs as the limit allows
// ran all the time.
type Plant struct {
	Limiter      sim.NodeID
	Cores        int64
	Service      sim.Dist      // of a job
	Later        sim.Dist      // the same from Change on
	Cost         int64         // load of a job of the limit, in percent of a percent: 100 is one percent
	CostLater    int64         // the same from Change on
	Change       time.Duration // 0: never
	Sample       time.Duration // how often it measures its load
	IgnorePauses time.Duration // as the limiter's

	limit int64
	busy  int64
	queue []Msg // jobs that wait
	head  int
	spent time.Duration // core time since the last measurement
	last  sim.Mono      // up to which it is added up
	pause pause
}

// Reset implements [sim.Resetter].
func (p *Plant) Reset(initial *Plant) {
	queue := append(p.queue[:0], initial.queue...)
	if queue == nil {
		queue = []Msg{} // a queue that has become empty is like one that has never been used
	}
	*p = *initial
	p.queue = queue
}

// Step implements [sim.Node].
func (p *Plant) Step(in sim.In[Msg], out *sim.Out[Msg]) {
	p.pause.notice(in.Mono, p.IgnorePauses)
	p.addUp(in.Mono)
	switch m := in.Msg; m.Kind {
	case start:
		out.After(p.Sample, Msg{Kind: measure})
		p.pause.arm(out, p.IgnorePauses)
	case beat:
		p.pause.arm(out, p.IgnorePauses)
	case Allowed:
		p.limit = m.limit()
	case Work:
		p.push(job(&m, in.Mono))
		p.serve(in, out)
	case worked:
		p.busy--
		out.Send(p.Limiter, done(&m, p.pause.since(m.came())))
		p.serve(in, out)
	case measure:
		out.After(p.Sample, Msg{Kind: measure})
		load := p.load(in.Mono)
		out.Note(measured(int64(load)))
		out.Send(p.Limiter, cpuLoad(int64(load)))
		p.spent = 0
	default:
		panic("adaptive: the plant got " + m.String())
	}
}

func (p *Plant) addUp(now sim.Mono) {
	p.spent += time.Duration(p.busy) * now.Sub(p.last)
	p.last = now
}

// load is how busy the plant was since the last measurement, in percent.
func (p *Plant) load(now sim.Mono) int32 {
	if p.Cores > 0 {
		return int32(min(100, p.spent*100/(time.Duration(p.Cores)*p.Sample)))
	}
	cost := p.Cost
	if p.changed(now) {
		cost = p.CostLater
	}
	return int32(min(100, p.limit*cost/100))
}

func (p *Plant) changed(now sim.Mono) bool { return p.Change > 0 && time.Duration(now) >= p.Change }

// serve starts the jobs that there is a core for.
func (p *Plant) serve(in sim.In[Msg], out *sim.Out[Msg]) {
	for p.busy < p.Cores && p.head < len(p.queue) {
		p.busy++
		if p.changed(in.Mono) {
			out.AfterDraw(p.Later, p.queue[p.head])
		} else {
			out.AfterDraw(p.Service, p.queue[p.head])
		}
		if p.head++; p.head == len(p.queue) {
			p.queue, p.head = p.queue[:0], 0
		}
	}
}

// push appends a job, in place of those that have been served if these are many.
func (p *Plant) push(m Msg) {
	if p.head > 64 && 2*p.head > len(p.queue) {
		n := copy(p.queue, p.queue[p.head:])
		p.queue, p.head = p.queue[:n], 0
	}
	p.queue = append(p.queue, m)
}
