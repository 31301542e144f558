package searches

import (
	"cmp"
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
	Within  []Ranged   `json:"within"`            // between what each term was drawn for the check, 0 and 0 of one that is none of the law
	Points  int        `json:"points"`            // random scenarios that were checked, each on both sides of the edge
	Found   int        `json:"found"`             // at how many of them a law was found or changed
	Agreed  int        `json:"agreed"`            // at how many of them the laws are right
	Stopped string     `json:"stopped,omitempty"` // why no law was found, or no more of them were checked
	Wrong   []WrongLaw `json:"wrong"`             // where they are not
	Own     *WrongLaw  `json:"own,omitempty"`     // the scenario as it is, if they are not right there
	None    string     `json:"none,omitempty"`
	FixedNS int64      `json:"fixed_pause_ns,omitempty"` // the single duration that the file gives its pause, taken from none on here
}

// Law is inequalities: the property is violated if all of them hold, for any whole n from Least to Most. There is no n
// where both are 0.
type Law struct {
	Text       string      `json:"text"`
	Conditions []Condition `json:"conditions"`
	Least      int64       `json:"least_n,omitempty"`
	Most       int64       `json:"most_n,omitempty"`
}

// Condition is that a sum of the longest pause and of terms is more than 0, each with its coefficient divided by Parts.
type Condition struct {
	Text       string        `json:"text"`
	Pauses     Coefficient   `json:"pauses"`
	Terms      []Coefficient `json:"coefficients"`
	ConstantNS Coefficient   `json:"constant_ns"` // what no term says
	OrEqual    bool          `json:"or_equal,omitempty"`
	Parts      int64         `json:"parts,omitempty"` // left out where it is 1
}

// Coefficient is a whole number, and n times another one.
type Coefficient struct {
	Name string `json:"name,omitempty"`
	Is   int64  `json:"value"`
	PerN int64  `json:"per_n,omitempty"`
}

// WrongLaw is a scenario at which the laws are not right.
type WrongLaw struct {
	At     string `json:"at"`
	SaysNS int64  `json:"says_ns"`
	IsNS   int64  `json:"is_ns"` // -1: violated without any pause; [NoEdge]: by none
}

// NoEdge is the edge where no pause violates anything that was looked at.
const NoEdge = -2

// Write gives the law and its conditions their texts.
func (l *Law) Write() {
	var all []string
	for i := range l.Conditions {
		c := &l.Conditions[i]
		c.Text = c.write(l.Least)
		all = append(all, c.Text)
	}
	l.Text = strings.Join(append(all, l.whole()...), " and ")
}

// whole is what n may be.
func (l *Law) whole() []string {
	if !slices.ContainsFunc(l.Conditions, func(c Condition) bool { return c.counts() }) {
		return nil
	}
	return []string{fmt.Sprintf("n is a whole number from %d to %d", l.Least, l.Most)}
}

// counts reports whether the condition is another for another n.
func (c *Condition) counts() bool {
	return c.Pauses.PerN != 0 || c.ConstantNS.PerN != 0 || slices.ContainsFunc(c.Terms, func(k Coefficient) bool { return k.PerN != 0 })
}

// write is the condition as an inequality, whose sides are those of some n.
func (c *Condition) write(n int64) string {
	var left, right []string
	parts := max(c.Parts, 1)
	add := func(k Coefficient) {
		switch is := k.Is + n*k.PerN; {
		case is > 0:
			left = append(left, k.over(parts))
		case is < 0:
			k.Is, k.PerN = -k.Is, -k.PerN
			right = append(right, k.over(parts))
		}
	}
	c.Pauses.Name = "pause"
	add(c.Pauses)
	for _, t := range c.Terms {
		add(t)
	}
	switch is := c.ConstantNS.Is / parts; {
	case is > 0:
		left = append(left, exact(is))
	case is < 0:
		right = append(right, exact(-is))
	}
	switch is := c.ConstantNS.PerN / parts; {
	case is > 0:
		left = append(left, "n*"+exact(is))
	case is < 0:
		right = append(right, "n*"+exact(-is))
	}
	sum := func(list []string) string { return cmp.Or(strings.Join(list, " + "), "0s") }
	if c.OrEqual {
		return sum(left) + " >= " + sum(right)
	}
	return sum(left) + " > " + sum(right)
}

// over is the product of a coefficient, divided by a number of parts, and what it is of.
func (k Coefficient) over(parts int64) string {
	for d := parts; d > 1; d-- {
		if parts%d == 0 && k.Is%d == 0 && k.PerN%d == 0 {
			k.Is, k.PerN, parts = k.Is/d, k.PerN/d, parts/d
			break
		}
	}
	if parts == 1 {
		return k.times()
	}
	return fmt.Sprintf("%s/%d", k.times(), parts)
}

// times is the product of a coefficient and what it is of.
func (k *Coefficient) times() string {
	n := "n"
	if k.PerN != 1 && k.PerN != -1 {
		n = fmt.Sprintf("%d*n", max(k.PerN, -k.PerN))
	}
	switch {
	case k.PerN == 0 && k.Is == 1:
		return k.Name
	case k.PerN == 0:
		return fmt.Sprintf("%d*%s", k.Is, k.Name)
	case k.PerN < 0:
		return fmt.Sprintf("(%d - %s)*%s", k.Is, n, k.Name)
	case k.Is == 0:
		return n + "*" + k.Name
	case k.Is < 0:
		return fmt.Sprintf("(%s - %d)*%s", n, -k.Is, k.Name)
	}
	return fmt.Sprintf("(%s + %d)*%s", n, k.Is, k.Name)
}

// text is the laws in lines, with what was checked.
func (l *Laws) text() []string {
	if l.None == "" && len(l.Laws) == 0 && l.Points == 0 {
		return []string{"law: none was found: " + cmp.Or(l.Stopped, "the search ended before")}
	}
	lines := l.checked()
	if l.Stopped != "" {
		lines = append(lines, "  not checked at more: "+l.Stopped)
	}
	if l.Own != nil {
		lines = append(lines, "  WRONG at the scenario as it is: "+l.Own.text())
	}
	if l.FixedNS > 0 {
		lines = append(lines, "  the file has one pause of "+exact(l.FixedNS)+": --law takes pauses from 0s to that")
	}
	return lines
}

func (l *Laws) checked() (lines []string) {
	if l.None != "" {
		return []string{"law: " + l.None}
	}
	word := "law: violated if "
	for i := range l.Laws {
		w := &l.Laws[i]
		for k := range w.Conditions {
			lines, word = append(lines, word+w.Conditions[k].Text), "     and "
		}
		for _, n := range w.whole() {
			lines = append(lines, "     where "+n)
		}
		word = "  or if "
	}
	var within []string
	for _, r := range l.Within {
		if r.MostNS == 0 {
			lines = append(lines, "  it is the law where "+r.Path+" is 0s: where that is more, it is another one")
			continue
		}
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
		return append(lines, fmt.Sprintf("  right at %s%s: certified at the edge it gives, violated 2ns above%s", units.Plural(l.Points, "random point"), where, l.found()))
	}
	remark := ""
	if l.safe() {
		remark = ", at each of which longer pauses hold than it says"
	}
	lines = append(lines, fmt.Sprintf("  WRONG at %s of %s%s%s:", units.Number(len(l.Wrong)), units.Plural(l.Points, "random point"), remark, where))
	const most = 5
	for _, w := range l.Wrong[:min(len(l.Wrong), most)] {
		lines = append(lines, "    "+w.text())
	}
	return lines
}

// text is the scenario, and both edges.
func (w *WrongLaw) text() string {
	return fmt.Sprintf("%s: it is to %s, and does %s", w.At, heldText(w.SaysNS), heldText(w.IsNS))
}

// heldText is up to which pause it holds.
func heldText(ns int64) string {
	switch {
	case ns == NoEdge:
		return "hold for every pause"
	case ns < 0:
		return "not hold without any"
	}
	return "hold up to " + exact(ns)
}

// found says at how many points a part of the laws was found, which are no test of that.
func (l *Laws) found() string {
	if l.Found == 0 {
		return ""
	}
	return fmt.Sprintf("; a part of it was found at %s of them", units.Number(l.Found))
}

// safe reports whether the property holds wherever the laws say so.
func (l *Laws) safe() bool {
	return !slices.ContainsFunc(l.Wrong, func(w WrongLaw) bool {
		return w.IsNS != NoEdge && (w.SaysNS == NoEdge || w.IsNS < w.SaysNS)
	})
}

// exact is a duration with every digit, in its unit.
func exact(ns int64) string { return time.Duration(ns).String() }
