package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// sending is a value that goes into a variable or field of another package.
type sending struct {
	to *types.Var
	u  *unit
}

// tracked reports whether a variable is a unit: one of a package, or one that can hold
// functions.
func (c *checker) tracked(v *types.Var) bool {
	if v.Pkg() == nil || engine(v.Pkg()) {
		return false
	}
	return global(v) || holdsFunc(v.Type(), 3)
}

// holdsFunc reports whether a function or a value with methods can be found in a value
// of a type, not further than through some slices, maps and pointers.
func holdsFunc(t types.Type, depth int) bool {
	if depth == 0 {
		return false
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		return true
	case *types.Interface:
		return u.NumMethods() > 0
	case *types.Slice:
		return holdsFunc(u.Elem(), depth-1)
	case *types.Array:
		return holdsFunc(u.Elem(), depth-1)
	case *types.Map:
		return holdsFunc(u.Elem(), depth-1)
	case *types.Pointer:
		return holdsFunc(u.Elem(), depth-1)
	}
	return false
}

// flow follows values into variables, fields and parameters.
func (c *checker) flow(n ast.Node) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i, l := range n.Lhs {
			if len(n.Rhs) == len(n.Lhs) {
				c.into(c.target(l), n.Rhs[i])
			} else {
				c.into(c.target(l), n.Rhs[0])
			}
		}
	case *ast.ValueSpec:
		for i, name := range n.Names {
			if v, ok := c.info.Defs[name].(*types.Var); ok && len(n.Values) > 0 {
				c.into(v, n.Values[min(i, len(n.Values)-1)])
			}
		}
	case *ast.RangeStmt:
		for _, l := range []ast.Expr{n.Key, n.Value} {
			if l != nil {
				c.into(c.target(l), n.X)
			}
		}
	case *ast.CompositeLit:
		c.composite(n)
	case *ast.CallExpr:
		c.arguments(n)
	}
}

// target is the variable or field that an assignment changes, or changes a part of.
func (c *checker) target(e ast.Expr) *types.Var {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.SelectorExpr:
			v, _ := c.info.Uses[x.Sel].(*types.Var)
			return v
		case *ast.Ident:
			v, _ := c.info.ObjectOf(x).(*types.Var)
			return v
		default:
			return nil
		}
	}
}

// into adds to a variable what is mentioned in a value that goes there.
func (c *checker) into(v *types.Var, value ast.Expr) {
	if v == nil {
		return
	}
	v = v.Origin()
	if !c.tracked(v) {
		return
	}
	to := c.unit(v)
	if to.foreign { // its own package is done: the value itself is looked at, see roots
		to = &unit{name: c.pathTo(v)}
		c.sent = append(c.sent, sending{v, to})
	}
	c.mentions(to, value)
	if i, ok := v.Type().Underlying().(*types.Interface); ok {
		c.holds(to, value.Pos(), c.info.TypeOf(value), i)
	}
}

func (c *checker) pathTo(v *types.Var) string { return v.Pkg().Name() + "." + v.Name() }

// mentions takes the names in an expression into a unit, but does not look into
// literals, which are units of their own.
func (c *checker) mentions(u *unit, e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			u.call(n.Pos(), c.literal(n))
			return false
		case *ast.Ident:
			c.mention(u, n)
		}
		return true
	})
}

func (c *checker) composite(lit *ast.CompositeLit) {
	t := c.info.TypeOf(lit)
	if t == nil {
		return
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, e := range lit.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if key, ok := kv.Key.(*ast.Ident); ok {
				v, _ := c.info.Uses[key].(*types.Var)
				c.into(v, kv.Value)
			}
		} else if i < s.NumFields() {
			c.into(s.Field(i), e)
		}
	}
}

// arguments follows the arguments of a call into the parameters of the callee.
func (c *checker) arguments(call *ast.CallExpr) {
	f := c.callee(call)
	if f == nil {
		return
	}
	params := f.Origin().Signature().Params()
	for i, arg := range call.Args {
		if params.Len() == 0 {
			return
		}
		c.into(params.At(min(i, params.Len()-1)), arg)
	}
}

// conversions adds, for a call in a unit, the methods of arguments that become
// interfaces: the callee may call them, and where it stands is not always known.
func (c *checker) conversions(u *unit, call *ast.CallExpr) {
	f := c.callee(call)
	if f == nil || engine(f.Pkg()) {
		return
	}
	sig, ok := c.info.TypeOf(call.Fun).(*types.Signature)
	if !ok {
		return
	}
	for i, arg := range call.Args {
		t := paramType(sig, i, call.Ellipsis != token.NoPos)
		if t == nil {
			continue
		}
		if of, ok := t.Underlying().(*types.Interface); ok && of.NumMethods() > 0 {
			c.holds(u, arg.Pos(), c.info.TypeOf(arg), of)
		} else if ok && c.fromStandard(f) {
			c.prints(u, arg)
		}
	}
}

// prints adds the methods that the standard library looks for in what it is given.
func (c *checker) prints(u *unit, arg ast.Expr) {
	t := c.info.TypeOf(arg)
	if t == nil {
		return
	}
	for _, name := range printed {
		if f := c.method(t, name); f != nil && types.NewMethodSet(t).Lookup(f.Pkg(), name) != nil {
			c.mentionMethod(u, arg.Pos(), f)
		}
	}
}

func (c *checker) fromStandard(f *types.Func) bool {
	if f.Pkg() == nil {
		return true // Error of the predeclared error
	}
	path := f.Pkg().Path()
	first, _, _ := strings.Cut(path, "/")
	own, _, _ := strings.Cut(c.pass.Pkg.Path(), "/")
	return !strings.Contains(first, ".") && first != own
}

func paramType(sig *types.Signature, i int, spread bool) types.Type {
	n := sig.Params().Len()
	if n == 0 {
		return nil
	}
	if sig.Variadic() && i >= n-1 && !spread {
		if s, ok := sig.Params().At(n - 1).Type().Underlying().(*types.Slice); ok {
			return s.Elem()
		}
	}
	return sig.Params().At(min(i, n-1)).Type()
}

// callee is the function or method that a call names, nil if it is a value.
func (c *checker) callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	var id *ast.Ident
	switch x := ast.Unparen(fun).(type) {
	case *ast.Ident:
		id = x
	case *ast.SelectorExpr:
		id = x.Sel
	default:
		return nil
	}
	f, _ := c.info.Uses[id].(*types.Func)
	return f
}

// builtin is the name of the builtin function that a call names, "" if none.
func (c *checker) builtin(call *ast.CallExpr) string {
	if id, ok := ast.Unparen(call.Fun).(*ast.Ident); ok {
		if b, ok := c.info.Uses[id].(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}
