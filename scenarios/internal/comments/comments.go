// Package comments reads what the source says of types and their fields: a program that
// runs does not know its comments.
package comments

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"reflect"
	"strings"
)

// Source is the source of a module.
type Source struct {
	FS     fs.FS  // its root
	Module string // its name, with which the paths of its packages begin

	packages map[string]map[string]string // by path of the package, by "Type" or "Type.Field"
	err      error
}

// Of is the comment on a field of a struct type, or on the type itself if the field is
// "", on one line; "" if there is none. What cannot be read is told by [Source.Err].
func (s *Source) Of(t reflect.Type, field string) string {
	dir, ours := strings.CutPrefix(t.PkgPath(), s.Module+"/")
	if !ours || t.Name() == "" {
		return ""
	}
	if s.packages == nil {
		s.packages = map[string]map[string]string{}
	}
	if s.packages[dir] == nil {
		s.packages[dir] = map[string]string{}
		if err := s.read(dir); err != nil && s.err == nil {
			s.err = err
		}
	}
	key := t.Name()
	if field != "" {
		key += "." + field
	}
	return s.packages[dir][key]
}

// Err is the first error of reading, or nil.
func (s *Source) Err() error { return s.err }

// read reads the comments of a package.
func (s *Source) read(dir string) error {
	files, err := fs.Glob(s.FS, path.Join(dir, "*.go"))
	if err != nil {
		return err
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := fs.ReadFile(s.FS, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				keep(s.packages[dir], g)
			}
		}
	}
	return nil
}

// keep notes the comments of the struct types of a declaration.
func keep(into map[string]string, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		t, ok := spec.(*ast.TypeSpec)
		if !ok {
			continue
		}
		doc := t.Doc
		if doc == nil {
			doc = g.Doc
		}
		into[t.Name.Name] = line(doc)
		fields, ok := t.Type.(*ast.StructType)
		if !ok {
			continue
		}
		for _, f := range fields.Fields.List {
			text := line(f.Comment)
			if text == "" {
				text = line(f.Doc)
			}
			for _, name := range f.Names {
				into[t.Name.Name+"."+name.Name] = text
			}
		}
	}
}

// line is a comment without its line breaks.
func line(c *ast.CommentGroup) string { return strings.Join(strings.Fields(c.Text()), " ") }
