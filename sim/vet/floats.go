package vet

import (
	"go/ast"
	"go/token"
)

// floats finds sums of floating point products: on some processors the compiler makes
// one instruction of the two, which rounds once. A conversion or an assignment keeps
// them apart.
func (c *checker) floats(u *unit, n ast.Node) {
	sum := false
	switch n := n.(type) {
	case *ast.BinaryExpr:
		t := c.info.TypeOf(n)
		if c.info.Types[n].Value != nil {
			return // calculated by the compiler, exactly
		}
		if (n.Op == token.MUL || n.Op == token.QUO) && terms(t, isComplex) {
			u.find(n.OpPos, "float", "a complex product is a sum of products, which some processors round once and others twice; calculate with integers")
		}
		sum = (n.Op == token.ADD || n.Op == token.SUB) && (c.product(n.X) || c.product(n.Y))
	case *ast.AssignStmt:
		sum = (n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN) && c.product(n.Rhs[0])
	}
	if sum {
		u.find(n.Pos(), "float", "a floating point product is added to, which some processors round once and others twice; write float64(x*y) + z, or calculate with integers")
	}
}

// product reports whether an expression is a product of floats that is not rounded.
func (c *checker) product(e ast.Expr) bool {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
		case *ast.UnaryExpr:
			e = x.X
		case *ast.BinaryExpr:
			return x.Op == token.MUL && c.info.Types[x].Value == nil && terms(c.info.TypeOf(x), isFloat)
		default:
			return false
		}
	}
}
