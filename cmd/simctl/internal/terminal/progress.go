package terminal

import (
	"fmt"
	"io"
	"time"

	"fencepost/reports"
)

const (
	patience = 500 * time.Millisecond // before a progress line is shown at all
	refresh  = 100 * time.Millisecond
)

// Meter shows on one line how far long work has come. A nil Meter shows nothing.
type Meter struct {
	out   io.Writer
	width func() int
	now   func() time.Time

	label          string
	started, drawn time.Time
	shown          bool
}

// NewMeter makes a meter for a terminal; it is nil if out is none.
func NewMeter(out io.Writer, getenv func(string) string) *Meter {
	if _, is := Is(out); !is || getenv("TERM") == "dumb" {
		return nil
	}
	return &Meter{out: out, now: time.Now, width: func() int { return Width(out) }}
}

// Start begins a piece of work.
func (m *Meter) Start(label string) {
	if m != nil {
		m.label, m.started, m.drawn = label, m.now(), time.Time{}
	}
}

// Work is how far runs have come.
type Work struct {
	Done, Total, Violated int // runs
	Point, Points         int // of a grid, from 1; 0 without one
	Before                int // of Done, the runs that were done before the work began
}

// Update shows how many runs of how many are done, and how many were violated.
func (m *Meter) Update(done, total, violated int) {
	m.ShowWork(Work{Done: done, Total: total, Violated: violated})
}

// ShowWork shows how far work has come.
func (m *Meter) ShowWork(w Work) {
	m.draw(func(since time.Duration) string { return m.label + ": " + w.text(since) })
}

// Show shows a text after the label.
func (m *Meter) Show(text string) {
	m.draw(func(time.Duration) string { return m.label + ": " + text })
}

// ShowSince shows a text after the label that depends on how long the work has taken.
func (m *Meter) ShowSince(text func(since time.Duration) string) {
	m.draw(func(since time.Duration) string { return m.label + ": " + text(since) })
}

func (m *Meter) draw(text func(since time.Duration) string) {
	if m == nil {
		return
	}
	now := m.now()
	if now.Sub(m.started) < patience || now.Sub(m.drawn) < refresh {
		return
	}
	m.drawn, m.shown = now, true
	line := []rune(text(now.Sub(m.started)))
	line = line[:min(len(line), max(m.width()-1, 0))] // in the last column some terminals wrap
	fmt.Fprintf(m.out, "\r\x1b[K%s", string(line))
}

func (w Work) text(since time.Duration) string {
	s := fmt.Sprintf("%s of %s runs", reports.Number(w.Done), reports.Number(w.Total))
	if w.Points > 0 {
		s = fmt.Sprintf("%s of %s points, %s", reports.Number(w.Point-1), reports.Number(w.Points), s)
	}
	if w.Violated > 0 {
		s += ", " + reports.Number(w.Violated) + " violated"
	}
	now := w.Done - w.Before // at the rate of these the rest will come
	s += ", " + reports.Number(int64(float64(now)/since.Seconds())) + " runs/s"
	if now > 0 && w.Done < w.Total {
		left := time.Duration(float64(since) / float64(now) * float64(w.Total-w.Done)).Round(100 * time.Millisecond)
		s += ", " + reports.Length(int64(left)) + " left"
	}
	return s
}

// Clear takes the line away before anything else is written.
func (m *Meter) Clear() {
	if m != nil && m.shown {
		m.shown = false
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}
