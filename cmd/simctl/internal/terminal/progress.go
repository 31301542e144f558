package terminal

import (
	"fmt"
	"io"
	"strings"
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
	if m == nil {
		return
	}
	now := m.now()
	if now.Sub(m.started) < patience || now.Sub(m.drawn) < refresh {
		return
	}
	m.drawn, m.shown = now, true
	line := m.line(done, total, violated, now.Sub(m.started))
	if most := m.width() - 1; len(line) > most {
		line = line[:max(most, 0)]
	}
	fmt.Fprintf(m.out, "\r\x1b[K%s", line)
}

// line is in ASCII but for the label, and the label is cut first.
func (m *Meter) line(done, total, violated int, since time.Duration) string {
	rate := float64(done) / since.Seconds()
	s := fmt.Sprintf("%s of %s runs, %s runs/s", reports.Number(done), reports.Number(total), reports.Number(int64(rate)))
	if done > 0 && done < total {
		left := time.Duration(float64(since) / float64(done) * float64(total-done)).Round(100 * time.Millisecond)
		s += ", " + strings.Replace(reports.Length(int64(left)), "µs", "us", 1) + " left"
	}
	if violated > 0 {
		s += ", " + reports.Number(violated) + " violated"
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
