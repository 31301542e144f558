package scenarios

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"fencepost/scenarios/internal/strict"
)

// Limits of a grid.
const (
	maxPoints = 1000
	maxValues = 5_000_000 // of the file, at all points together
)

// change is one value of the file replaced by another value of the file.
type change struct {
	at    strict.Position // of the path
	path  string
	value *strict.Value
}

// settings are changes as --set would make them.
func settings(changes []change) (list []Setting) {
	for _, c := range changes {
		list = append(list, Setting{c.path, flow(c.value, false)})
	}
	return list
}

// settingsText names changes in a message.
func settingsText(changes []change) string {
	var texts []string
	for _, s := range settings(changes) {
		texts = append(texts, excerpt(s.Path)+"="+excerpt(s.Value))
	}
	return strings.Join(texts, ", ")
}

// changeable reports whether a block may change what is at a path.
func changeable(doc *strict.Doc, at strict.Position, path string) bool {
	first, _, _ := strings.Cut(path, ".")
	if first == "vary" || first == "control" {
		doc.Add(at, path, fmt.Sprintf("%q cannot be changed here: want another path, such as params.ttl", first))
		return false
	}
	return true
}

// control lists the changes of the control block.
func (d *decoding) control() (list []change) {
	for _, e := range d.format.Control {
		if changeable(d.doc, e.Pos, e.Key) {
			list = append(list, change{e.Pos, e.Key, e.Value})
		}
	}
	return list
}

// axes lists the axes of the grid that are ones.
func (d *decoding) axes() (list strict.Map[strictList]) {
	for _, a := range d.format.Vary {
		if changeable(d.doc, a.Pos, a.Key) && a.Value.size() > 0 {
			list = append(list, a)
		}
	}
	return list
}

// grid lists the points of the grid; the last axis moves fastest.
func (d *decoding) grid() (points [][]change) {
	axes := d.axes()
	if len(axes) == 0 || !d.small(axes) {
		return nil
	}
	values, n := make([][]*strict.Value, len(axes)), 1
	for k := range axes {
		values[k] = axes[k].Value.values()
		n *= len(values[k])
	}
	for i := range n {
		point := make([]change, len(axes))
		for k, rest := len(axes)-1, i; k >= 0; k-- {
			point[k] = change{axes[k].Pos, axes[k].Key, values[k][rest%len(values[k])]}
			rest /= len(values[k])
		}
		points = append(points, point)
	}
	return points
}

// small reports whether a grid has no more points than it may. It is asked before any
// of them is made.
func (d *decoding) small(axes strict.Map[strictList]) bool {
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
		d.doc.Add(axes[beyond].Pos, axes[beyond].Key, fmt.Sprintf("a grid of %s points%s: want at most %d", n, excerpt(product), maxPoints))
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
// Mistakes in a path are reported at the path.
func apply(doc *strict.Doc, changes []change) *strict.Doc {
	c := doc.Clone()
	for _, ch := range changes {
		if err := c.Put(ch.path, ch.value); err != nil {
			for _, p := range err.(*strict.Error).Problems {
				c.Add(ch.at, ch.path, p.Message)
			}
		}
	}
	return c
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
