// Package grid is what a file says of changes to itself: the axes of `vary:`, as lists, ranges and cases, the points
// that they span, the changes of `control:`, and settings.
package grid

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/internal/strict"
	"fencepost/sim/formula"
)

// Limits of a grid.
const (
	MaxPoints = 1000
	MaxPaths  = 100       // axes of a grid, or changes of a control
	maxValues = 5_000_000 // of the file, at all points together
)

// Change is one value of the file replaced by another value of the file.
type Change struct {
	At    strict.Position // of the path
	Path  string
	Value *strict.Value
}

// Choice is a value of an axis, or of the control: what --set says to pick it, and what
// that changes in the file.
type Choice struct {
	Setting result.Setting
	changes []Change
}

// choiceOf is the choice of a value at a path.
func choiceOf(at strict.Position, path string, value *strict.Value) Choice {
	return Choice{result.Setting{Path: path, Value: strict.Flow(value, false)}, []Change{{at, path, value}}}
}

// Settings are choices as --set would make them.
func Settings(choices []Choice) (list []result.Setting) {
	for _, c := range choices {
		list = append(list, c.Setting)
	}
	return list
}

// Changes are those of choices, in their order.
func Changes(choices []Choice) (list []Change) {
	for _, c := range choices {
		list = append(list, c.changes...)
	}
	return list
}

// SettingsText names choices in a message.
func SettingsText(choices []Choice) string {
	var texts []string
	for _, s := range Settings(choices) {
		texts = append(texts, strict.Excerpt(s.Path)+"="+strict.Excerpt(s.Value))
	}
	return strings.Join(texts, ", ")
}

// Fixed are the keys that are the same at each point of the grid and in the control. Seeds
// and runs are, so that the points are compared on the same draws.
var Fixed = []string{"about", "source", "model", "seed", "runs", "control", "vary", "plots", "expect-at", "show"}

// changing are the other keys.
var changing = []string{"until", "params", "network", "clocks", "costs", "resume", "faults", "budget", "expect"}

// Blocks are those of a file that change others: the control, and the axes of its grid.
type Blocks struct {
	Doc     *strict.Doc
	Control strict.Map[*strict.Value]
	Vary    strict.Map[Values]
}

// changeable reports whether a block may change what is at a path.
func changeable(doc *strict.Doc, at strict.Position, path string) bool {
	first, _, _ := strings.Cut(path, ".")
	if slices.Contains(Fixed, first) {
		doc.Add(at, path, fmt.Sprintf("%q cannot be changed here: want another path, such as params.ttl", first))
		return false
	}
	return true
}

// Controls lists the changes of the control block.
func (b *Blocks) Controls() (list []Choice) {
	if b.tooMany("control", "changes", len(b.Control)) {
		return nil
	}
	for _, e := range b.Control {
		if changeable(b.Doc, e.Pos, e.Key) {
			list = append(list, choiceOf(e.Pos, e.Key, e.Value))
		}
	}
	b.apart("the control", Changes(list))
	return list
}

// tooMany reports a block that is too long.
func (b *Blocks) tooMany(block, noun string, n int) bool {
	if n > MaxPaths {
		b.Doc.Add(b.Doc.At(block), "", fmt.Sprintf("%d %s: want at most %d", n, noun, MaxPaths))
	}
	return n > MaxPaths
}

// Axis is an axis of the grid.
type Axis struct {
	Path   string // or its name, if it has cases
	All    []Choice
	Picked []Choice // those that settings leave: the one that is picked last, or all
}

// formats lists the axes of the grid that are ones.
func (b *Blocks) formats() (list strict.Map[Values]) {
	if b.tooMany("vary", "axes", len(b.Vary)) {
		return nil
	}
	for _, a := range b.Vary {
		good := a.Value.Size() > 0
		switch {
		case a.Value.cases == nil:
			good = changeable(b.Doc, a.Pos, a.Key) && good
			once(a.Value.list)
		case !isAxisName(a.Key):
			b.Doc.Add(a.Pos, a.Key, fmt.Sprintf("%q has cases, and so wants a name of small letters, digits and -, at most %d, that is no key of the file", strict.Excerpt(a.Key), MaxCaseName))
			good = false
		default:
			for _, one := range a.Value.Choices(a.Pos, a.Key) {
				for _, c := range one.changes {
					good = changeable(b.Doc, c.At, c.Path) && good
				}
				good = b.apart(fmt.Sprintf("the case %q", strict.Excerpt(one.Setting.Value)), one.changes) && good
			}
		}
		if good {
			list = append(list, a)
		}
	}
	return list
}

// once reports the values of a list that are there before, be it written in another way:
// each point of a grid is another one.
func once(list []*strict.Value) {
	type number struct {
		value float64
		unit  string
	}
	texts, numbers := map[string]*strict.Value{}, map[number]*strict.Value{}
	for _, v := range list {
		text := strict.Flow(v, false)
		before := texts[text]
		if x, unit, ok := formula.Value(v.Scalar()); ok && before == nil {
			n := number{x, unit}
			if before = numbers[n]; before == nil {
				numbers[n] = v
			} else if _, exact, _, err := strict.NewScale(before.Scalar(), v.Scalar()); err != nil || exact[0] != exact[1] {
				before = nil // they are near
			}
		}
		if texts[text] == nil {
			texts[text] = v
		}
		if before != nil {
			v.Errorf("%s is the same value as %s%s: want each once", strict.Excerpt(text), strict.Excerpt(strict.Flow(before, false)), place(before.Pos()))
		}
	}
}

// place is where something is, in the message about something else.
func place(at strict.Position) string {
	if at.Line == 0 { // it was set
		return ""
	}
	return fmt.Sprintf(" (at %d:%d)", at.Line, at.Column)
}

// Axes lists the axes of the grid with what the settings pick of them. There are none if
// the grid is too large.
func (b *Blocks) Axes(sets []result.Setting) (list []Axis) {
	formats := b.formats()
	if len(formats) == 0 || !b.small(formats) {
		return nil
	}
	for _, f := range formats {
		a := Axis{Path: f.Key, All: f.Value.Choices(f.Pos, f.Key)}
		a.Picked = a.All
		for i := range a.All {
			if slices.Contains(sets, a.All[i].Setting) {
				a.Picked = a.All[i : i+1]
			}
		}
		list = append(list, a)
	}
	return list
}

// Points lists the points of the grid, each by a choice of each axis; the last axis moves
// fastest.
func Points(axes []Axis) (points [][]Choice) {
	if len(axes) == 0 {
		return nil
	}
	n := 1
	for _, a := range axes {
		n *= len(a.Picked)
	}
	for i := range n {
		point := make([]Choice, len(axes))
		for k, rest := len(axes)-1, i; k >= 0; k-- {
			picked := axes[k].Picked
			point[k] = picked[rest%len(picked)]
			rest /= len(picked)
		}
		points = append(points, point)
	}
	return points
}

// small reports whether a grid has no more points than it may. It is asked before any
// of them is made.
func (b *Blocks) small(axes strict.Map[Values]) bool {
	n, sizes, beyond := big.NewInt(1), []string{}, -1
	for k, a := range axes {
		size := new(big.Int).SetUint64(a.Value.Size())
		sizes = append(sizes, size.String())
		if n.Mul(n, size); beyond < 0 && n.Cmp(big.NewInt(MaxPoints)) > 0 {
			beyond = k
		}
	}
	if beyond >= 0 {
		product := ""
		if len(sizes) > 1 {
			product = " (" + strings.Join(sizes, " x ") + ")"
		}
		b.Doc.Add(axes[beyond].Pos, axes[beyond].Key, fmt.Sprintf("a grid of %s points%s: want at most %d", strict.Excerpt(n.String()), strict.Excerpt(product), MaxPoints))
		return false
	}
	if values := weigh(b.Doc.Root()); n.Int64() > int64(maxValues/values) {
		b.Doc.Add(axes[0].Pos, axes[0].Key, fmt.Sprintf(
			"a grid of %s points over a file of %d values: want at most %d values at all points together", n, values, maxValues))
		return false
	}
	return true
}

// weigh counts a value and those in it.
func weigh(v *strict.Value) int {
	n := 1
	for _, item := range v.Items() {
		n += weigh(item)
	}
	return n
}

// Apply makes the changes in a copy of a document that has not been decoded.
func Apply(doc *strict.Doc, changes []Change) *strict.Doc {
	c := doc.Clone()
	put(c, changes)
	return c
}

// put makes the changes in a document. Mistakes in a path are reported at the path.
func put(doc *strict.Doc, changes []Change) {
	for _, ch := range changes {
		if err := doc.Put(ch.Path, ch.Value); err != nil {
			for _, p := range err.(*strict.Error).Problems {
				doc.Add(ch.At, ch.Path, p.Message)
			}
		}
	}
}

// AtPath moves a problem that is about the path of a change, and not about its
// value, to where the path stands: an unknown key is found where it was grafted.
func AtPath(doc *strict.Doc, p strict.Problem, changes []Change) strict.Problem {
	full := strings.TrimPrefix(p.Path+"."+p.Text, ".")
	for _, c := range changes {
		at := c.Value.Pos()
		if at.Line != p.Line || at.Column != p.Column || at.Set != p.Set {
			continue
		}
		if full != c.Path && !strings.HasPrefix(c.Path, full+".") {
			continue
		}
		there := doc.Clone()
		there.Add(c.At, c.Path, p.Message)
		for _, q := range there.Err().(*strict.Error).Problems {
			if q.Position == c.At && q.Message == p.Message {
				q.Nearest = p.Nearest
				return q
			}
		}
	}
	return p
}
