package ratelimit

import (
	"fmt"
	"time"
)

// FixedWindowParams are the parameters of a [FixedWindow].
type FixedWindowParams struct {
	Limit           int64         // L, 1 to MaxLimit
	Window          time.Duration // W, 1 ns to MaxWindow
	Anchored        bool          // windows begin at the first request after the last one; else at multiples of W
	ChargesRejected bool          // refused requests are charged too (INCR, then compare); tells only with costs above 1
}

// Validate returns all mistakes.
func (p FixedWindowParams) Validate() error {
	var m mistakes
	m.window(p.Limit, p.Window)
	return m.join()
}

func (m *mistakes) window(limit int64, window time.Duration) {
	m.count("limit", limit, MaxLimit)
	m.length("window", window)
}

// FixedWindow counts the requests of the current window. It admits at most L in a
// window of its own, and in any window of length W at most 2L (aligned), or 2L-1
// (anchored): L at the end of one and L at the start of the next.
//
// A clock that goes back stands still at the start of the current window, whatever it
// shows: a counter that is reset because the window's number has changed, up or down,
// admits without limit around a boundary.
//
// Source: Xu, "System Design Interview", figures 4-8 and 4-9; Redis documentation,
// INCR, "Pattern: rate limiter".
type FixedWindow struct {
	limit                     int64
	window                    time.Duration
	anchored, chargesRejected bool
}

// FixedWindowState is what a [FixedWindow] remembers of a key.
//
//  1. count >= 0, and <= limit unless ChargesRejected
//  2. aligned: start is a multiple of W
type FixedWindowState struct {
	start Reading // of the window; anchored: means nothing while count is 0
	count int64
}

// NewFixedWindow returns the rule, or all mistakes in its parameters.
func NewFixedWindow(p FixedWindowParams) (*FixedWindow, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &FixedWindow{p.Limit, p.Window, p.Anchored, p.ChargesRejected}, nil
}

// Limit implements [Rule].
func (w *FixedWindow) Limit() int64 { return w.limit }

// Start implements [Rule]: an empty window.
func (w *FixedWindow) Start(now Reading) FixedWindowState {
	if !w.anchored {
		now = floorTo(now, w.window)
	}
	return FixedWindowState{start: now}
}

// Take implements [Rule].
func (w *FixedWindow) Take(k *FixedWindowState, now Reading, cost int64) Decision {
	if now < k.start {
		return w.Take(k, k.start, cost).later(k.start - now)
	}
	if time.Duration(now-k.start) >= w.window || w.anchored && k.count == 0 {
		*k = w.Start(now)
	}
	left := w.window - time.Duration(now-k.start)
	d := Decision{Allowed: cost >= 0 && cost <= w.limit-k.count}
	if cost > 0 && (d.Allowed || w.chargesRejected) {
		k.count = min(k.count+min(cost, MaxLimit+1), 1<<61)
	}
	switch {
	case d.Allowed:
	case uint64(cost) > uint64(w.limit):
		d.Wait = Never
	default:
		d.Wait = left
	}
	d.Remaining = max(0, w.limit-k.count)
	if k.count > 0 {
		d.ResetAfter = left
	}
	return d
}

// Check implements [Rule].
func (w *FixedWindow) Check(k *FixedWindowState) error {
	switch {
	case k.count < 0 || k.count > w.limit && !w.chargesRejected:
		return fmt.Errorf("fixed window, 1: %d of %d", k.count, w.limit)
	case !w.anchored && k.start%Reading(w.window) != 0:
		return fmt.Errorf("fixed window, 2: start %d", k.start)
	}
	return nil
}
