package vet

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// Analyzer finds what a step of a node must not do. See the documentation of the
// package for the rules, and for what is not followed.
var Analyzer = &analysis.Analyzer{
	Name:      "fencepost",
	Doc:       "find what makes a step of a fencepost node depend on more than the node and its message\n\n" + allowing,
	Run:       run,
	FactTypes: []analysis.Fact{new(summary), new(writer), new(called)},
}

const allowing = "The comment " + directive + " REASON allows what stands on its line, or on the line after it."

func run(pass *analysis.Pass) (any, error) {
	if standard(pass) || engine(pass.Pkg) {
		return nil, nil
	}
	c := &checker{
		pass:    pass,
		info:    pass.TypesInfo,
		units:   map[any]*unit{},
		writes:  map[types.Object]string{},
		thru:    map[types.Object]map[int]bool{},
		scopes:  map[*ast.FuncDecl]*scope{},
		elapsed: map[*types.Var]bool{},
		allows:  allowances(pass),
	}
	c.prepare()
	c.build()
	c.allow()
	c.finish()
	return nil, nil
}

// standard reports whether a package is of the standard library, whose bodies are
// not looked into. Packages without a module whose path has no domain are.
func standard(pass *analysis.Pass) bool {
	path := pass.Pkg.Path()
	if pass.Module != nil && pass.Module.Path != "" {
		return pass.Module.Path == "std" || pass.Module.Path == "cmd"
	}
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".") && !strings.HasPrefix(path, "command-line-arguments")
}

// checker looks through one package.
type checker struct {
	pass   *analysis.Pass
	info   *types.Info
	units  map[any]*unit // by object, or by literal
	order  []*unit
	nodes  []*types.Named                // of the package
	writes map[types.Object]string       // variables of the package that a function other than init writes, and which
	thru   map[types.Object]map[int]bool // parameters that a function writes through; the receiver is -1
	scopes map[*ast.FuncDecl]*scope
	known  []*types.Named // types whose methods an interface may hold
	allows []*allowance
	sent   []sending

	strict  bool                // the package asks for the rule reading
	elapsed map[*types.Var]bool // that hold a difference of readings, if it does
}

// functions are those of the package.
func (c *checker) functions(yield func(*ast.FuncDecl) bool) {
	for _, f := range c.pass.Files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && !yield(d) {
				return
			}
		}
	}
}

func (c *checker) inTest(pos token.Pos) bool {
	return strings.HasSuffix(c.pass.Fset.Position(pos).Filename, "_test.go")
}

// prepare finds what the rules need to know of the whole package first.
func (c *checker) prepare() {
	for d := range c.functions {
		if named := receiver(c.info, d); named != nil && isStep(c.info, d) {
			c.nodes = append(c.nodes, named)
		}
		if d.Body != nil {
			c.scopes[d] = c.newScope(d)
		}
	}
	c.findStrict()
	c.findSources()
	c.findTypes()
	c.findWrites()
}

// findTypes lists the types whose methods a call through an interface may reach: those
// of the package, and those of others that it names.
func (c *checker) findTypes() {
	seen := map[*types.TypeName]bool{}
	add := func(obj types.Object) {
		name, ok := obj.(*types.TypeName)
		if !ok || seen[name] || name.IsAlias() || name.Pkg() == nil || engine(name.Pkg()) {
			return
		}
		if named, ok := name.Type().(*types.Named); ok && !types.IsInterface(named) {
			seen[name] = true
			c.known = append(c.known, named)
		}
	}
	for _, obj := range c.info.Defs {
		add(obj)
	}
	for _, obj := range c.info.Uses {
		add(obj)
	}
	slices.SortFunc(c.known, func(a, b *types.Named) int {
		x, y := a.Obj(), b.Obj()
		return cmp.Or(strings.Compare(x.Pkg().Path(), y.Pkg().Path()), strings.Compare(x.Name(), y.Name()), cmp.Compare(x.Pos(), y.Pos()))
	})
}

// build makes the graph of who calls whom, with the findings of each.
func (c *checker) build() {
	for _, f := range c.pass.Files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				c.function(d)
			case *ast.GenDecl:
				c.variables(d)
			}
		}
	}
	c.keptFields()
}

func (c *checker) function(d *ast.FuncDecl) {
	u := c.unit(c.info.Defs[d.Name])
	if d.Body == nil {
		u.find(d.Name.Pos(), "io", d.Name.Name+" has no body in Go, so what it depends on is unknown; write it in Go")
		return
	}
	c.walk(u, d.Body, c.scopes[d])
}

// variables walks the initial values of variables of the package: what reads the
// variable depends on them.
func (c *checker) variables(d *ast.GenDecl) {
	for _, s := range d.Specs {
		s, ok := s.(*ast.ValueSpec)
		if !ok {
			continue
		}
		for i, name := range s.Names {
			obj, ok := c.info.Defs[name].(*types.Var)
			if !ok {
				continue
			}
			for j, value := range s.Values {
				if i == j || len(s.Values) == 1 {
					c.walk(c.unit(obj), value, &scope{})
				}
			}
		}
	}
}

// walk takes a body or an expression into a unit: its findings, whom it calls, and
// what it stores where. Literals in it become units of their own.
func (c *checker) walk(u *unit, root ast.Node, s *scope) {
	ast.PreorderStack(root, nil, func(n ast.Node, stack []ast.Node) bool {
		if lit, ok := n.(*ast.FuncLit); ok {
			l := c.literal(lit)
			u.call(lit.Pos(), l)
			if !l.walked {
				l.walked = true
				c.walk(l, lit.Body, s)
			}
			return false
		}
		if id, ok := n.(*ast.Ident); ok {
			c.mention(u, id)
			return true
		}
		c.flow(n)
		if call, ok := n.(*ast.CallExpr); ok {
			c.conversions(u, call)
		}
		c.concurrency(u, n)
		c.mapOrder(u, n, root, stack)
		c.globals(u, n, s)
		c.keeping(u, n, s)
		c.printing(u, n)
		c.floats(u, n)
		c.readings(u, n)
		return true
	})
}
