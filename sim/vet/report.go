package vet

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// A Finding is what a function does that a step must not, as other packages are told.
type Finding struct {
	Rule     string   // its family, the category of the diagnostic
	Text     string   // what, why it matters, what to do instead
	Where    string   // package, file and line
	Path     []string // how it is reached from the function: "calls now"
	Module   string   // of the package where it stands
	Reported bool     // there, because a step of that package reaches it too
}

// maxFindings is how many findings of one function other packages are told.
const maxFindings = 16

// summary is the fact of a function, variable or field: what is found when it is used.
type summary struct{ Findings []Finding }

func (*summary) AFact() {}

func (s *summary) String() string {
	var texts []string
	for _, f := range s.Findings {
		text, _, _ := strings.Cut(f.Text, ";")
		if len(f.Path) > 0 {
			text = strings.Join(f.Path, ", which ") + ": " + text
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// writer is the fact of a function that writes through its parameters, -1 for the
// receiver, and of a variable of a package that a function writes.
type writer struct {
	Params []int
	By     string
}

func (*writer) AFact() {}

func (w *writer) String() string { return fmt.Sprintf("written by %q, parameters %v", w.By, w.Params) }

// called is the fact of a field, a variable of a package or a parameter whose value a
// step uses: what other packages put there is looked at when they are.
type called struct{}

func (*called) AFact()         {}
func (*called) String() string { return "used in a step" }

// A reached finding, the way there from where the search began, and where that way
// leaves the package or ends.
type reached struct {
	found
	path []string
}

// visit is a unit on the search, and the way there.
type visit struct {
	u     *unit
	path  []string
	entry token.Pos // of the call that leaves the package
}

// reach is what a unit and everything that it mentions has found, nearest first.
func reach(from *unit) (list []reached, units []*unit) {
	seen := map[*unit]bool{from: true}
	queue := []visit{{u: from}}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		units = append(units, v.u)
		for _, f := range v.u.found {
			if v.u.foreign {
				f.pos = v.entry
			}
			list = append(list, reached{f, slices.Concat(v.path, f.Path)})
		}
		for _, e := range v.u.edges {
			if seen[e.to] {
				continue
			}
			seen[e.to] = true
			next := visit{e.to, v.path, v.entry}
			if e.to.name != "" {
				next.path = append(slices.Clip(v.path), e.to.verb()+" "+e.to.name)
			}
			if e.to.foreign {
				next.entry = e.pos
			}
			queue = append(queue, next)
		}
	}
	return list, units
}

func (u *unit) verb() string {
	if _, ok := u.obj.(*types.Func); ok {
		return "calls"
	}
	return "uses"
}

// finish reports what is found, and tells other packages the rest.
func (c *checker) finish() {
	reported := map[string]bool{}
	var list []analysis.Diagnostic
	report := func(root *unit, r reached) {
		text := r.Text
		if len(r.path) > 0 || root.obj == nil && root.name != "" {
			text = strings.TrimSpace(root.name+" "+strings.Join(r.path, ", which ")) + ": " + text
		}
		if r.Where != "" {
			text += " (" + r.Where + ")"
		}
		if key := fmt.Sprint(r.pos, r.Text, r.Where); !reported[key] {
			reported[key] = true
			list = append(list, analysis.Diagnostic{Pos: r.pos, Category: r.Rule, Message: text})
		}
	}
	used := map[*unit]bool{}
	for _, root := range c.roots() {
		found, units := reach(root)
		for _, r := range found {
			report(root, r)
		}
		for _, u := range units {
			used[u] = true
		}
	}
	for _, a := range c.allows {
		if text := a.complaint(); text != "" {
			list = append(list, analysis.Diagnostic{Pos: a.pos, Category: "allow", Message: text})
		}
	}
	slices.SortStableFunc(list, func(a, b analysis.Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Pos, b.Pos), strings.Compare(a.Message, b.Message))
	})
	for _, d := range list {
		c.pass.Report(d)
	}
	c.export(used, reported)
}

// roots are the units that the engine or a step calls: the entries first, then what
// takes the arguments of a step without being called by one, and what is put into
// another package's fields that its steps use.
func (c *checker) roots() (list []*unit) {
	covered := map[*unit]bool{}
	cover := func(u *unit) {
		list = append(list, u)
		for reach := []*unit{u}; len(reach) > 0; reach = reach[1:] {
			if covered[reach[0]] {
				continue
			}
			covered[reach[0]] = true
			for _, e := range append(slices.Clone(reach[0].edges), reach[0].cut...) {
				reach = append(reach, e.to)
			}
		}
	}
	for _, step := range []bool{true, false} { // paths are told from Step if they can be
		for _, u := range c.order {
			if f, ok := u.obj.(*types.Func); ok && !u.foreign && c.isEntry(f) && (f.Name() == "Step") == step {
				cover(u)
			}
		}
	}
	for _, u := range c.order {
		if !u.foreign && u.sig != nil && (takesStep(u.sig) || c.takesReading(u)) && !covered[u] {
			cover(u)
		}
	}
	for _, s := range c.sent {
		if c.pass.ImportObjectFact(s.to, new(called)) {
			list = append(list, s.u)
		}
	}
	return list
}

// export writes the facts of the package.
func (c *checker) export(used map[*unit]bool, reported map[string]bool) {
	for _, u := range c.order {
		if u.foreign || u.obj == nil {
			continue
		}
		if v, ok := u.obj.(*types.Var); ok && used[u] && (visible(v) || !isField(v) && !global(v)) { // or a parameter
			c.pass.ExportObjectFact(v, new(called))
		}
		if !visible(u.obj) {
			continue
		}
		found, _ := reach(u)
		var s summary
		for _, r := range found[:min(len(found), maxFindings)] {
			f := r.Finding
			f.Path = r.path
			f.Reported = reported[fmt.Sprint(r.pos, r.Text, r.Where)]
			if f.Where == "" {
				p := c.pass.Fset.Position(r.pos)
				f.Where = fmt.Sprintf("%s:%d", path.Join(c.pass.Pkg.Path(), filepath.Base(p.Filename)), p.Line)
				f.Module = c.module()
			}
			s.Findings = append(s.Findings, f)
		}
		if len(s.Findings) > 0 {
			c.pass.ExportObjectFact(u.obj, &s)
		}
	}
	c.exportWrites()
}

// exportWrites tells which variables are written, and which functions write through
// what they are given.
func (c *checker) exportWrites() {
	facts := map[types.Object]*writer{}
	for obj, by := range c.writes {
		facts[obj] = &writer{By: by}
	}
	for f, params := range c.thru {
		var w writer
		for i := range params {
			w.Params = append(w.Params, i)
		}
		slices.Sort(w.Params)
		facts[f] = &w
	}
	for obj, w := range facts {
		if obj.Pkg() == c.pass.Pkg && visible(obj) {
			c.pass.ExportObjectFact(obj, w)
		}
	}
}

// visible reports whether another package can use an object, by name or through a value.
func visible(obj types.Object) bool {
	if f, ok := obj.(*types.Func); ok {
		return f.Signature().Recv() != nil || f.Exported()
	}
	return obj.Exported() && (isField(obj) || global(obj))
}
