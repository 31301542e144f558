package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// set reports whether an assignment has the same result in any order.
func (l *loop) set(to, value ast.Expr) bool {
	if call, ok := ast.Unparen(value).(*ast.CallExpr); ok && len(call.Args) > 1 {
		same := types.ExprString(call.Args[0]) == types.ExprString(to)
		switch b := l.c.builtin(call); {
		case b == "append" && same && l.plain(to) && l.pure(call.Args[1:]...):
			if !l.local(to) {
				l.collected = append(l.collected, types.ExprString(to))
			}
			return true
		case (b == "max" || b == "min") && same && l.pure(call.Args[1:]...):
			return l.accumulate(&ast.EmptyStmt{}, to, b) == nil
		}
	}
	if b, ok := ast.Unparen(value).(*ast.BinaryExpr); ok && (b.Op == token.LAND || b.Op == token.LOR) &&
		types.ExprString(b.X) == types.ExprString(to) && l.plain(to) && l.pure(b.Y) {
		return l.write(to, b.Op.String())
	}
	if !l.pure(value) {
		return false
	}
	switch {
	case blank(to) || l.local(to):
		return true
	case l.byKey(to):
		return l.write(to, "element")
	case l.plain(to) && l.same(value):
		return l.write(to, "set "+types.ExprString(value))
	}
	return false
}

// extreme reports whether a condition only keeps the larger or smaller of two integers.
func (l *loop) extreme(s *ast.IfStmt) bool {
	cond, ok := s.Cond.(*ast.BinaryExpr)
	if !ok || s.Init != nil || s.Else != nil || len(s.Body.List) != 1 {
		return false
	}
	a, ok := s.Body.List[0].(*ast.AssignStmt)
	if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != 1 || len(a.Rhs) != 1 {
		return false
	}
	x, y := types.ExprString(cond.X), types.ExprString(cond.Y)
	to, value := types.ExprString(a.Lhs[0]), types.ExprString(a.Rhs[0])
	largest := cond.Op == token.GTR || cond.Op == token.GEQ
	if !largest && cond.Op != token.LSS && cond.Op != token.LEQ {
		return false
	}
	if x == to && y == value {
		largest = !largest
	} else if x != value || y != to {
		return false
	}
	how := "min"
	if largest {
		how = "max"
	}
	return l.pure(a.Rhs[0]) && l.accumulate(s, a.Lhs[0], how) == nil
}

// local reports whether an expression is a variable that each turn has of its own, or
// lies in one.
func (l *loop) local(e ast.Expr) bool {
	root, out := l.c.place(e)
	return root != nil && !out && l.inside(root)
}

func (l *loop) inside(v *types.Var) bool { return v.Pos() >= l.stmt.Pos() && v.Pos() < l.stmt.End() }

// byKey reports whether an expression is the element of the turn's own key, or lies in
// what the turn's own value points to: the same pointer under two keys is not seen.
func (l *loop) byKey(e ast.Expr) bool {
	if i, ok := ast.Unparen(e).(*ast.IndexExpr); ok {
		return l.own(i)
	}
	sel, ok := ast.Unparen(e).(*ast.SelectorExpr)
	return ok && l.c.isVar(sel.X, l.stmt.Value)
}

// own reports whether an expression is the element of the turn's own key.
func (l *loop) own(e *ast.IndexExpr) bool { return chain(e.X) && l.c.isVar(e.Index, l.stmt.Key) }

// isVar reports whether two expressions name the same variable.
func (c *checker) isVar(e, v ast.Expr) bool {
	a, ok := ast.Unparen(e).(*ast.Ident)
	b, _ := v.(*ast.Ident)
	return ok && b != nil && c.info.ObjectOf(a) != nil && c.info.ObjectOf(a) == c.info.ObjectOf(b)
}

// plain reports whether an expression that is written is a variable or a part of one,
// found without calls.
func (l *loop) plain(e ast.Expr) bool {
	ok := true
	ast.Inspect(e, func(n ast.Node) bool {
		if _, call := n.(*ast.CallExpr); call {
			ok = false
		}
		return ok
	})
	return ok
}

// same reports whether an expression is pure and the same in every turn.
func (l *loop) same(e ast.Expr) bool {
	if !l.pure(e) {
		return false
	}
	same := true
	ast.Inspect(e, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if v, ok := l.c.info.ObjectOf(id).(*types.Var); ok && !v.IsField() && l.inside(v) {
				same = false
			}
		}
		return same
	})
	return same
}

// pure reports whether expressions have no effect, and notes what they read.
func (l *loop) pure(list ...ast.Expr) bool {
	for _, e := range list {
		if e != nil && !l.pureOne(e) {
			return false
		}
	}
	return true
}

func (l *loop) pureOne(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit, *ast.ArrayType, *ast.MapType, *ast.StructType, *ast.InterfaceType, *ast.FuncType:
		return true
	case *ast.Ident:
		l.read(e)
		return true
	case *ast.SelectorExpr:
		if chain(e) {
			l.read(e)
			return true
		}
		return l.pure(e.X)
	case *ast.IndexExpr:
		if l.own(e) {
			l.keyed[types.ExprString(e)], l.reads[types.ExprString(e)] = true, true
			return true
		}
		return l.pure(e.X, e.Index)
	case *ast.SliceExpr:
		return l.pure(e.X, e.Low, e.High, e.Max)
	case *ast.StarExpr:
		return l.pure(e.X)
	case *ast.ParenExpr:
		return l.pure(e.X)
	case *ast.UnaryExpr:
		return e.Op != token.ARROW && e.Op != token.AND && l.pure(e.X)
	case *ast.BinaryExpr:
		return l.pure(e.X, e.Y)
	case *ast.TypeAssertExpr:
		return l.pure(e.X)
	case *ast.KeyValueExpr:
		return l.pure(e.Value)
	case *ast.CompositeLit:
		return l.pure(e.Elts...)
	case *ast.CallExpr:
		return l.harmless(e) && l.pure(e.Args...)
	}
	return false
}

// read notes that a variable or a field of one is read.
func (l *loop) read(e ast.Expr) {
	if root, _ := l.c.place(e); root != nil && !l.inside(root) {
		l.reads[types.ExprString(e)] = true
	}
}

// chain reports whether an expression is a name, or names with dots between them.
func chain(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return chain(e.X)
	}
	return false
}

// calculating are the packages of the standard library whose functions only calculate.
const calculating = "bytes cmp errors fmt math math/bits slices strconv strings time unicode unicode/utf8"

// effects are those of their functions that do more, or print.
const effects = "fmt.Print fmt.Printf fmt.Println fmt.Fprint fmt.Fprintf fmt.Fprintln fmt.Scan fmt.Scanf fmt.Scanln fmt.Sscan fmt.Sscanf fmt.Sscanln " +
	"slices.Sort slices.SortFunc slices.SortStableFunc slices.Reverse slices.Delete slices.DeleteFunc slices.Insert slices.Compact slices.Replace"

// harmless reports whether a call has no effect: a conversion, a builtin that only
// looks, a function that calculates, or one that is handed copies alone.
func (l *loop) harmless(call *ast.CallExpr) bool {
	if l.c.info.Types[call.Fun].IsType() {
		return true
	}
	switch l.c.builtin(call) {
	case "":
	case "len", "cap", "min", "max", "real", "imag", "complex", "new", "make":
		return true
	default:
		return false
	}
	f := l.c.callee(call)
	if f == nil || types.IsInterface(recvType(f)) {
		return false
	}
	sel, _ := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if r := f.Signature().Recv(); r != nil {
		if carries(r.Type()) || sel == nil || !l.pure(sel.X) {
			return false
		}
	} else if f.Pkg() != nil && listed(calculating, f.Pkg().Path(), false) && !listed(effects, f.Pkg().Name()+"."+f.Name(), false) {
		return true
	}
	for p := range f.Signature().Params().Variables() {
		if carries(p.Type()) {
			return false
		}
	}
	return true
}

func recvType(f *types.Func) types.Type {
	if r := f.Signature().Recv(); r != nil {
		return r.Type()
	}
	return types.Typ[types.Int]
}
