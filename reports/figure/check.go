package figure

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"fencepost/sim/formula"
)

// A checker collects what is wrong with a figure: what and where.
type checker struct {
	where    []string
	problems []string
	more     int
}

const (
	maxProblems = 10
	maxPoints   = 20_000_000 // of a figure
	maxNumber   = formula.MaxValue
)

func (c *checker) in(format string, args ...any) func() {
	c.where = append(c.where, fmt.Sprintf(format, args...))
	return func() { c.where = c.where[:len(c.where)-1] }
}

func (c *checker) add(format string, args ...any) {
	if len(c.problems) == maxProblems {
		c.more++
		return
	}
	c.problems = append(c.problems, strings.Join(append([]string{"figure"}, c.where...), ": ")+": "+fmt.Sprintf(format, args...))
}

func (c *checker) err() error {
	if c.more > 0 {
		c.problems = append(c.problems, fmt.Sprintf("figure: and %d more", c.more))
	}
	if len(c.problems) == 0 {
		return nil
	}
	return errors.New(strings.Join(c.problems, "\n"))
}

// quote is a text in a message.
func quote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:40]) + "…"
	}
	return strconv.Quote(s)
}

// wanted is what a scale wants instead of a number, "" if it takes that.
func (s Scale) wanted(v float64) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return "a number"
	case v > maxNumber || v < -maxNumber:
		return "at most 1e100"
	case s == Log && v <= 0:
		return "more than 0 on a log axis"
	case s == Log && v < 1/maxNumber:
		return "at least 1e-100 on a log axis"
	case s == Nines && (v < 0 || v > 1):
		return "a share, 0 to 1, on an axis of nines"
	}
	return ""
}

// wantedOfData is what a scale wants instead of a value that was measured. A log axis has
// no place for 0, which is drawn at its edge.
func (s Scale) wantedOfData(v float64) string {
	if s == Log && v == 0 {
		return ""
	}
	return s.wanted(v)
}

// value checks a number for an axis; i is its index, or negative.
func (c *checker) value(what string, i int, v float64, s Scale) bool {
	return c.good(what, i, v, s.wanted(v))
}

// datum checks a value that was measured; i is its index.
func (c *checker) datum(what string, i int, v float64, s Scale) bool {
	return c.good(what, i, v, s.wantedOfData(v))
}

func (c *checker) good(what string, i int, v float64, want string) bool {
	if want == "" {
		return true
	}
	if i >= 0 {
		what = fmt.Sprintf("%s[%d]", what, i)
	}
	c.add("%s is %g: want %s", what, v, want)
	return false
}

// same checks a length.
func (c *checker) same(what string, n int, like string, want int) bool {
	if n != want {
		c.add("%s has %d values: want %d, as %s has", what, n, want, like)
	}
	return n == want
}

func (c *checker) axis(name string, a *Axis, numbers bool) {
	defer c.in("%s axis", name)()
	if numbers && clean(a.Label) == "" {
		c.add("no label")
	}
	if numbers && a.Unit == "" {
		c.add(`no unit: want one such as "ns", "share", "count", "bytes", "ratio" or "ppm"`)
	}
	if a.Scale > Nines {
		c.add("scale %d: want Linear, Log or Nines", a.Scale)
	}
	if !numbers && a.Scale != Linear {
		c.add("its names need no scale: want Linear")
	}
	if a.From != 0 || a.To != 0 {
		if c.value("From", -1, a.From, a.Scale) && c.value("To", -1, a.To, a.Scale) && a.From >= a.To {
			c.add("From is %g and To is %g: want From before To", a.From, a.To)
		}
	}
	if len(a.Marks) > 20 {
		c.add("%d marks: want at most 20", len(a.Marks))
	}
	for i, m := range a.Marks {
		c.value("Marks", i, m.At, a.Scale)
	}
}

// check returns all that is wrong.
func (f *Figure) check() error {
	c := &checker{}
	if clean(f.Title) == "" {
		c.add("no title: want the finding in a sentence")
	}
	switch {
	case len(f.Panels) == 0:
		c.add("no panels")
	case len(f.Panels) > maxPanels:
		c.add("%d panels: want at most %d", len(f.Panels), maxPanels)
		return c.err()
	}
	if f.Columns < 0 || f.Columns > 6 {
		c.add("%d columns: want 1 to 6, or 0", f.Columns)
	}
	for i := range f.Panels {
		p := &f.Panels[i]
		out := func() {}
		if len(f.Panels) > 1 {
			out = c.in("panel %d %s", i+1, quote(p.Title))
		}
		if p.Plot == nil {
			c.add("nothing to plot: want Lines, Bars, Heat, Matrix or Timeline")
		} else {
			x, y := p.Plot.names()
			c.axis("x", &p.X, x == nil)
			c.axis("y", &p.Y, y == nil)
			p.Plot.check(c, p)
		}
		out()
	}
	if len(c.problems) == 0 {
		coloured := slices.DeleteFunc(f.styles(), func(e entry) bool { return e.grey > 0 })
		if n := len(coloured); n > maxNames {
			c.add("%d names: at most %d can be told apart; show fewer, or one in each panel (Multiples)", n, maxNames)
		}
	}
	return c.err()
}
