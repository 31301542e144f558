package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A unit is what can be called or read: a function, a method, a literal, or a variable
// or field that may hold functions or whose value comes from somewhere.
type unit struct {
	name    string       // for a path; a literal has none
	obj     types.Object // nil for a literal
	sig     *types.Signature
	found   []found
	edges   []edge
	known   map[edge]bool // the same edges
	walked  bool
	foreign bool   // of another package
	cut     []edge // allowed, with all that they lead to
}

// found is a finding that stands in the unit itself or, without a position, in
// another package.
type found struct {
	pos token.Pos
	Finding
}

// An edge is a mention of one unit in another. A function that is mentioned counts as
// called: it may be, now or later.
type edge struct {
	pos token.Pos
	to  *unit
}

func (u *unit) find(pos token.Pos, rule, text string) {
	for _, f := range u.found {
		if f.pos == pos && f.Text == text {
			return
		}
	}
	u.found = append(u.found, found{pos, Finding{Rule: rule, Text: text}})
}

func (u *unit) call(pos token.Pos, to *unit) {
	e := edge{pos, to}
	if to == u || u.known[e] {
		return
	}
	if u.known == nil {
		u.known = map[edge]bool{}
	}
	u.known[e] = true
	u.edges = append(u.edges, e)
}

// unit is the one of an object. One of another package has the findings of its fact.
func (c *checker) unit(obj types.Object) *unit {
	obj = origin(obj)
	if u := c.units[obj]; u != nil {
		return u
	}
	u := &unit{name: c.nameOf(obj), obj: obj, foreign: obj.Pkg() != c.pass.Pkg}
	if f, ok := obj.(*types.Func); ok {
		u.sig = f.Signature()
	}
	c.units[obj] = u
	c.order = append(c.order, u)
	if u.foreign {
		var s summary
		if c.pass.ImportObjectFact(obj, &s) {
			for _, f := range s.Findings {
				if !f.Reported || f.Module != c.module() {
					u.found = append(u.found, found{token.NoPos, f})
				}
			}
		}
	}
	return u
}

func (c *checker) literal(lit *ast.FuncLit) *unit {
	if u := c.units[lit]; u != nil {
		return u
	}
	u := &unit{}
	u.sig, _ = c.info.TypeOf(lit).(*types.Signature)
	c.units[lit] = u
	c.order = append(c.order, u)
	return u
}

func (c *checker) module() string {
	if c.pass.Module == nil {
		return ""
	}
	return c.pass.Module.Path
}

// origin is the generic object that an instance was made from.
func origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Func:
		return o.Origin()
	case *types.Var:
		return o.Origin()
	}
	return obj
}

func (c *checker) nameOf(obj types.Object) string {
	name := obj.Name()
	if f, ok := obj.(*types.Func); ok {
		name = methodName(f)
	}
	if p := obj.Pkg(); p != nil && p != c.pass.Pkg && !isField(obj) {
		name = p.Name() + "." + name
	}
	return name
}

// methodName is a function's name, with its type in front if it is a method.
func methodName(f *types.Func) string {
	if r := f.Signature().Recv(); r != nil {
		if n := named(r.Type()); n != nil {
			return n.Obj().Name() + "." + f.Name()
		}
	}
	return f.Name()
}

func isField(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.IsField()
}

// global reports whether a variable is one of a package.
func global(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope()
}

// mention takes a name in a body or an expression into a unit.
func (c *checker) mention(u *unit, id *ast.Ident) {
	obj := c.info.Uses[id]
	if obj == nil {
		return
	}
	if d := denied(obj); d != nil {
		u.find(id.Pos(), d.rule, d.text(obj))
		return
	}
	switch o := origin(obj).(type) {
	case *types.Func:
		c.mentionFunc(u, id, o)
	case *types.Var:
		if global(o) {
			c.reading(u, id, o)
		}
		if c.tracked(o) {
			u.call(id.Pos(), c.unit(o))
		}
	}
	if inst, ok := c.info.Instances[id]; ok {
		c.instance(u, id, obj, inst.TypeArgs)
	}
}

func (c *checker) mentionFunc(u *unit, id *ast.Ident, f *types.Func) {
	if r := f.Signature().Recv(); r != nil && types.IsInterface(r.Type()) {
		i, _ := r.Type().Underlying().(*types.Interface)
		for _, t := range c.known {
			c.implementation(u, id.Pos(), t, i, f.Name())
		}
		return
	}
	if !engine(f.Pkg()) {
		u.call(id.Pos(), c.unit(f))
	}
}

// implementation adds the call of one method of an interface, if a type has all of them.
func (c *checker) implementation(u *unit, pos token.Pos, t types.Type, i *types.Interface, method string) {
	for m := range i.Methods() {
		if c.method(t, m.Name()) == nil {
			return
		}
	}
	if f := c.method(t, method); f != nil {
		u.call(pos, c.unit(f))
	}
}

// method is a method of a type or of a pointer to it, if a package declares it that
// can be looked into.
func (c *checker) method(t types.Type, name string) *types.Func {
	n := named(t)
	if n == nil || types.IsInterface(n) {
		return nil
	}
	obj, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), false, c.pass.Pkg, name)
	f, ok := obj.(*types.Func)
	if !ok || types.IsInterface(f.Signature().Recv().Type()) {
		return nil
	}
	return f
}

// instance adds the methods that a generic function may call on its type arguments.
func (c *checker) instance(u *unit, id *ast.Ident, obj types.Object, args *types.TypeList) {
	var params *types.TypeParamList
	switch o := obj.(type) {
	case *types.Func:
		params = o.Origin().Signature().TypeParams()
	case *types.TypeName:
		if n := named(o.Type()); n != nil {
			params = n.TypeParams()
		}
	}
	for k := range min(params.Len(), args.Len()) {
		if i, ok := params.At(k).Constraint().Underlying().(*types.Interface); ok {
			c.holds(u, id.Pos(), args.At(k), i)
		}
	}
}

// printed are the methods that the standard library looks for in an any.
var printed = []string{"Error", "Format", "GoString", "MarshalJSON", "MarshalText", "String"}

// holds adds the methods of a type that an interface which holds it lets others call.
func (c *checker) holds(u *unit, pos token.Pos, t types.Type, i *types.Interface) {
	if t == nil || types.IsInterface(t) {
		return
	}
	for m := range i.Methods() {
		if f := c.method(t, m.Name()); f != nil {
			c.mentionMethod(u, pos, f)
		}
	}
}

func (c *checker) mentionMethod(u *unit, pos token.Pos, f *types.Func) {
	f = f.Origin()
	if d := denied(f); d != nil {
		u.find(pos, d.rule, d.text(f))
	} else if !engine(f.Pkg()) {
		u.call(pos, c.unit(f))
	}
}

// remove takes an edge out, but remembers it.
func (u *unit) remove(e edge) {
	u.edges = slices.DeleteFunc(slices.Clone(u.edges), func(o edge) bool { return o == e })
	u.cut = append(u.cut, e)
}
