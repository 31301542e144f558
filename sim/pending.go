package sim

import (
	"fencepost/internal/splitmix"
	"fencepost/sim/internal/fingerprint"
	"fencepost/sim/internal/queue"
)

// pendingPrints is the print of what is due after this instant, kept from one fingerprint to the
// next. Of two events it matters which comes first only if they are due at the same instant:
// the print of each takes in that of the one before it at its instant, and those are added
// up. So an event is added once, after it has been pushed, and taken off when its instant has come.
type pendingPrints struct {
	keys   []queue.Key // sorted
	prints []Print     // of these
	sum    Print       // of prints
	last   uint64      // the latest sequence that has been looked at

	due, fresh []queue.Key // of this instant; not yet among keys
}

// forget is called where what is pending changes: with a clock, or a crash.
func (k *pendingPrints) forget() {
	k.keys, k.prints, k.sum, k.last = k.keys[:0], k.prints[:0], Print{}, 0
}

// foldPending takes in what is pending, in its order.
func (w *World[M]) foldPending(p *Print) {
	k, all := &w.kept.pending, w.q.Snapshot()
	if w.refresh(all); len(k.due)+len(k.keys) != len(all) { // an event was put back
		k.forget()
		w.refresh(all)
	}
	p.Fold(uint64(len(k.due)))
	for _, x := range k.due {
		w.foldEvent(p, x.Slot())
	}
	p.Fold(uint64(len(k.keys)))
	fingerprint.Take(p, k.sum)
}

// refresh brings what is kept up to now.
func (w *World[M]) refresh(all []queue.Key) {
	k := &w.kept.pending
	k.due, k.fresh = k.due[:0], k.fresh[:0]
	for _, x := range all {
		if x.At <= int64(w.now) {
			k.due = append(k.due, x)
		} else if x.Seq() > k.last {
			k.fresh = append(k.fresh, x)
		}
	}
	queue.SortNearly(k.due)
	queue.SortNearly(k.fresh)
	k.drop(w.now)
	for i := k.merge(); i < len(k.keys); i++ {
		if x := k.keys[i]; x.Seq() > k.last {
			e := Print{uint64(x.At), 1}
			if i > 0 && k.keys[i-1].At == x.At {
				fingerprint.Take(&e, k.prints[i-1])
			}
			w.foldEvent(&e, x.Slot())
			k.prints[i] = Print{splitmix.Mix(e[0]), splitmix.Mix(e[1])}
			k.sum[0] += k.prints[i][0]
			k.sum[1] += k.prints[i][1]
		}
	}
	k.last = w.q.Seq()
}

// drop takes off what is due up to an instant.
func (k *pendingPrints) drop(until Time) {
	n := 0
	for ; n < len(k.keys) && k.keys[n].At <= int64(until); n++ {
		k.sum[0] -= k.prints[n][0]
		k.sum[1] -= k.prints[n][1]
	}
	k.keys = k.keys[:copy(k.keys, k.keys[n:])]
	k.prints = k.prints[:copy(k.prints, k.prints[n:])]
}

// merge sorts the fresh keys in, and is the place of the first of them.
func (k *pendingPrints) merge() int {
	old, to := len(k.keys)-1, len(k.keys)+len(k.fresh)
	k.keys, k.prints = queue.Grow(k.keys, len(k.fresh)), queue.Grow(k.prints, len(k.fresh))
	for i := len(k.fresh) - 1; i >= 0; {
		to--
		if old >= 0 && k.fresh[i].Less(k.keys[old]) {
			k.keys[to], k.prints[to] = k.keys[old], k.prints[old]
			old--
		} else {
			k.keys[to] = k.fresh[i]
			i--
		}
	}
	return to
}
