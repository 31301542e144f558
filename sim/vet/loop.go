package vet

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// loop is a loop over a map. Its order does not show if all that it does is to write
// one element per key, to delete, to collect what is sorted afterwards, to add up
// integers or find the largest, to set constants, or to end with one answer, and if it
// reads nothing of what it writes.
type loop struct {
	c         *checker
	stmt      *ast.RangeStmt
	ops       map[string]string // what is written, and how
	reads     map[string]bool
	keyed     map[string]bool // of what is read and written: the element of the turn's own key
	collected []string
	exits     []string
	depth     int // of loops and switches in it, which a break leaves
}

// check says what the order of the loop reaches, "" if nothing.
func (l *loop) check(root ast.Node) string {
	if culprit := l.block(l.stmt.Body.List); culprit != nil {
		return l.name(culprit)
	}
	for _, exit := range l.exits {
		if exit != l.exits[0] || len(l.ops) > 0 || len(l.collected) > 0 {
			return "where the loop ends"
		}
	}
	for w := range l.ops {
		for r := range l.reads {
			if (within(w, r) || within(r, w)) && !(w == r && l.keyed[r]) {
				return "what the loop reads of " + w
			}
		}
	}
	for _, what := range l.collected {
		if !l.c.sortedLater(what, l.stmt.End(), root) {
			return what + ", which is not sorted after the loop"
		}
	}
	return ""
}

// within reports whether one expression is another or a part of it.
func within(part, whole string) bool {
	rest, ok := strings.CutPrefix(part, whole)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// name is a statement or expression in a few words.
func (l *loop) name(n ast.Node) string {
	switch n := n.(type) {
	case *ast.ExprStmt:
		return l.name(n.X)
	case *ast.CallExpr:
		return "the call of " + types.ExprString(n.Fun)
	case *ast.AssignStmt:
		return "the assignment to " + types.ExprString(n.Lhs[0])
	case *ast.IncDecStmt:
		return types.ExprString(n.X)
	case *ast.ReturnStmt:
		return "what is returned"
	case ast.Expr:
		return types.ExprString(n)
	}
	return "what the loop does"
}

// block goes through statements; it returns the first that the order reaches.
func (l *loop) block(list []ast.Stmt) ast.Node {
	if exit, ok := l.exit(list); ok {
		l.exits = append(l.exits, exit)
		return nil
	}
	for _, s := range list {
		if culprit := l.statement(s); culprit != nil {
			return culprit
		}
	}
	return nil
}

// exit reports whether statements end the loop with something that is the same in
// every turn, and says what.
func (l *loop) exit(list []ast.Stmt) (string, bool) {
	if len(list) == 0 {
		return "", false
	}
	last := len(list) - 1
	text, results, ok := l.leaves(list[last])
	if !ok {
		return "", false
	}
	for _, s := range list[:last] {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.ASSIGN || len(a.Lhs) != len(a.Rhs) {
			return "", false
		}
		for i := range a.Lhs {
			if !l.same(a.Lhs[i]) || !l.same(a.Rhs[i]) {
				return "", false
			}
			text += ", " + types.ExprString(a.Lhs[i]) + " = " + types.ExprString(a.Rhs[i])
		}
	}
	for _, r := range results {
		if !l.same(r) {
			return "", false
		}
		text += ", " + types.ExprString(r)
	}
	return text, true
}

// leaves reports whether a statement ends the loop, and what it hands out.
func (l *loop) leaves(s ast.Stmt) (how string, results []ast.Expr, ok bool) {
	switch s := s.(type) {
	case *ast.ReturnStmt:
		return "return", s.Results, true
	case *ast.BranchStmt:
		return "break", nil, s.Tok == token.BREAK && s.Label == nil && l.depth == 0
	case *ast.ExprStmt:
		if call, ok := s.X.(*ast.CallExpr); ok && l.c.builtin(call) == "panic" {
			return "panic", call.Args, true
		}
	}
	return "", nil, false
}

func (l *loop) statement(s ast.Stmt) ast.Node {
	switch s := s.(type) {
	case nil, *ast.EmptyStmt:
		return nil
	case *ast.BlockStmt:
		return l.block(s.List)
	case *ast.LabeledStmt:
		return l.statement(s.Stmt)
	case *ast.ExprStmt:
		return l.expression(s)
	case *ast.IncDecStmt:
		return l.accumulate(s, s.X, "sum")
	case *ast.AssignStmt:
		return l.assign(s)
	case *ast.DeclStmt:
		if d, ok := s.Decl.(*ast.GenDecl); ok {
			for _, spec := range d.Specs {
				if v, ok := spec.(*ast.ValueSpec); ok && !l.pure(v.Values...) {
					return s
				}
			}
		}
		return nil
	case *ast.IfStmt:
		if l.extreme(s) {
			return nil
		}
		return l.nested(s, s.Init, []ast.Expr{s.Cond}, s.Body, s.Else)
	case *ast.SwitchStmt:
		l.depth++
		defer func() { l.depth-- }()
		return l.nested(s, s.Init, []ast.Expr{s.Tag}, s.Body, nil)
	case *ast.CaseClause:
		if !l.pure(s.List...) {
			return s
		}
		return l.block(s.Body)
	case *ast.ForStmt:
		l.depth++
		defer func() { l.depth-- }()
		if culprit := l.statement(s.Post); s.Post != nil && culprit != nil {
			return culprit
		}
		return l.nested(s, s.Init, []ast.Expr{s.Cond}, s.Body, nil)
	case *ast.RangeStmt:
		l.depth++
		defer func() { l.depth-- }()
		if s.Tok == token.ASSIGN {
			return s
		}
		return l.nested(s, nil, []ast.Expr{s.X}, s.Body, nil)
	case *ast.BranchStmt:
		if s.Tok == token.CONTINUE && s.Label == nil || s.Tok == token.BREAK && s.Label == nil && l.depth > 0 {
			return nil
		}
	}
	return s
}

func (l *loop) nested(s ast.Stmt, first ast.Stmt, conds []ast.Expr, body *ast.BlockStmt, last ast.Stmt) ast.Node {
	if first != nil {
		if culprit := l.statement(first); culprit != nil {
			return culprit
		}
	}
	for _, e := range conds {
		if !l.pure(e) {
			return e
		}
	}
	if culprit := l.block(body.List); culprit != nil {
		return culprit
	}
	if last == nil {
		return nil
	}
	return l.statement(last)
}

func (l *loop) expression(s *ast.ExprStmt) ast.Node {
	if call, ok := s.X.(*ast.CallExpr); ok && l.c.builtin(call) == "delete" && len(call.Args) == 2 {
		if l.pure(call.Args[1]) {
			if l.write(&ast.IndexExpr{X: call.Args[0], Index: call.Args[1]}, "delete") {
				return nil
			}
		}
	}
	if l.pure(s.X) {
		return nil
	}
	return s
}

func (l *loop) assign(s *ast.AssignStmt) ast.Node {
	switch s.Tok {
	case token.ASSIGN, token.DEFINE:
	case token.ADD_ASSIGN, token.SUB_ASSIGN:
		if l.pure(s.Rhs...) {
			return l.accumulate(s, s.Lhs[0], "sum")
		}
		return s
	case token.MUL_ASSIGN, token.OR_ASSIGN, token.AND_ASSIGN, token.XOR_ASSIGN, token.AND_NOT_ASSIGN:
		if l.pure(s.Rhs...) {
			return l.accumulate(s, s.Lhs[0], s.Tok.String())
		}
		return s
	default:
		return s
	}
	if len(s.Lhs) == len(s.Rhs) {
		for i := range s.Lhs {
			if !l.set(s.Lhs[i], s.Rhs[i]) {
				return s
			}
		}
		return nil
	}
	for _, e := range s.Lhs {
		if !blank(e) && !l.local(e) {
			return s
		}
	}
	if !l.pure(s.Rhs...) {
		return s
	}
	return nil
}

// accumulate notes that integers are added up, in a way that no other may mix with.
func (l *loop) accumulate(s ast.Stmt, to ast.Expr, how string) ast.Node {
	if l.local(to) {
		return nil
	}
	if !terms(l.c.info.TypeOf(to), isInteger) && !l.byKey(to) || !l.plain(to) || !l.write(to, how) {
		return s
	}
	return nil
}

// write notes how something is written, and reports whether it is always so. What
// belongs to one turn may be written in any way; an element under another key may be
// any element.
func (l *loop) write(to ast.Expr, how string) bool {
	what := types.ExprString(to)
	if l.byKey(to) {
		how = "element"
	} else if i, ok := ast.Unparen(to).(*ast.IndexExpr); ok {
		what = types.ExprString(i.X)
	}
	if old, ok := l.ops[what]; ok && old != how {
		return false
	}
	l.ops[what] = how
	return true
}
