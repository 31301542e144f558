package scenarios

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"fencepost/scenarios/internal/strict"
	"fencepost/sim/formula"
)

// Limits of a grid.
const (
	maxPoints = 1000
	maxPaths  = 100       // axes of a grid, or changes of a control
	maxValues = 5_000_000 // of the file, at all points together
)

// change is one value of the file replaced by another value of the file.
type change struct {
	at    strict.Position // of the path
	path  string
	value *strict.Value
}

// choice is a value of an axis, or of the control: what --set says to pick it, and what
// that changes in the file.
type choice struct {
	setting Setting
	changes []change
}

// choiceOf is the choice of a value at a path.
func choiceOf(at strict.Position, path string, value *strict.Value) choice {
	return choice{Setting{path, flow(value, false)}, []change{{at, path, value}}}
}

// settings are choices as --set would make them.
func settings(choices []choice) (list []Setting) {
	for _, c := range choices {
		list = append(list, c.setting)
	}
	return list
}

// changes are those of choices, in their order.
func changes(choices []choice) (list []change) {
	for _, c := range choices {
		list = append(list, c.changes...)
	}
	return list
}

// settingsText names choices in a message.
func settingsText(choices []choice) string {
	var texts []string
	for _, s := range settings(choices) {
		texts = append(texts, excerpt(s.Path)+"="+excerpt(s.Value))
	}
	return strings.Join(texts, ", ")
}

// fixed are the keys that are the same at each point of the grid and in the control. Seeds
// and runs are, so that the points are compared on the same draws.
var fixed = []string{"about", "source", "model", "seed", "runs", "control", "vary", "plots", "expect-at", "show"}

// changeable reports whether a block may change what is at a path.
func changeable(doc *strict.Doc, at strict.Position, path string) bool {
	first, _, _ := strings.Cut(path, ".")
	if slices.Contains(fixed, first) {
		doc.Add(at, path, fmt.Sprintf("%q cannot be changed here: want another path, such as params.ttl", first))
		return false
	}
	return true
}

// control lists the changes of the control block.
func (d *decoding) control() (list []choice) {
	if d.tooMany("control", "changes", len(d.format.Control)) {
		return nil
	}
	for _, e := range d.format.Control {
		if changeable(d.doc, e.Pos, e.Key) {
			list = append(list, choiceOf(e.Pos, e.Key, e.Value))
		}
	}
	d.apart("the control", changes(list))
	return list
}

// tooMany reports a block that is too long.
func (d *decoding) tooMany(block, noun string, n int) bool {
	if n > maxPaths {
		d.doc.Add(d.doc.At(block), "", fmt.Sprintf("%d %s: want at most %d", n, noun, maxPaths))
	}
	return n > maxPaths
}

// axis is an axis of the grid.
type axis struct {
	path   string // or its name, if it has cases
	all    []choice
	picked []choice // those that settings leave: the one that is picked last, or all
}

// formats lists the axes of the grid that are ones.
func (d *decoding) formats() (list strict.Map[axisFormat]) {
	if d.tooMany("vary", "axes", len(d.format.Vary)) {
		return nil
	}
	for _, a := range d.format.Vary {
		good := a.Value.size() > 0
		switch {
		case a.Value.cases == nil:
			good = changeable(d.doc, a.Pos, a.Key) && good
			once(a.Value.list)
		case !isAxisName(a.Key):
			d.doc.Add(a.Pos, a.Key, fmt.Sprintf("%q has cases, and so wants a name of small letters, digits and -, at most %d, that is no key of the file", excerpt(a.Key), maxCaseName))
			good = false
		default:
			for _, one := range a.Value.choices(a.Pos, a.Key) {
				for _, c := range one.changes {
					good = changeable(d.doc, c.at, c.path) && good
				}
				good = d.apart(fmt.Sprintf("the case %q", excerpt(one.setting.Value)), one.changes) && good
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
		text := flow(v, false)
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
			v.Errorf("%s is the same value as %s%s: want each once", excerpt(text), excerpt(flow(before, false)), place(before.Pos()))
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

// axes lists the axes of the grid with what the settings pick of them. There are none if
// the grid is too large.
func (d *decoding) axes(sets []Setting) (list []axis) {
	formats := d.formats()
	if len(formats) == 0 || !d.small(formats) {
		return nil
	}
	for _, f := range formats {
		a := axis{path: f.Key, all: f.Value.choices(f.Pos, f.Key)}
		a.picked = a.all
		for i := range a.all {
			if slices.Contains(sets, a.all[i].setting) {
				a.picked = a.all[i : i+1]
			}
		}
		list = append(list, a)
	}
	return list
}

// grid lists the points of the grid, each by a choice of each axis; the last axis moves
// fastest.
func grid(axes []axis) (points [][]choice) {
	if len(axes) == 0 {
		return nil
	}
	n := 1
	for _, a := range axes {
		n *= len(a.picked)
	}
	for i := range n {
		point := make([]choice, len(axes))
		for k, rest := len(axes)-1, i; k >= 0; k-- {
			picked := axes[k].picked
			point[k] = picked[rest%len(picked)]
			rest /= len(picked)
		}
		points = append(points, point)
	}
	return points
}

// small reports whether a grid has no more points than it may. It is asked before any
// of them is made.
func (d *decoding) small(axes strict.Map[axisFormat]) bool {
	n, sizes, beyond := big.NewInt(1), []string{}, -1
	for k, a := range axes {
		size := new(big.Int).SetUint64(a.Value.size())
		sizes = append(sizes, size.String())
		if n.Mul(n, size); beyond < 0 && n.Cmp(big.NewInt(maxPoints)) > 0 {
			beyond = k
		}
	}
	if beyond >= 0 {
		product := ""
		if len(sizes) > 1 {
			product = " (" + strings.Join(sizes, " x ") + ")"
		}
		d.doc.Add(axes[beyond].Pos, axes[beyond].Key, fmt.Sprintf("a grid of %s points%s: want at most %d", excerpt(n.String()), excerpt(product), maxPoints))
		return false
	}
	if values := weigh(d.doc.Root()); n.Int64() > int64(maxValues/values) {
		d.doc.Add(axes[0].Pos, axes[0].Key, fmt.Sprintf(
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

// apply makes the changes in a copy of a document that has not been decoded.
func apply(doc *strict.Doc, changes []change) *strict.Doc {
	c := doc.Clone()
	put(c, changes)
	return c
}

// put makes the changes in a document. Mistakes in a path are reported at the path.
func put(doc *strict.Doc, changes []change) {
	for _, ch := range changes {
		if err := doc.Put(ch.path, ch.value); err != nil {
			for _, p := range err.(*strict.Error).Problems {
				doc.Add(ch.at, ch.path, p.Message)
			}
		}
	}
}

// atPath moves a problem that is about the path of a change, and not about its
// value, to where the path stands: an unknown key is found where it was grafted.
func atPath(doc *strict.Doc, p strict.Problem, changes []change) strict.Problem {
	full := strings.TrimPrefix(p.Path+"."+p.Text, ".")
	for _, c := range changes {
		at := c.value.Pos()
		if at.Line != p.Line || at.Column != p.Column || at.Set != p.Set {
			continue
		}
		if full != c.path && !strings.HasPrefix(c.path, full+".") {
			continue
		}
		there := doc.Clone()
		there.Add(c.at, c.path, p.Message)
		for _, q := range there.Err().(*strict.Error).Problems {
			if q.Position == c.at && q.Message == p.Message {
				q.Nearest = p.Nearest
				return q
			}
		}
	}
	return p
}

// flow writes a value on one line, so that --set reads the same value again. Within
// a list or mapping more texts need quotes.
func flow(v *strict.Value, within bool) string {
	switch v.Kind() {
	case strict.List:
		var items []string
		for _, item := range v.Items() {
			items = append(items, flow(item, true))
		}
		return "[" + strings.Join(items, ", ") + "]"
	case strict.Mapping:
		var items []string
		for i, item := range v.Items() {
			items = append(items, word(v.Keys()[i], true)+": "+flow(item, true))
		}
		return "{" + strings.Join(items, ", ") + "}"
	case strict.Scalar:
		return word(v.Scalar(), within)
	}
	return "null"
}

// word writes a text, in quotes where it would not be read as itself.
func word(s string, within bool) string {
	plain := s != "" && s == strings.TrimSpace(s) && !slices.Contains([]string{"~", "null"}, s) &&
		!strings.ContainsRune("[{\"'", rune(s[0])) && strconv.Quote(s) == `"`+s+`"`
	if within {
		plain = plain && !strings.ContainsAny(s, ",[]{}:#&*!|>'\"%@`?") && s[0] != '-'
	}
	if plain {
		return s
	}
	return strconv.Quote(s)
}
