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

// Update shows how many runs of how many are done, and how many were violated.
func (m *Meter) Update(done, total, violated int) {
	m.draw(func(since time.Duration) string { return m.line(done, total, violated, since) })
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

func (m *Meter) line(done, total, violated int, since time.Duration) string {
	s := fmt.Sprintf("%s of %s runs", reports.Number(done), reports.Number(total))
	if violated > 0 {
		s += ", " + reports.Number(violated) + " violated"
	}
	s += ", " + reports.Number(int64(float64(done)/since.Seconds())) + " runs/s"
	if done > 0 && done < total {
		left := time.Duration(float64(since) / float64(done) * float64(total-done)).Round(100 * time.Millisecond)
		s += ", " + reports.Length(int64(left)) + " left"
	}
	return m.label + ": " + s
}

// Clear takes the line away before anything else is written.
func (m *Meter) Clear() {
	if m != nil && m.shown {
		m.shown = false
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}
