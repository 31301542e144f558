// Package measure holds what the properties of rate limiting count, over true time and
// without an engine: what was admitted in the worst window, what an exact log would
// have said, how fair the shares are. The models around a limiter turn them into
// properties and measures.
package measure

import (
	"fmt"
	"time"

	"fencepost/sim"
)

// Window adds up what was admitted in the half-open window (t-W, t] that ends with each
// admission. The zero Window has no length: use [NewWindow].
type Window struct {
	length time.Duration
	ring   []admission // its length is a power of two
	head   int
	count  int
	sum    int64

	worst   int64
	worstAt sim.Time
}

type admission struct {
	at   sim.Time
	cost int64
}

// NewWindow is a window of that length, at least 1 ns.
func NewWindow(length time.Duration) Window {
	if length < 1 {
		panic(fmt.Sprintf("measure: a window of %v", length))
	}
	return Window{length: length}
}

// Clear forgets everything and keeps the memory.
func (w *Window) Clear() {
	clear(w.ring)
	*w = Window{length: w.length, ring: w.ring[:0]}
}

// Admit counts an admission, not before the last one, and returns what is in the
// window that ends with it.
func (w *Window) Admit(at sim.Time, cost int64) int64 {
	w.Sum(at)
	w.push(at, cost)
	w.sum += cost
	if w.sum > w.worst {
		w.worst, w.worstAt = w.sum, at
	}
	return w.sum
}

// Sum is what is in the window that ends at an instant, not before the last one.
func (w *Window) Sum(at sim.Time) int64 {
	for w.count > 0 && w.entry(0).at.Add(w.length) <= at {
		w.sum -= w.entry(0).cost
		w.head = (w.head + 1) & (len(w.ring) - 1)
		w.count--
	}
	return w.sum
}

// Worst is the fullest window so far, and the instant at which it first was as full.
func (w *Window) Worst() (sum int64, at sim.Time) { return w.worst, w.worstAt }

func (w *Window) entry(i int) *admission { return &w.ring[(w.head+i)&(len(w.ring)-1)] }

// push appends; admissions of one instant share an entry.
func (w *Window) push(at sim.Time, cost int64) {
	if w.count > 0 && w.entry(w.count-1).at == at {
		w.entry(w.count - 1).cost += cost
		return
	}
	if w.count == len(w.ring) {
		w.grow()
	}
	w.count++
	*w.entry(w.count - 1) = admission{at, cost}
}

// grow makes room for more entries: after Clear, what there was before.
func (w *Window) grow() {
	if room := cap(w.ring); w.count == 0 && room > 0 {
		w.ring = w.ring[:room]
		return
	}
	ring := make([]admission, max(8, 2*len(w.ring)))
	for i := range w.count {
		ring[i] = *w.entry(i)
	}
	w.ring, w.head = ring, 0
}

// Touch reads what the next [Window.Sum] will look at, so that it need not wait for it.
func (w *Window) Touch() (sum int64) {
	if w.count > 0 {
		sum = w.entry(0).cost
	}
	return sum
}

// Windows are what was admitted of each key in the window that ends now.
type Windows []Window

// Reset forgets what was admitted.
func (w Windows) Reset() {
	for i := range w {
		w[i].Clear()
	}
}

// Grow makes room for keys that are numbered 1 and up.
func (w *Windows) Grow(keys int, length time.Duration) {
	for len(*w) < keys+1 {
		*w = append(*w, NewWindow(length))
	}
}
