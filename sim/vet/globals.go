package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

const shared = "all nodes and runs share"

// overwriters are the functions of the standard library that write what their first
// argument refers to.
const overwriters = "slices.Sort slices.SortFunc slices.SortStableFunc slices.Reverse slices.Delete slices.DeleteFunc slices.Insert " +
	"slices.Compact slices.CompactFunc slices.Replace sort.Ints sort.Strings sort.Float64s sort.Slice sort.SliceStable sort.Sort sort.Stable " +
	"maps.Copy maps.Insert maps.DeleteFunc heap.Init heap.Push heap.Pop heap.Fix heap.Remove"

// written are the expressions that a statement or a call of a builtin or of the
// standard library writes to; ref says that it writes what the expression refers to.
func (c *checker) written(n ast.Node, do func(e ast.Expr, ref bool)) {
	switch n := n.(type) {
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			do(l, false)
		}
	case *ast.IncDecStmt:
		do(n.X, false)
	case *ast.RangeStmt:
		for _, l := range []ast.Expr{n.Key, n.Value} {
			if l != nil && n.Tok == token.ASSIGN {
				do(l, false)
			}
		}
	case *ast.CallExpr:
		if len(n.Args) == 0 {
			return
		}
		switch c.builtin(n) {
		case "append", "clear", "copy", "delete":
			do(n.Args[0], true)
		}
		if f := c.callee(n); f != nil && f.Pkg() != nil && listed(overwriters, f.Pkg().Name()+"."+f.Name(), false) {
			do(n.Args[0], true)
		}
	}
}

// findWrites finds which variables of packages are written outside init and tests, and
// which functions write through what they are given.
func (c *checker) findWrites() {
	for again := true; again; {
		again = false
		for d := range c.functions {
			f, ok := c.info.Defs[d.Name].(*types.Func)
			if !ok || d.Body == nil {
				continue
			}
			s := c.scopes[d]
			note := func(e ast.Expr, ref bool) {
				root, out := c.place(e)
				if root == nil {
					return
				}
				i, param := s.params[root]
				if param && (out || ref && carries(root.Type())) && !c.thru[f][i] {
					if c.thru[f] == nil {
						c.thru[f] = map[int]bool{}
					}
					c.thru[f][i], again = true, true
				}
				if d.Name.Name != "init" && !c.inTest(d.Pos()) && global(root) && c.writes[origin(root)] == "" {
					c.writes[origin(root)] = methodName(f)
				}
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				c.written(n, note)
				if call, ok := n.(*ast.CallExpr); ok {
					c.givenAway(call, note)
				}
				return true
			})
		}
	}
}

// givenAway are the arguments of a call that the callee writes through.
func (c *checker) givenAway(call *ast.CallExpr, do func(e ast.Expr, ref bool)) {
	f := c.callee(call)
	if f == nil {
		return
	}
	for _, i := range c.writesThrough(f.Origin()) {
		if i < 0 {
			sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
			if ok && isPointer(f.Signature().Recv().Type()) || ok && carries(f.Signature().Recv().Type()) {
				do(sel.X, true)
			}
		} else if i < len(call.Args) {
			do(call.Args[i], true)
		}
	}
}

func (c *checker) writesThrough(f *types.Func) (list []int) {
	if f.Pkg() != c.pass.Pkg {
		var w writer
		c.pass.ImportObjectFact(f, &w)
		return w.Params
	}
	for i := -1; i < f.Signature().Params().Len(); i++ {
		if c.thru[f][i] {
			list = append(list, i)
		}
	}
	return list
}

// globals finds writes to variables of packages, through other names as well.
func (c *checker) globals(u *unit, n ast.Node, s *scope) {
	report := func(e ast.Expr, ref bool) {
		root, out := c.place(e)
		switch {
		case root == nil:
		case global(root):
			u.find(e.Pos(), "global", "the variable "+c.nameOf(root)+" is written, which "+shared+"; keep it in the node")
		case (out || ref) && s.from[root] == ofVar:
			u.find(e.Pos(), "global", root.Name()+" refers to a variable of the package and is written, which "+shared+"; keep it in the node")
		}
	}
	c.written(n, report)
	switch n := n.(type) {
	case *ast.UnaryExpr:
		if n.Op != token.AND {
			return
		}
		if root, _ := c.place(n.X); root != nil && global(root) {
			u.find(n.Pos(), "global", "the address of the variable "+c.nameOf(root)+" is taken, through which it may be written, and "+shared+" it; copy it")
		}
	case *ast.CallExpr:
		c.givenAway(n, report)
		c.implicitAddress(u, n)
	}
}

// implicitAddress finds methods of the standard library that are called on a variable
// of a package and take its address.
func (c *checker) implicitAddress(u *unit, call *ast.CallExpr) {
	f := c.callee(call)
	sel, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if f == nil || !ok || f.Signature().Recv() == nil || !isPointer(f.Signature().Recv().Type()) || !c.fromStandard(f) || denied(f) != nil {
		return
	}
	if root, out := c.place(sel.X); root != nil && !out && global(root) && !isPointer(c.info.TypeOf(sel.X)) {
		u.find(sel.Pos(), "global", "the variable "+c.nameOf(root)+" is handed to "+methodName(f)+", which may write it, and "+shared+" it; keep it in the node")
	}
}

// reading finds a variable of a package that something writes.
func (c *checker) reading(u *unit, id *ast.Ident, v *types.Var) {
	by := c.writes[v]
	if v.Pkg() != c.pass.Pkg {
		var w writer
		c.pass.ImportObjectFact(v, &w)
		by = w.By
	}
	if f, ok := u.obj.(*types.Func); by == "" || ok && methodName(f) == by && v.Pkg() == c.pass.Pkg {
		return
	}
	u.find(id.Pos(), "global", "the variable "+c.nameOf(v)+" is read, which "+by+" writes and "+shared+"; keep it in the node")
}
