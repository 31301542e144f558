package vet

import (
	"go/ast"
	"go/token"
)

const threads = "whose order is the scheduler's and in no seed"

// concurrency finds goroutines and channels.
func (c *checker) concurrency(u *unit, n ast.Node) {
	find := func(what, instead string) {
		u.find(n.Pos(), "concurrency", what+", "+threads+"; "+instead)
	}
	const send = "send a message with out.Send"
	switch n := n.(type) {
	case *ast.GoStmt:
		find("a goroutine is started", "call the function, or send a message to a node of its own")
	case *ast.SelectStmt:
		find("a select waits for channels", "let each event be a message")
	case *ast.SendStmt:
		find("a send to a channel", send)
	case *ast.UnaryExpr:
		if n.Op == token.ARROW {
			find("a receive from a channel", "let it be a message")
		}
	case *ast.RangeStmt:
		if terms(c.info.TypeOf(n.X), isChan) {
			find("a loop receives from a channel", "let it be a message")
		}
	case *ast.CallExpr:
		if b := c.builtin(n); (b == "make" || b == "close") && len(n.Args) > 0 && terms(c.info.TypeOf(n.Args[0]), isChan) {
			find(b+" of a channel", send)
		}
	}
}
