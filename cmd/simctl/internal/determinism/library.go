package determinism

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// library is the folder of the standard library, with a separator at its end. The analyzer does not look into its
// functions, and their bodies are most of what there is to be checked.
type library string

// standard is the library of the go command in a folder; "", which has no file, if it does not say.
func standard(ctx context.Context, dir string) library {
	c := exec.CommandContext(ctx, "go", "env", "GOROOT")
	c.Dir = dir
	root, err := c.Output()
	if err != nil {
		return ""
	}
	return library(filepath.Join(strings.TrimSpace(string(root)), "src") + string(filepath.Separator))
}

func (l library) has(name string) bool { return l != "" && strings.HasPrefix(name, string(l)) }

// parse parses a file, of the library without bodies.
func (l library) parse(fset *token.FileSet, name string, text []byte) (*ast.File, error) {
	if !l.has(name) {
		return parser.ParseFile(fset, name, text, parser.AllErrors|parser.ParseComments)
	}
	file, err := parser.ParseFile(fset, name, text, parser.SkipObjectResolution)
	if err != nil {
		return file, err
	}
	for _, d := range file.Decls {
		f, is := d.(*ast.FuncDecl)
		switch {
		case !is || f.Type.TypeParams != nil: // a generic function must have one
		case f.Recv == nil && f.Name.Name == "init":
			f.Body = &ast.BlockStmt{Lbrace: f.Body.Pos(), Rbrace: f.Body.Pos()}
		default:
			f.Body = nil
		}
	}
	return file, nil
}

// unused reports whether an error is that a file of the library imports what only bodies use.
func (l library) unused(e packages.Error) bool {
	return l.has(e.Pos) && strings.Contains(e.Msg, " and not used")
}
