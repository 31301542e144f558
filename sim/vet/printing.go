package vet

import (
	"go/ast"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

const address = "prints an address, another one in every run; print what it points to, or a number"

// printers are the functions that print, and how many arguments stand before what they
// print or, if they have one, before the format.
var printers = map[string]int{
	"fmt.Sprintf": 0, "fmt.Errorf": 0, "fmt.Fprintf": 1, "fmt.Appendf": 1,
	"fmt.Sprint": 0, "fmt.Sprintln": 0, "fmt.Fprint": 1, "fmt.Fprintln": 1, "fmt.Append": 1, "fmt.Appendln": 1,
}

// printing finds addresses that are printed.
func (c *checker) printing(u *unit, n ast.Node) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return
	}
	f := c.callee(call)
	if f == nil || f.Pkg() == nil {
		return
	}
	before, ok := printers[f.Pkg().Path()+"."+f.Name()]
	if !ok || call.Ellipsis.IsValid() || len(call.Args) <= before {
		return
	}
	args := call.Args[before:]
	var verbs []byte
	if strings.HasSuffix(f.Name(), "f") {
		if v := c.info.Types[args[0]].Value; v != nil && v.Kind() == constant.String {
			verbs = verbsOf(constant.StringVal(v))
		}
		args = args[1:]
	}
	for i, a := range args {
		verb := byte('v')
		if i < len(verbs) {
			verb = verbs[i]
		}
		switch t := c.info.TypeOf(a); {
		case verb == 'p':
			u.find(a.Pos(), "pointer", "%p "+address)
		case verb != 'T' && t != nil && showsAddress(t, true, nil):
			u.find(a.Pos(), "pointer", "%"+string(verb)+" of "+types.TypeString(t, types.RelativeTo(c.pass.Pkg))+" "+address)
		}
	}
}

// verbsOf are the verbs of a format, one for each argument; nothing if arguments are
// numbered. A star takes an argument of its own.
func verbsOf(format string) (verbs []byte) {
	for {
		_, rest, ok := strings.Cut(format, "%")
		if !ok {
			return verbs
		}
		i := 0
		for ; i < len(rest) && strings.IndexByte("+-# 0123456789.*[", rest[i]) >= 0; i++ {
			switch rest[i] {
			case '*':
				verbs = append(verbs, 'd')
			case '[':
				return nil
			}
		}
		if i == len(rest) {
			return verbs
		}
		if rest[i] != '%' {
			verbs = append(verbs, rest[i])
		}
		format = rest[i+1:]
	}
}

// showsAddress reports whether fmt prints an address for a value of a type: pointers
// within a value, and at the top those to anything but a struct, slice, array or map.
// The types around it are being looked at already.
func showsAddress(t types.Type, top bool, around []types.Type) bool {
	if slices.Contains(around, t) {
		return false // a tree of itself
	}
	around = append(slices.Clip(around), t)
	for _, name := range []string{"Format", "Error", "String"} {
		obj, _, indirect := types.LookupFieldOrMethod(t, false, nil, name)
		if _, ok := obj.(*types.Func); ok && !indirect {
			return false
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer
	case *types.Pointer:
		if top {
			switch e := u.Elem().Underlying().(type) {
			case *types.Struct, *types.Slice, *types.Array, *types.Map:
				return showsAddress(e, false, around)
			}
		}
		return true
	case *types.Signature, *types.Chan:
		return true
	case *types.Struct:
		for f := range u.Fields() {
			if showsAddress(f.Type(), false, around) {
				return true
			}
		}
	case *types.Slice:
		return showsAddress(u.Elem(), false, around)
	case *types.Array:
		return showsAddress(u.Elem(), false, around)
	case *types.Map:
		return showsAddress(u.Key(), false, around) || showsAddress(u.Elem(), false, around)
	}
	return false
}
