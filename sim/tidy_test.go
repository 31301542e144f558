package sim_test

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// "A test enforces this, so no reviewer has to: it parses every file and reports a
// wrong import, time.Now, a go statement, math/rand." What it enforces is section 1 of
// the architecture: dependencies point one way, and "sim and models hold no wall
// clock, no goroutine, no global random, no map-order dependence".

const module = "fencepost"

// rootFS is the repository.
var rootFS = os.DirFS("..")

// bare are the files that may look at memory as it lies there: they read states for
// fingerprints, or keep what a comparison of logs has of a client side by side, and decide
// no instant.
var bare = []string{"sim/internal/fingerprint/walk.go", "models/ratelimit/compare/store.go"}

// registers is the one variable that is written, by declarations alone: the kinds of fault are its rows.
var registers = map[string]string{"faultKinds": "sim/faultkind.go"}

// pure reports whether a package runs in virtual time only.
func pure(pkg string) bool {
	return pkg == "sim" || enginePart(pkg) || strings.HasPrefix(pkg, "sim/model") || strings.HasPrefix(pkg, "models/")
}

// enginePart reports whether a package is a part of package sim that knows of no world.
func enginePart(pkg string) bool {
	return pkg == "sim/internal/dist" || pkg == "sim/internal/queue" || pkg == "sim/internal/fingerprint"
}

// kit reports whether a package is what a model is made of besides its algorithm: it knows the engine alone.
func kit(pkg string) bool { return pkg == "sim/model" || pkg == "sim/model/values" }

// layers are the packages below scenarios that build on others of them, lowest first; those that are not here build on
// none.
var layers = map[string]int{
	"scenarios/internal/strict": 1, "scenarios/internal/glossary": 1, "scenarios/internal/schema": 2,
	"scenarios/grid": 2, "scenarios/format": 3, "scenarios/internal/fake": 4, "scenarios/internal/modelschema": 4, "scenarios/smaller": 4,
	"scenarios/catalog": 5, "scenarios/record": 5, "scenarios": 6, "scenarios/internal/describe": 7,
}

// levels are the packages of a model in several that build on others of it, lowest first; those of such a model that are
// not here build on none.
var levels = map[string]int{
	"models/lock/core": 1, "models/lock/redisserver": 2, "models/lock": 4, // and each lock is 3
	"models/kv/ring": 1, "models/kv/version": 1, "models/kv/merkle": 1, "models/kv/pbs": 1, "models/kv/core": 2,
	"models/kv/replica": 3, "models/kv/leader": 3, "models/kv/membership": 3, "models/kv": 4,

	fleet + "/message": 1, fleet + "/core": 2, fleet + "/properties": 3, fleet + "/local": 3, fleet + "/line": 3, fleet + "/balancer": 3,
	fleet + "/shards": 3, fleet + "/dimensions": 3, fleet + "/central": 3, fleet + "/sync": 3, fleet + "/lease": 3, fleet + "/regions": 3, fleet: 4,
	fleet + "/central/store": 3, fleet + "/central/limiter": 3,
}

// level is the level of a package, 0 if it has none.
func level(pkg string) int {
	if strings.HasPrefix(pkg, "models/lock/") && strings.HasSuffix(pkg, "lock") {
		return 3
	}
	return levels[pkg]
}

const fleet = "models/ratelimit/fleet"

// shared reports whether a package has properties, or what they are written over, that any model may use.
func shared(pkg string) bool { return pkg == "models/fact" || pkg == "models/check" }

// mayImport reports whether a package of the module may import another, ours without
// the name of the module in front, or somebody else's.
func mayImport(pkg, other string, ours bool) bool {
	family := func(p string) string { // of packages that are one thing: each model, and each folder beside models
		parts := strings.SplitN(p, "/", 3)
		if parts[0] == "models" && len(parts) > 1 {
			return "models/" + parts[1]
		}
		return parts[0]
	}
	in := func(p, dir string) bool { return p == dir || strings.HasPrefix(p, dir+"/") }
	leaf := func(p string) bool {
		return p == "internal/text" || p == "internal/splitmix" || p == "internal/lazyregexp" || p == "internal/exact"
	} // functions of their arguments
	rooms := func(p string) bool { return level(p) > 0 || level(family(p)) > 0 }
	standard := !ours && !strings.Contains(strings.Split(other, "/")[0], ".")
	switch {
	case in(pkg, "sweep"): // a module of its own, which knows simctl as a program only
		return !ours
	case ours && in(pkg, "scenarios") && in(other, "scenarios"):
		return layers[other] < layers[pkg]
	case ours && in(pkg, fleet) && in(other, fleet):
		return level(other) < level(pkg) || in(other, pkg) || pkg == fleet+"/central/limiter" && other == fleet+"/central/store"
	case ours && family(pkg) == family(other) && rooms(pkg) && !in(pkg, fleet):
		return level(other) > 0 && level(other) < level(pkg)
	case ours && kit(pkg) && in(other, "sim"):
		return other == "sim" || kit(other)
	case ours && family(pkg) == family(other):
		return pkg != "sim" || other == "sim" || enginePart(other)
	case in(pkg, "sim"):
		return standard || ours && (pkg != "sim" && in(other, "sim") || enginePart(other) || leaf(other)) || in(pkg, "sim/linear") && in(other, "github.com/anishathalye/porcupine") ||
			pkg == "sim/vet" && in(other, "golang.org/x/tools")
	case in(pkg, "models"):
		return standard || ours && (shared(other) && !shared(pkg) || pkg == "models/check" && (other == "models/fact" || other == "models/ratelimit/measure") || other == "sim" || other == "sim/reach" || other == "sim/stats" || kit(other) || leaf(other) || in(other, "models/internal")) ||
			ours && other == "models/product" || // what a model says that it follows
			ours && in(pkg, "models/kv") && other == "models/clock" || // plain types, no model; its subpackages are models
			ours && pkg == "models/kv" && other == "sim/linear" || // a property that decides a history when the run is over
			pkg == "models/internal/raft" && (in(other, "go.etcd.io/raft/v3") || in(other, "google.golang.org/protobuf")) ||
			pkg == "models/ratelimit/rules" && in(other, "go.yaml.in/yaml") // its subject is a file
	case pkg == "result": // the words that scenarios and reports share
		return standard || ours && other == "sim"
	case ours && other == "result":
		return in(pkg, "scenarios") || in(pkg, "reports") || in(pkg, "cmd")
	case in(pkg, "internal"): // what others may build on builds on nothing
		return standard
	case ours && in(other, "internal"):
		return in(pkg, "reports") || in(pkg, "scenarios") || in(pkg, "cmd")
	case in(pkg, "reports"):
		return standard || ours && in(other, "sim") || !ours && (in(other, "github.com/olekukonko/tablewriter") || other == "github.com/olekukonko/ll") ||
			pkg == "reports/figure" && (in(other, "gonum.org/v1/plot") || in(other, "codeberg.org/go-fonts/liberation") || in(other, "golang.org/x/image"))
	case ours && in(other, "models") && layers[pkg] > 0 && layers[pkg] < layers["scenarios"]: // a program has the models that it names
		return pkg == "scenarios/format" && (other == "models/product" || other == "models/ratelimit/traffic")
	case in(pkg, "scenarios"):
		return standard || ours && (in(other, "sim") || in(other, "models")) || !ours && in(other, "go.yaml.in/yaml") ||
			pkg == "scenarios/internal/fake" && in(other, "github.com/stretchr/testify") // only tests import it
	}
	return in(pkg, "cmd") || standard
}

// forbidden are the packages that a pure one must not import, and the names that it
// must not use of those it may.
var (
	forbidden = []string{"os", "net", "syscall", "unsafe", "sync", "context", "math/rand", "crypto/rand", "maps"}
	names     = map[string][]string{
		"time":    {"Now", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker", "Since", "Until"},
		"runtime": {"Gosched", "NumGoroutine", "GOMAXPROCS", "NumCPU"},
		"math":    {"Log", "Exp", "Pow", "FMA", "Sin", "Cos"},
	}
)

// tidier looks through one package.
type tidier struct {
	fset  *token.FileSet
	pkg   string
	info  *types.Info
	scope *types.Scope
	found []string
}

func (t *tidier) report(pos token.Pos, format string, args ...any) {
	p := t.fset.Position(pos)
	t.found = append(t.found, fmt.Sprintf("%s:%d: %s", p.Filename, p.Line, fmt.Sprintf(format, args...)))
}

// file looks through one file; test files need only be in the right place.
func (t *tidier) file(f *ast.File) {
	file := filepath.ToSlash(t.fset.Position(f.Pos()).Filename)
	for _, i := range f.Imports {
		name := strings.Trim(i.Path.Value, `"`)
		ours := name == module || strings.HasPrefix(name, module+"/")
		if !mayImport(t.pkg, strings.TrimPrefix(name, module+"/"), ours) {
			t.report(i.Pos(), "%s must not import %s", t.pkg, name)
		}
		for _, bad := range forbidden {
			if pure(t.pkg) && !slices.Contains(bare, file) && (name == bad || strings.HasPrefix(name, bad+"/")) {
				t.report(i.Pos(), "%s must not import %s", t.pkg, name)
			}
		}
	}
	if !pure(t.pkg) {
		return
	}
	noFloat := strings.HasPrefix(file, "sim/")
	ast.Inspect(f, func(n ast.Node) bool {
		t.node(n)
		e, calculates := n.(*ast.BinaryExpr)
		a, assigns := n.(*ast.AssignStmt)
		if noFloat && (calculates && t.isFloat(e) || assigns && a.Tok != token.ASSIGN && a.Tok != token.DEFINE && t.isFloat(a.Lhs[0])) {
			t.report(n.Pos(), "floating point decides something")
		}
		return true
	})
}

func (t *tidier) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.GoStmt:
		t.report(n.Pos(), "a go statement")
	case *ast.SelectStmt:
		t.report(n.Pos(), "a select statement")
	case *ast.ChanType:
		t.report(n.Pos(), "a channel")
	case *ast.SelectorExpr:
		if id, ok := n.X.(*ast.Ident); ok {
			if p, ok := t.info.Uses[id].(*types.PkgName); ok && slices.Contains(names[p.Imported().Path()], n.Sel.Name) {
				t.report(n.Pos(), "%s.%s", p.Imported().Path(), n.Sel.Name)
			}
		}
	case *ast.RangeStmt:
		if typ := t.info.TypeOf(n.X); typ != nil {
			if _, ok := typ.Underlying().(*types.Map); ok {
				t.report(n.Pos(), "the order of a map")
			}
		}
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			t.write(l)
		}
	case *ast.IncDecStmt:
		t.write(n.X)
	case *ast.CallExpr:
		if id, ok := n.Fun.(*ast.Ident); ok && (id.Name == "delete" || id.Name == "clear") && len(n.Args) > 0 {
			t.write(n.Args[0])
		}
	}
}

// write reports a write to a variable of the package.
func (t *tidier) write(e ast.Expr) {
	for {
		switch x := e.(type) {
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		case *ast.Ident:
			if v, ok := t.info.Uses[x].(*types.Var); ok && v.Parent() == t.scope && registers[x.Name] != t.fset.Position(x.Pos()).Filename {
				t.report(x.Pos(), "the variable %s of the package is written", x.Name)
			}
			return
		default:
			return
		}
	}
}

func (t *tidier) isFloat(e ast.Expr) bool {
	tv := t.info.Types[e]
	if tv.Value != nil || tv.Type == nil {
		return false // a constant is calculated by the compiler, exactly
	}
	b, ok := tv.Type.Underlying().(*types.Basic)
	return ok && b.Info()&(types.IsFloat|types.IsComplex) != 0
}

// checker type-checks the packages of the module from source, each once, without tests.
type checker struct {
	fset  *token.FileSet
	other types.Importer         // of other modules and the standard library: one, for two of their packages may share types
	dirs  map[string][]*ast.File // by import path
	done  map[string]*types.Package
	info  map[string]*types.Info
}

func (c *checker) Import(name string) (*types.Package, error) {
	files, ours := c.dirs[name]
	if !ours {
		return c.other.Import(name)
	}
	if p := c.done[name]; p != nil {
		return p, nil
	}
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}}
	p, err := (&types.Config{Importer: c}).Check(name, c.fset, files, info)
	c.done[name], c.info[name] = p, info
	return p, err
}

// exports are the files of what the compiler knows of the packages that ours import. It is asked for all of them once:
// each question takes a tenth of a second, and to check one from source takes seconds.
var exports = sync.OnceValues(func() (map[string]string, error) { return exported("./sim/...", "./models/...") })

func exported(patterns ...string) (map[string]string, error) {
	cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}, patterns...)...)
	cmd.Dir = ".."
	text, err := cmd.Output()
	files := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, file, _ := strings.Cut(strings.TrimSpace(line), " ")
		files[name] = file
	}
	return files, err
}

// compiled is what the compiler knows of a package. Ours do not import what TestTidySees does.
func compiled(name string) (io.ReadCloser, error) {
	files, err := exports()
	if err == nil && files[name] == "" {
		files, err = exported(name)
	}
	if err != nil {
		return nil, err
	}
	return os.Open(files[name])
}

// tidy reports what is wrong with a module: the text of its files, by path.
func tidy(t *testing.T, sources map[string]any, root string) []string {
	t.Helper()
	fset := token.NewFileSet()
	c := &checker{fset: fset, other: importer.ForCompiler(fset, "gc", compiled),
		dirs: map[string][]*ast.File{}, done: map[string]*types.Package{}, info: map[string]*types.Info{}}
	var order []string
	for file := range sources {
		order = append(order, file)
	}
	slices.Sort(order)
	for _, file := range order {
		src := sources[file]
		if src == nil {
			src = read(t, filepath.Join(root, file))
		}
		f, err := parser.ParseFile(c.fset, file, src, parser.SkipObjectResolution)
		require.NoError(t, err)
		name := path.Join(module, path.Dir(file))
		c.dirs[name] = append(c.dirs[name], f)
	}
	var found []string
	for _, name := range slices.Sorted(keys(c.dirs)) {
		t := &tidier{fset: c.fset, pkg: strings.TrimPrefix(name, module+"/"), info: &types.Info{}}
		if pure(t.pkg) {
			p, err := c.Import(name)
			if err != nil {
				found = append(found, err.Error())
				continue
			}
			t.info, t.scope = c.info[name], p.Scope()
		}
		for _, f := range c.dirs[name] {
			t.file(f)
		}
		found = append(found, t.found...)
	}
	return found
}

func keys[V any](m map[string]V) func(func(string) bool) {
	return func(yield func(string) bool) {
		for k := range m {
			if !yield(k) {
				return
			}
		}
	}
}

func read(t *testing.T, file string) []byte {
	t.Helper()
	b, err := fs.ReadFile(rootFS, filepath.ToSlash(strings.TrimPrefix(file, ".."+string(filepath.Separator))))
	require.NoError(t, err)
	return b
}

func TestTidy(t *testing.T) {
	sources := map[string]any{}
	require.NoError(t, fs.WalkDir(rootFS, ".", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && file != ".") {
			return fs.SkipDir
		}
		if strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go") {
			sources[file] = nil
		}
		return nil
	}))
	require.Contains(t, sources, "sim/world.go")
	require.Contains(t, sources, "models/lock/redislock/redlock.go")
	assert.Empty(t, tidy(t, sources, ".."))
}

// Each rule is broken once, and seen.
func TestTidySees(t *testing.T) {
	const base = "package sim\n\nimport \"time\"\n\ntype Time int64\nvar Table = []int{1}\nfunc Length(x time.Duration) time.Duration { const half = 0.5; var f = half * 3; _ = f; return 2 * x }\n"
	for _, c := range []struct{ file, src, want string }{
		{"sim/a.go", "package sim\nimport \"slices\"\nvar _ = slices.Max[[]int]", ""},
		{"models/lock/a.go", "package lock\nimport (\n\"fencepost/sim\"\n\"fencepost/models/internal/redis\"\n)\nvar _ sim.Time = redis.T", ""},
		{"models/lock/a.go", "package lock\nvar table = map[int]int{}\nfunc f() int { x := table; y := 1; y++; t := map[int]int{}; t[1] = 2; delete(t, 1); return x[y] }", ""},
		{"scenarios/a.go", "package scenarios\nimport (\n_ \"fencepost/models/lock\"\n_ \"go.yaml.in/yaml/v3\"\n_ \"os\"\n)\nfunc f(c chan int) { go f(c) }", ""},
		{"sim/explore/a.go", "package explore\nimport (\n_ \"fencepost/sim\"\n_ \"os\"\n_ \"sync\"\n)\nfunc f() { go f() }", ""},
		{"reports/a.go", "package reports\nimport (\n_ \"fencepost/sim\"\n_ \"github.com/olekukonko/tablewriter/tw\"\n)", ""},
		{"cmd/simctl/a.go", "package main\nimport (\n_ \"fencepost/scenarios\"\n_ \"github.com/spf13/cobra\"\n)", ""},

		{"sim/a.go", "package sim\nimport _ \"fencepost/models/lock\"", "sim must not import fencepost/models/lock"},
		{"sim/a.go", "package sim\nimport _ \"fencepost/sim/explore\"", "sim must not import fencepost/sim/explore"},
		{"sim/explore/a.go", "package explore\nimport _ \"fencepost/models/lock\"", "sim/explore must not import fencepost/models/lock"},
		{"sim/vet/a.go", "package vet\nimport _ \"golang.org/x/tools/go/analysis\"", ""},
		{"sim/explore/a.go", "package explore\nimport _ \"golang.org/x/tools/go/analysis\"", "sim/explore must not import golang.org/x/tools/go/analysis"},
		{"sim/explore/a.go", "package explore\nimport _ \"pgregory.net/rapid\"", "sim/explore must not import pgregory.net/rapid"},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/models/clock\"", ""},
		{"models/kv/version/a.go", "package version\nimport _ \"fencepost/models/clock\"", ""},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/models/kv/core\"", ""},
		{"models/kv/core/a.go", "package core\nimport _ \"fencepost/models/kv\"", "models/kv/core must not import fencepost/models/kv"},
		{"models/kv/replica/a.go", "package replica\nimport _ \"fencepost/models/kv/leader\"", "models/kv/replica must not import fencepost/models/kv/leader"},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/models/clock/ntp\"", "models/kv must not import fencepost/models/clock/ntp"},
		{"models/lock/a.go", "package lock\nimport _ \"fencepost/models/lock/redislock\"", ""},
		{"models/lock/redislock/a.go", "package redislock\nimport _ \"fencepost/models/lock/redisserver\"", ""},
		{"models/lock/redislock/a.go", "package redislock\nimport _ \"fencepost/models/lock\"", "models/lock/redislock must not import fencepost/models/lock"},
		{"models/lock/zklock/a.go", "package zklock\nimport _ \"fencepost/models/lock/etcdlock\"", "models/lock/zklock must not import fencepost/models/lock/etcdlock"},
		{"models/lock/core/a.go", "package core\nimport _ \"fencepost/models/lock/redisserver\"", "models/lock/core must not import fencepost/models/lock/redisserver"},
		{"models/lock/promises/a.go", "package promises\nimport _ \"fencepost/models/lock/core\"", "models/lock/promises must not import fencepost/models/lock/core"},
		{"models/lock/a.go", "package lock\nimport _ \"fencepost/models/check\"", ""},
		{"models/kv/replica/a.go", "package replica\nimport _ \"fencepost/models/fact\"", ""},
		{"models/check/a.go", "package check\nimport _ \"fencepost/models/fact\"", ""},
		{"models/fact/a.go", "package fact\nimport _ \"fencepost/models/check\"", "models/fact must not import fencepost/models/check"},
		{"models/check/a.go", "package check\nimport _ \"fencepost/models/lock\"", "models/check must not import fencepost/models/lock"},
		{"sim/model/a.go", "package model\nimport _ \"fencepost/models/fact\"", "sim/model must not import fencepost/models/fact"},
		{"models/lock/a.go", "package lock\nimport _ \"fencepost/models/clock\"", "models/lock must not import fencepost/models/clock"},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/models/lock\"", "models/kv must not import fencepost/models/lock"},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/sim/explore\"", "models/kv must not import fencepost/sim/explore"},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/reports\"", "models/kv must not import fencepost/reports"},
		{"sim/model/modeltest/a.go", "package modeltest\nimport _ \"fencepost/sim/simtest\"", ""},
		{"sim/model/modeltest/a.go", "package modeltest\nimport _ \"fencepost/sim/certify\"", ""},
		{"sim/model/a.go", "package model\nimport _ \"fencepost/sim/certify\"", "sim/model must not import fencepost/sim/certify"},
		{"sim/model/a.go", "package model\nimport _ \"fencepost/sim/simtest\"", "sim/model must not import fencepost/sim/simtest"},
		{"models/ratelimit/rules/a.go", "package rules\nimport _ \"go.yaml.in/yaml/v3\"", ""},
		{"models/ratelimit/policy/a.go", "package policy\nimport _ \"go.yaml.in/yaml/v3\"", "models/ratelimit/policy must not import go.yaml.in/yaml/v3"},
		{"models/internal/raft/a.go", "package raft\nimport _ \"go.etcd.io/raft/v3/raftpb\"", ""},
		{"models/lock/a.go", "package lock\nimport _ \"go.etcd.io/raft/v3/raftpb\"", "models/lock must not import go.etcd.io/raft/v3/raftpb"},
		{"reports/a.go", "package reports\nimport _ \"fencepost/internal/printable\"", ""},
		{"internal/a/a.go", "package a\nimport _ \"fencepost/sim\"", "internal/a must not import fencepost/sim"},
		{"reports/a.go", "package reports\nimport _ \"fencepost/models/lock\"", "reports must not import fencepost/models/lock"},
		{"reports/a.go", "package reports\nimport _ \"fencepost/scenarios\"", "reports must not import fencepost/scenarios"},
		{"reports/a.go", "package reports\nimport _ \"fencepost/result\"", ""},
		{"scenarios/format/a.go", "package format\nimport _ \"fencepost/result\"", ""},
		{"result/a.go", "package result\nimport _ \"fencepost/sim\"", ""},
		{"result/a.go", "package result\nimport _ \"fencepost/reports\"", "result must not import fencepost/reports"},
		{"models/kv/a.go", "package kv\nimport _ \"fencepost/result\"", "models/kv must not import fencepost/result"},
		{"reports/a.go", "package reports\nimport _ \"github.com/spf13/cobra\"", "reports must not import github.com/spf13/cobra"},
		{"scenarios/a.go", "package scenarios\nimport _ \"fencepost/reports\"", "scenarios must not import fencepost/reports"},
		{"scenarios/format/a.go", "package format\nimport _ \"fencepost/scenarios/grid\"", ""},
		{"scenarios/format/a.go", "package format\nimport _ \"fencepost/models/ratelimit/traffic\"", ""},
		{"scenarios/format/a.go", "package format\nimport _ \"fencepost/models/ratelimit/compare\"", "scenarios/format must not import fencepost/models/ratelimit/compare"},
		{"scenarios/catalog/a.go", "package catalog\nimport _ \"fencepost/models/lock\"", "scenarios/catalog must not import fencepost/models/lock"},
		{"scenarios/format/a.go", "package format\nimport _ \"fencepost/scenarios\"", "scenarios/format must not import fencepost/scenarios"},
		{"scenarios/grid/a.go", "package grid\nimport _ \"fencepost/scenarios/format\"", "scenarios/grid must not import fencepost/scenarios/format"},
		{"scenarios/gclog/a.go", "package gclog\nimport _ \"fencepost/scenarios/clocklog\"", "scenarios/gclog must not import fencepost/scenarios/clocklog"},
		{"scenarios/a.go", "package scenarios\nimport _ \"github.com/olekukonko/tablewriter\"", "scenarios must not import github.com/olekukonko/tablewriter"},

		{"sim/a.go", "package sim\nimport _ \"math/rand/v2\"", "sim must not import math/rand/v2"},
		{"sim/a.go", "package sim\nimport _ \"crypto/rand\"", "sim must not import crypto/rand"},
		{"models/lock/a.go", "package lock\nimport _ \"os\"", "models/lock must not import os"},
		{"models/lock/a.go", "package lock\nimport _ \"net/http\"", "models/lock must not import net/http"},
		{"models/lock/a.go", "package lock\nimport _ \"syscall\"", "models/lock must not import syscall"},
		{"sim/a.go", "package sim\nimport \"time\"\nvar _ = time.Now", "time.Now"},
		{"models/lock/a.go", "package lock\nimport clock \"time\"\nfunc f() { clock.Sleep(1) }", "time.Sleep"},
		{"models/lock/a.go", "package lock\nimport \"math\"\nvar _ = math.Log(3)", "math.Log"},
		{"models/lock/a.go", "package lock\nfunc f() { go f() }", "a go statement"},
		{"models/lock/a.go", "package lock\nfunc f() { select {} }", "a select statement"},
		{"models/lock/a.go", "package lock\nvar c chan int", "a channel"},
		{"models/lock/a.go", "package lock\ntype set map[int]bool\nfunc f(s set) { for range s {} }", "the order of a map"},
		{"models/lock/a.go", "package lock\nvar n int\nfunc f() { n = 1 }", "the variable n of the package is written"},
		{"models/lock/a.go", "package lock\nvar n int\nfunc f() { n++ }", "the variable n of the package is written"},
		{"models/lock/a.go", "package lock\nvar n [3]struct{ x *int }\nfunc f() { *n[1].x += 2 }", "the variable n of the package is written"},
		{"models/lock/a.go", "package lock\nvar n = map[int]int{}\nfunc f() { delete(n, 1) }", "the variable n of the package is written"},
		{"sim/a.go", "package sim\nfunc f(x float64) float64 { return x * 2 }", "floating point decides something"},
		{"sim/a.go", "package sim\nfunc f(x float32) { x += 2 }", "floating point decides something"},
		{"sim/a.go", "package sim\nfunc f() int { return \"\" }", "type"},
	} {
		found := strings.Join(tidy(t, map[string]any{
			c.file:                       c.src,
			"sim/base.go":                base,
			"models/internal/redis/r.go": "package redis\nconst T = 1",
			"models/lock/doc.go":         "package lock",
			"models/lock/core/doc.go":    "package core",
			"models/kv/doc.go":           "package kv",
			"models/fact/doc.go":         "package fact",
			"models/check/doc.go":        "package check",
			"models/kv/core/doc.go":      "package core",
			"models/kv/leader/doc.go":    "package leader",

			"models/lock/redisserver/doc.go": "package redisserver",
			"models/lock/redislock/doc.go":   "package redislock",
			"models/lock/etcdlock/doc.go":    "package etcdlock",

			"models/clock/doc.go":     "package clock",
			"models/clock/ntp/doc.go": "package ntp",
			"sim/explore/doc.go":      "package explore",
			"sim/simtest/doc.go":      "package simtest",
			"sim/certify/doc.go":      "package certify",
			"reports/doc.go":          "package reports",
			"result/doc.go":           "package result",
		}, ""), "\n")
		if c.want == "" {
			assert.Empty(t, found, "%s: %s", c.file, c.src)
		} else {
			assert.Contains(t, found, c.want, "%s: %s", c.file, c.src)
		}
	}
}

// TestFleetDirection: a form of the limiter fleet builds on the core, and on no other form.
func TestFleetDirection(t *testing.T) {
	for _, v := range []struct {
		pkg, other string
		may        bool
	}{
		{"/core", "/message", true}, {"/message", "/core", false}, {"/core", "/lease", false},
		{"/sync", "/core", true}, {"/sync", "/lease", false}, {"/properties", "/core", true},
		{"", "/sync", true}, {"/sync", "", false},
		{"/central", "/central/store", true}, {"/central/limiter", "/central/store", true}, {"/central/store", "/central/limiter", false},
		{"/central/store", "/central", false}, {"/sync", "/central/store", false}, {"/central", "/sync", false}, {"/central/store", "/core", true},
	} {
		require.Equal(t, v.may, mayImport(fleet+v.pkg, fleet+v.other, true), "%s imports %s", v.pkg, v.other)
	}
}
