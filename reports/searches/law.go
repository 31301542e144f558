package searches

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"fencepost/reports/units"
)

// Laws are how an edge depends on the durations of a scenario: what is violated by any of them is
// violated.
type Laws struct {
	Laws    []Law      `json:"laws"`
	Within  []Ranged   `json:"within"`            // between what each term was drawn for the check
	Points  int        `json:"points"`            // random scenarios that were checked, each on both sides of the edge
	Agreed  int        `json:"agreed"`            // at how many of them the laws are right
	Stopped string     `json:"stopped,omitempty"` // why no more of them were checked
	Wrong   []WrongLaw `json:"wrong"`             // where they are not
	Side    string     `json:"side,omitempty"`    // what tells these from the others
	None    string     `json:"none,omitempty"`
}

// Law is one inequality: the property is violated if Pauses times the pause is more than the constant
// and the terms.
type Law struct {
	Text       string   `json:"text"`
	Pauses     int64    `json:"pauses"`
	Terms      []Valued `json:"coefficients"`
	ConstantNS int64    `json:"constant_ns"` // what no term says
	At         []Valued `json:"at"`          // where it was found
}

// Valued is a term and a number: its coefficient, or nanoseconds.
type Valued struct {
	Path string `json:"name"`
	IsNS int64  `json:"value"`
}

// WrongLaw is a scenario at which the laws are not right.
type WrongLaw struct {
	At     string `json:"at"`
	SaysNS int64  `json:"says_ns"`
	IsNS   int64  `json:"is_ns"` // -1: violated without any pause, or by none
}

// Write is the law as an inequality.
func (l *Law) Write() string {
	left, right := []string{times(l.Pauses, "pause")}, []string{}
	for _, t := range l.Terms {
		switch {
		case t.IsNS < 0:
			left = append(left, times(-t.IsNS, t.Path))
		case t.IsNS > 0:
			right = append(right, times(t.IsNS, t.Path))
		}
	}
	switch {
	case l.ConstantNS < 0:
		left = append(left, exact(-l.ConstantNS))
	case l.ConstantNS > 0 || len(right) == 0:
		right = append(right, exact(l.ConstantNS))
	}
	return strings.Join(left, " + ") + " > " + strings.Join(right, " + ")
}

func times(n int64, name string) string {
	if n == 1 {
		return name
	}
	return fmt.Sprintf("%d*%s", n, name)
}

// text is the laws in lines, with what was checked.
func (l *Laws) text() []string {
	lines := l.checked()
	if l.Stopped != "" {
		lines = append(lines, "  not checked at more: "+l.Stopped)
	}
	return lines
}

func (l *Laws) checked() (lines []string) {
	if l.None != "" {
		return []string{"law: " + l.None}
	}
	for i := range l.Laws {
		word := "law: violated if "
		if i > 0 {
			word = "  or if "
		}
		lines = append(lines, word+l.Laws[i].Text)
	}
	var within []string
	for _, r := range l.Within {
		within = append(within, r.Path+" "+r.text())
	}
	where := ""
	if len(within) > 0 {
		where = " with " + strings.Join(within, ", ")
	}
	switch {
	case l.Points == 0:
		return append(lines, "  not checked at any other point")
	case len(l.Wrong) == 0:
		return append(lines, fmt.Sprintf("  right at %s%s: certified at the edge it gives, violated 2ns above", units.Plural(l.Points, "random point"), where))
	}
	remark := ""
	if l.safe() {
		remark = ", at each of which longer pauses hold than it says"
	}
	lines = append(lines, fmt.Sprintf("  WRONG at %s of %s%s%s:", units.Number(len(l.Wrong)), units.Plural(l.Points, "random point"), remark, where))
	if l.Side != "" {
		lines = append(lines, "    "+l.Side)
	}
	const most = 5
	for _, w := range l.Wrong[:min(len(l.Wrong), most)] {
		is := "it is " + exact(w.IsNS)
		if w.IsNS < 0 {
			is = "it has none"
		}
		lines = append(lines, fmt.Sprintf("    %s: the edge is to be %s, and %s", w.At, exact(w.SaysNS), is))
	}
	return lines
}

// safe reports whether the property holds wherever the laws say so.
func (l *Laws) safe() bool {
	return !slices.ContainsFunc(l.Wrong, func(w WrongLaw) bool { return w.IsNS < w.SaysNS })
}

// exact is a duration with every digit, in its unit.
func exact(ns int64) string { return time.Duration(ns).String() }
