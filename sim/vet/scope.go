package vet

import (
	"go/ast"
	"go/token"
	"go/types"
)

// source is whose memory a value shares.
type source uint8

const (
	own    source = iota // its own, the receiver's, or unknown
	ofIn                 // the message's
	ofOut                // the engine's
	ofVar                // a variable's of a package
	ofCall               // made here: a literal, new or make
)

// scope is what is known of the local variables of a function and its literals.
type scope struct {
	from   map[*types.Var]source
	params map[*types.Var]int // their position, -1 for the receiver
}

func (c *checker) newScope(d *ast.FuncDecl) *scope {
	s := &scope{from: map[*types.Var]source{}, params: map[*types.Var]int{}}
	if f, ok := c.info.Defs[d.Name].(*types.Func); ok {
		if r := f.Signature().Recv(); r != nil {
			s.params[r] = -1
		}
		for i := range f.Signature().Params().Len() {
			s.params[f.Signature().Params().At(i)] = i
		}
	}
	return s
}

// findSources follows assignments and arguments until nothing new is found. Variables
// that hold no references share nothing.
func (c *checker) findSources() {
	byFunc := map[types.Object]*scope{}
	for d, s := range c.scopes {
		byFunc[c.info.Defs[d.Name]] = s
	}
	for again := true; again; {
		again = false
		for d := range c.functions {
			s := c.scopes[d]
			if s == nil {
				continue
			}
			ast.Inspect(d.Body, func(n ast.Node) bool {
				if c.learn(n, s) {
					again = true
				}
				if call, ok := n.(*ast.CallExpr); ok && c.learnArguments(call, s, byFunc) {
					again = true
				}
				return true
			})
		}
	}
}

// learn follows the assignments of a statement, and reports whether it has found
// something new.
func (c *checker) learn(n ast.Node, s *scope) (found bool) {
	into := func(l, r ast.Expr) {
		id, ok := l.(*ast.Ident)
		if !ok {
			return
		}
		if v, ok := c.info.ObjectOf(id).(*types.Var); ok && !global(v) {
			found = s.know(v, c.source(s, r)) || found
		}
	}
	switch n := n.(type) {
	case *ast.AssignStmt:
		for i := range n.Lhs {
			if len(n.Lhs) == len(n.Rhs) {
				into(n.Lhs[i], n.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		for i := range n.Values {
			if len(n.Values) == len(n.Names) {
				into(n.Names[i], n.Values[i])
			}
		}
	case *ast.RangeStmt:
		if n.Value != nil {
			into(n.Value, n.X)
		}
	}
	return found
}

// learnArguments follows the message into the parameters of functions of the package.
func (c *checker) learnArguments(call *ast.CallExpr, s *scope, byFunc map[types.Object]*scope) (found bool) {
	f := c.callee(call)
	if f == nil {
		return false
	}
	to := byFunc[f.Origin()]
	params := f.Origin().Signature().Params()
	for i, arg := range call.Args {
		if to != nil && i < params.Len() && c.source(s, arg) == ofIn {
			found = to.know(params.At(i), ofIn) || found
		}
	}
	return found
}

// know notes whose memory a variable is in, once, and reports whether that is new.
func (s *scope) know(v *types.Var, from source) bool {
	if from == own || s.from[v] != own || !carries(v.Type()) {
		return false
	}
	s.from[v] = from
	return true
}

// source is whose memory the value of an expression is in.
func (c *checker) source(s *scope, e ast.Expr) source {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if v, ok := c.info.Uses[x.Sel].(*types.Var); ok && global(v) {
				return ofVar
			}
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.TypeAssertExpr:
			e = x.X
		case *ast.UnaryExpr:
			if x.Op != token.AND {
				return own
			}
			e = x.X
		case *ast.CompositeLit:
			return ofCall
		case *ast.CallExpr:
			if b := c.builtin(x); b == "new" || b == "make" {
				return ofCall
			}
			return own
		case *ast.Ident:
			v, ok := c.info.ObjectOf(x).(*types.Var)
			switch {
			case !ok:
				return own
			case global(v):
				return ofVar
			case isIn(v.Type()):
				return ofIn
			case isOut(v.Type()):
				return ofOut
			}
			if p, ok := types.Unalias(v.Type()).(*types.Pointer); ok && isIn(p.Elem()) {
				return ofIn
			}
			return s.from[v]
		default:
			return own
		}
	}
}

// place is the variable that an expression begins with, and whether it leads out of
// that variable's own memory: through a pointer, or into a slice or map.
func (c *checker) place(e ast.Expr) (root *types.Var, out bool) {
	for {
		switch x := ast.Unparen(e).(type) {
		case *ast.SelectorExpr:
			if v, ok := c.info.Uses[x.Sel].(*types.Var); ok && !v.IsField() {
				return v, out
			}
			out = out || isPointer(c.info.TypeOf(x.X))
			if s := c.info.Selections[x]; s != nil {
				out = out || s.Indirect()
			}
			e = x.X
		case *ast.IndexExpr:
			t := c.info.TypeOf(x.X)
			if t == nil {
				return nil, out
			}
			if _, array := t.Underlying().(*types.Array); !array {
				out = true
			}
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.StarExpr:
			out = true
			e = x.X
		case *ast.Ident:
			v, _ := c.info.ObjectOf(x).(*types.Var)
			return v, out
		default:
			return nil, out
		}
	}
}

func isPointer(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}
