package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fencepost/reports/units"
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
	Done, Total, Violated int // runs; Violated is not shown of a grid
	Point, Points         int // of a grid, from 1; 0 without one
	Before                int // of Done, the runs that were done before the work began
}

// Update shows how many runs of how many are done, and how many were violated.
func (m *Meter) Update(done, total, violated int) {
	m.ShowWork(Work{Done: done, Total: total, Violated: violated})
}

// ShowWork shows how far work has come.
func (m *Meter) ShowWork(w Work) { m.draw(w.texts) }

// Show shows a text after the label.
func (m *Meter) Show(text string) {
	m.draw(func(time.Duration) []string { return []string{text} })
}

// ShowSince shows a text after the label that depends on how long the work has taken.
func (m *Meter) ShowSince(text func(since time.Duration) string) {
	m.draw(func(since time.Duration) []string { return []string{text(since)} })
}

// draw draws the label and the first of some texts that fits behind it, or else the last.
func (m *Meter) draw(texts func(since time.Duration) []string) {
	if m == nil {
		return
	}
	now := m.now()
	if now.Sub(m.started) < patience || now.Sub(m.drawn) < refresh {
		return
	}
	m.drawn, m.shown = now, true
	width := max(m.width()-1, 0) // in the last column some terminals wrap
	label, text := []rune(m.label), []rune(nil)
	for _, t := range texts(now.Sub(m.started)) {
		if text = []rune(": " + t); len(label)+len(text) <= width {
			break
		}
	}
	// What changes is more than a long name, of which a third of the line is enough.
	label = cut(label, max(width-len(text), width/3))
	fmt.Fprintf(m.out, "\r\x1b[K%s%s", string(label), string(text[:min(len(text), width-len(label))]))
}

// cut is a text in at most the given number of columns.
func cut(text []rune, columns int) []rune {
	if len(text) <= columns {
		return text
	}
	return append(slices.Clone(text[:max(columns-1, 0)]), '…')[:columns]
}

// texts say it, each in fewer words than the one before. The time left is in all of them.
func (w Work) texts(since time.Duration) (list []string) {
	const points, runs, violated, rate, left = 0, 1, 2, 3, 4
	var parts [5]string
	parts[runs] = fmt.Sprintf("%s of %s runs", units.Number(w.Done), units.Number(w.Total))
	if w.Points > 0 {
		parts[points] = fmt.Sprintf("%s of %s points", units.Number(w.Point-1), units.Number(w.Points))
	} else if w.Violated > 0 { // of a grid it would be those of the current point only
		parts[violated] = units.Number(w.Violated) + " violated"
	}
	now := w.Done - w.Before // at the rate of these the rest will come
	parts[rate] = units.Number(int64(float64(now)/since.Seconds())) + " runs/s"
	if now > 0 && w.Done < w.Total {
		rest := time.Duration(float64(since) / float64(now) * float64(w.Total-w.Done)).Round(100 * time.Millisecond)
		parts[left] = units.Duration(int64(rest)) + " left"
	}
	said := func() string {
		return strings.Join(slices.DeleteFunc(slices.Clone(parts[:]), func(s string) bool { return s == "" }), ", ")
	}
	list = append(list, said())
	for _, i := range []int{rate, violated, runs, points} {
		if parts[i] = ""; said() != "" {
			list = append(list, said())
		}
	}
	return list
}

// Clear takes the line away before anything else is written.
func (m *Meter) Clear() {
	if m != nil && m.shown {
		m.shown = false
		fmt.Fprint(m.out, "\r\x1b[K")
	}
}
