package vet

import (
	"go/ast"
	"go/types"
	"strings"
)

// engine reports whether a package is sim itself, which a step may call: of this
// module, of a copy of it, or of a test.
func engine(p *types.Package) bool {
	return p != nil && (p.Path() == "fencepost/sim" || strings.HasSuffix(p.Path(), "/fencepost/sim"))
}

// ofSim reports whether a type is the named one of sim, whatever its message.
func ofSim(t types.Type, name string) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.Obj().Name() == name && engine(n.Obj().Pkg())
}

func isIn(t types.Type) bool { return ofSim(t, "In") }

func isOut(t types.Type) bool {
	p, ok := types.Unalias(t).(*types.Pointer)
	return ok && ofSim(p.Elem(), "Out")
}

// receiver is the type that a method is declared on, nil for a function.
func receiver(info *types.Info, d *ast.FuncDecl) *types.Named {
	f, ok := info.Defs[d.Name].(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return nil
	}
	return named(f.Signature().Recv().Type())
}

// named is the named type that a type is or points to, nil if it is none.
func named(t types.Type) *types.Named {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, _ := t.(*types.Named)
	if n == nil {
		return nil
	}
	return n.Origin()
}

// isStep reports whether a declaration is that of a step: Step(sim.In[M], *sim.Out[M]).
func isStep(info *types.Info, d *ast.FuncDecl) bool {
	f, ok := info.Defs[d.Name].(*types.Func)
	if !ok || f.Name() != "Step" || f.Signature().Recv() == nil {
		return false
	}
	p := f.Signature().Params()
	return p.Len() == 2 && f.Signature().Results().Len() == 0 && isIn(p.At(0).Type()) && isOut(p.At(1).Type())
}

// takesStep reports whether a function takes what only a step has.
func takesStep(sig *types.Signature) bool {
	for v := range sig.Params().Variables() {
		if t := v.Type(); isIn(t) || isOut(t) {
			return true
		} else if p, ok := t.(*types.Pointer); ok && isIn(p.Elem()) {
			return true
		}
	}
	return false
}

// isEntry reports whether the engine calls a method: the Step, Recover and Reset of a
// node, the Label, Fold and String of a message.
func (c *checker) isEntry(f *types.Func) bool {
	if f.Signature().Recv() == nil {
		return false
	}
	n := named(f.Signature().Recv().Type())
	if n == nil {
		return false
	}
	switch f.Name() {
	case "Step":
		p := f.Signature().Params()
		return p.Len() == 2 && isIn(p.At(0).Type()) && isOut(p.At(1).Type())
	case "Recover", "Reset":
		return c.isNode(n)
	case "Label", "Fold", "String":
		fold, _, _ := types.LookupFieldOrMethod(n, true, c.pass.Pkg, "Fold")
		m, ok := fold.(*types.Func)
		return ok && m.Signature().Params().Len() == 1 && ofSim(m.Signature().Params().At(0).Type(), "Digest")
	}
	return false
}

func (c *checker) isNode(n *types.Named) bool {
	for _, node := range c.nodes {
		if node == n {
			return true
		}
	}
	return false
}

// carries reports whether a copy of a value shares memory with it. Strings do not:
// nothing can write them.
func carries(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return true
	default:
		switch u := t.Underlying().(type) {
		case *types.Basic:
			return u.Kind() == types.UnsafePointer
		case *types.Array:
			return carries(u.Elem())
		case *types.Struct:
			for f := range u.Fields() {
				if carries(f.Type()) {
					return true
				}
			}
			return false
		}
		return true
	}
}

// terms reports whether some type that a type stands for is what f says: itself, or
// those of a type parameter.
func terms(t types.Type, f func(types.Type) bool) bool {
	if t == nil {
		return false
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		return terms(t.Constraint().Underlying(), f)
	case *types.Union:
		for term := range t.Terms() {
			if terms(term.Type(), f) {
				return true
			}
		}
		return false
	}
	if i, ok := t.Underlying().(*types.Interface); ok {
		for e := range i.EmbeddedTypes() {
			if terms(e, f) {
				return true
			}
		}
	}
	return f(t.Underlying())
}

func isMap(t types.Type) bool  { _, ok := t.(*types.Map); return ok }
func isChan(t types.Type) bool { _, ok := t.(*types.Chan); return ok }

func isFloat(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsFloat != 0
}

func isComplex(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsComplex != 0
}

func isInteger(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsInteger != 0
}
