package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// strict is the comment by which a package asks for the rule reading.
const strict = "//fencepost:readings"

const useBefore = "; keep the reading plus the duration and ask now.Before of it, so that an explorer can decide it with time as a symbol"

// findStrict finds whether the package asks for the rule reading, and which variables hold the
// difference of two readings.
func (c *checker) findStrict() {
	for _, f := range c.pass.Files {
		for _, group := range f.Comments {
			for _, comment := range group.List {
				c.strict = c.strict || strings.TrimSpace(comment.Text) == strict
			}
		}
	}
	if !c.strict {
		return
	}
	for _, f := range c.pass.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if a, ok := n.(*ast.AssignStmt); ok {
				for i, l := range a.Lhs {
					if v := c.target(l); v != nil && i < len(a.Rhs) && c.difference(a.Rhs[i]) {
						c.elapsed[v] = true
					}
				}
			}
			return true
		})
	}
}

// readings finds readings of clocks that are compared or divided, and differences of readings
// that are compared, in a package that asks for it.
func (c *checker) readings(u *unit, n ast.Node) {
	if !c.strict {
		return
	}
	var operands []ast.Expr
	what := "compared"
	switch n := n.(type) {
	case *ast.BinaryExpr:
		switch n.Op {
		case token.QUO, token.REM:
			if what = "divided"; !c.isReading(n.X) {
				return
			}
			operands = []ast.Expr{n.X}
		case token.LSS, token.LEQ, token.GTR, token.GEQ, token.EQL, token.NEQ:
			operands = []ast.Expr{n.X, n.Y}
		}
	case *ast.CallExpr:
		if b := c.builtin(n); b == "min" || b == "max" {
			operands = n.Args
		}
	}
	for _, e := range operands {
		switch {
		case c.isReading(e):
			u.find(n.Pos(), "reading", "a reading of a clock is "+what+useBefore)
			return
		case c.difference(e):
			u.find(n.Pos(), "reading", "a difference of readings is "+what+useBefore)
			return
		}
	}
}

// isReading reports whether an expression is a reading of a node's clock.
func (c *checker) isReading(e ast.Expr) bool {
	t := c.info.TypeOf(e)
	return t != nil && readingType(t)
}

func readingType(t types.Type) bool { return ofSim(t, "Mono") || ofSim(t, "Boot") || ofSim(t, "Wall") }

// takesReading reports whether a function takes a reading, in a package that asks for the rule:
// an algorithm that a step calls, maybe of another package. A function of a test does too, and
// is none.
func (c *checker) takesReading(u *unit) bool {
	if !c.strict || u.obj == nil || c.inTest(u.obj.Pos()) {
		return false
	}
	for v := range u.sig.Params().Variables() {
		if readingType(v.Type()) {
			return true
		}
	}
	return false
}

// difference reports whether an expression is made of the difference of two readings.
func (c *checker) difference(e ast.Expr) (yes bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			f, ok := c.info.Uses[n.Sel].(*types.Func)
			yes = yes || ok && f.Name() == "Sub" && c.isReading(n.X)
		case *ast.Ident:
			v, ok := c.info.Uses[n].(*types.Var)
			yes = yes || ok && c.elapsed[v]
		case *ast.BinaryExpr:
			return n.Op != token.LSS && n.Op != token.GTR && n.Op != token.LEQ && n.Op != token.GEQ // which is found itself
		}
		return !yes
	})
	return yes
}
