package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

const (
	shuffled = ": Go goes through a map in another order every time"
	sortKeys = "; range over slices.Sorted(maps.Keys(m))"
)

// mapOrder finds loops over maps whose order shows, and sequences of maps that are not
// sorted. The root is the body of the function.
func (c *checker) mapOrder(u *unit, n ast.Node, root ast.Node, stack []ast.Node) {
	switch n := n.(type) {
	case *ast.RangeStmt:
		call, ok := ast.Unparen(n.X).(*ast.CallExpr)
		if !terms(c.info.TypeOf(n.X), isMap) && !(ok && c.sequence(call) != "") {
			return
		}
		if blank(n.Key) && blank(n.Value) {
			return // every turn is the same
		}
		l := &loop{c: c, stmt: n, ops: map[string]string{}, reads: map[string]bool{}, keyed: map[string]bool{}}
		if culprit := l.check(root); culprit != "" {
			u.find(n.Pos(), "map", "the order of a map reaches "+culprit+shuffled+sortKeys)
		}
	case *ast.CallExpr:
		if name := c.sequence(n); name != "" && !c.sequenceSorted(n, root, stack) {
			u.find(n.Pos(), "map", "the order of "+name+" is not sorted away"+shuffled+"; put slices.Sorted around it")
		}
	}
}

func blank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return e == nil || ok && id.Name == "_"
}

// sequence is the name of the function of maps that a call goes through a map with.
func (c *checker) sequence(call *ast.CallExpr) string {
	f := c.callee(call)
	if f == nil || f.Pkg() == nil || f.Pkg().Path() != "maps" {
		return ""
	}
	switch f.Name() {
	case "All", "Keys", "Values":
		return "maps." + f.Name()
	}
	return ""
}

// sequenceSorted reports whether the order of a sequence is lost again: it is sorted or
// made a map, collected into what is sorted later, or looked at as a loop over a map.
func (c *checker) sequenceSorted(call *ast.CallExpr, root ast.Node, stack []ast.Node) bool {
	if len(stack) == 0 {
		return false
	}
	switch parent := stack[len(stack)-1].(type) {
	case *ast.RangeStmt:
		return true
	case *ast.CallExpr:
		f := c.callee(parent)
		if f == nil || f.Pkg() == nil {
			return false
		}
		switch f.Pkg().Path() + "." + f.Name() {
		case "slices.Sorted", "slices.SortedFunc", "slices.SortedStableFunc", "maps.Collect", "maps.Insert":
			return true
		case "slices.Collect", "slices.AppendSeq":
			if len(stack) < 2 {
				return false
			}
			a, ok := stack[len(stack)-2].(*ast.AssignStmt)
			return ok && len(a.Lhs) == 1 && c.sortedLater(types.ExprString(a.Lhs[0]), parent.End(), root)
		}
	}
	return false
}

// sortedLater reports whether a function sorts something after a position: a call of
// which the name begins with sort, and the first argument is it.
func (c *checker) sortedLater(what string, after token.Pos, root ast.Node) (found bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() < after || len(call.Args) == 0 {
			return true
		}
		f := c.callee(call)
		if f == nil || !strings.HasPrefix(strings.ToLower(f.Name()), "sort") && (f.Pkg() == nil || f.Pkg().Path() != "sort") {
			return true
		}
		arg := ast.Unparen(call.Args[0])
		if conv, ok := arg.(*ast.CallExpr); ok && len(conv.Args) == 1 { // sort.Sort(byName(list))
			arg = conv.Args[0]
		}
		found = found || types.ExprString(arg) == what
		return true
	})
	return found
}
