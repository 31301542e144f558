package permits

import (
	"slices"

	"fencepost/sim"
)

// executor is what every limiter does besides deciding: it runs handlers and answers.
type executor struct {
	work    []sim.Dist // how long a handler runs, by client; shared, never written
	running []uint32   // requests whose handler runs, by start
	last    []uint32   // by client: the request that came last
}

func newExecutor(work []sim.Dist) executor {
	return executor{work: work, last: make([]uint32, len(work))}
}

func (d *executor) reset(params *executor) {
	running, last := d.running, d.last
	*d = *params
	d.running, d.last = refill(running, params.running), refill(last, params.last)
}

// isCopy reports whether a request has just come before. A connection delivers it once;
// the network of a scenario may be told to do otherwise.
func (d *executor) isCopy(rid uint32) bool {
	last := &d.last[client(rid)-1]
	was := *last
	*last = rid
	return was == rid
}

// run starts the handler of a request that has a permit.
func (d *executor) run(out *sim.Out[Msg], rid uint32) {
	d.running = append(d.running, rid)
	out.Note(Msg{Kind: Started, Rid: rid})
	out.AfterDraw(d.work[client(rid)-1], Msg{Kind: finish, Rid: rid})
}

// finished is a handler that returns. It reports false if it has been cut off before.
func (d *executor) finished(out *sim.Out[Msg], rid uint32) bool {
	if !remove(&d.running, rid) {
		return false
	}
	out.Note(Msg{Kind: Done, Rid: rid})
	answer(out, rid, OK)
	return true
}

// answer tells the client.
func answer(out *sim.Out[Msg], rid uint32, status uint16) {
	out.Note(answered(Answered, rid, status))
	out.Send(client(rid), answered(Resp, rid, status))
}

// granted and freed tell the observers what became of a permit.
func granted(out *sim.Out[Msg], rid uint32, inUse int) {
	out.Note(Msg{Kind: Granted, Rid: rid, InUse: int32(inUse)})
}

func freed(out *sim.Out[Msg], rid uint32, inUse int) {
	out.Note(Msg{Kind: Freed, Rid: rid, InUse: int32(inUse)})
}

// remove takes a request out of a list, and reports whether it was there.
func remove(list *[]uint32, rid uint32) bool {
	i := slices.Index(*list, rid)
	if i < 0 {
		return false
	}
	*list = slices.Delete(*list, i, i+1)
	return true
}
