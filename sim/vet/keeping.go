package vet

import (
	"go/ast"
	"go/types"
)

const (
	keepOut = "out is kept, which the engine owns and reuses; hand it to what sends, and forget it"
	keepIn  = "memory of the message is kept, which its sender and other receivers share; copy it"
)

// keeping finds what is kept across steps and must not be: out, and memory that came
// with the message.
func (c *checker) keeping(u *unit, n ast.Node, s *scope) {
	a, ok := n.(*ast.AssignStmt)
	if !ok {
		return
	}
	for i, l := range a.Lhs {
		if len(a.Rhs) != len(a.Lhs) || !c.outlives(l, s) {
			continue
		}
		for _, v := range stored(c, a.Rhs[i]) {
			c.kept(u, v, s)
		}
	}
}

// stored are the values that an expression puts where it is assigned.
func stored(c *checker, e ast.Expr) (list []ast.Expr) {
	switch x := ast.Unparen(e).(type) {
	case *ast.CompositeLit:
		for _, v := range x.Elts {
			if kv, ok := v.(*ast.KeyValueExpr); ok {
				v = kv.Value
			}
			list = append(list, stored(c, v)...)
		}
		return list
	case *ast.UnaryExpr:
		if lit, ok := ast.Unparen(x.X).(*ast.CompositeLit); ok {
			return stored(c, lit)
		}
	case *ast.CallExpr:
		if c.builtin(x) == "append" && len(x.Args) > 0 {
			if x.Ellipsis.IsValid() {
				if t, ok := c.info.TypeOf(x.Args[len(x.Args)-1]).Underlying().(*types.Slice); !ok || !carries(t.Elem()) {
					return nil // its elements are copied
				}
			}
			return x.Args[1:]
		}
	}
	return []ast.Expr{e}
}

func (c *checker) kept(u *unit, e ast.Expr, s *scope) {
	t := c.info.TypeOf(e)
	if t == nil || !carries(t) {
		return
	}
	if lit, ok := ast.Unparen(e).(*ast.FuncLit); ok {
		c.captured(u, lit)
		return
	}
	switch c.source(s, e) {
	case ofOut:
		u.find(e.Pos(), "pointer", keepOut)
	case ofIn:
		u.find(e.Pos(), "pointer", keepIn)
	}
}

// captured finds out and in among what a literal that is kept refers to.
func (c *checker) captured(u *unit, lit *ast.FuncLit) {
	ast.Inspect(lit.Body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := c.info.Uses[id].(*types.Var)
		if !ok || v.Pos() >= lit.Pos() && v.Pos() < lit.End() {
			return true
		}
		switch {
		case isOut(v.Type()):
			u.find(id.Pos(), "pointer", "a function that is kept holds out, which the engine owns and reuses; keep plain values")
		case isIn(v.Type()):
			u.find(id.Pos(), "pointer", "a function that is kept holds in, which is over after the step; keep plain values")
		}
		return true
	})
}

// outlives reports whether what is assigned may still be there after the step.
func (c *checker) outlives(l ast.Expr, s *scope) bool {
	root, out := c.place(l)
	switch {
	case root == nil:
		return true
	case global(root):
		return true
	}
	return out && s.from[root] != ofCall
}

// keptFields finds nodes with a field that holds out.
func (c *checker) keptFields() {
	for _, n := range c.nodes {
		step := c.method(n, "Step")
		if step == nil {
			continue
		}
		c.fields(c.unit(step), n.Underlying(), map[types.Type]bool{})
	}
}

func (c *checker) fields(u *unit, t types.Type, seen map[types.Type]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Struct:
		for f := range t.Fields() {
			if isOut(f.Type()) && f.Pkg() == c.pass.Pkg {
				u.find(f.Pos(), "pointer", "the field "+f.Name()+" of a node holds out, which the engine owns and reuses; hand it to what sends, and forget it")
				continue
			}
			c.fields(u, f.Type().Underlying(), seen)
		}
	case *types.Pointer:
		c.fields(u, t.Elem().Underlying(), seen)
	case *types.Array:
		c.fields(u, t.Elem().Underlying(), seen)
	case *types.Slice:
		c.fields(u, t.Elem().Underlying(), seen)
	}
}
