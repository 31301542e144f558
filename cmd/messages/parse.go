package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/scanner"
	"go/token"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/text"
)

// declaration is what a package says of its messages.
type declaration struct {
	fset     *token.FileSet
	pkg      string
	families []string // names of the structs
	kinds    []*kind
	fields   []*field
	message  *layout           // Msg
	ref      string            // "*" unless functions get messages by value
	byHand   map[string]bool   // what the package declares at its top, and the methods of Msg as "Msg.Name"
	used     map[string]bool   // every identifier
	imports  map[string]string // paths by name
	structs  map[string]*ast.StructType
	found    scanner.ErrorList
}

// field is what messages carry, declared once for all kinds.
type field struct {
	name, typ, doc string
	show           string // function that puts it into words
	set            bool
	at             *register
	half           string // "lo" or "hi" of the register, "" for all of it
	limit          bool
	kinds          []*kind
	pos            token.Pos
}

// kind is a line of a family.
type kind struct {
	name, class, label, doc string
	number                  int
	carries                 []carried
	constructor             string // as new:"" says
	say                     []part
	tags                    map[string]string
	pos                     token.Pos
}

// carried is a field of a kind.
type carried struct {
	*field
	from  string // message that a constructor takes it from
	later bool   // it is set later: a constructor does not have it
}

// wrong reports a mistake at a place.
func (d *declaration) wrong(at token.Pos, format string, args ...any) {
	d.found.Add(d.fset.Position(at), fmt.Sprintf(format, args...))
}

// near adds the nearest valid word to a mistake, or all if there are few.
func near(word string, valid []string) string {
	if n := text.Nearest(word, valid); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	if len(valid) > 0 && len(valid) <= 10 {
		return "; want " + text.Either(valid)
	}
	return ""
}

// parse reads the files of a folder that belong to the same package as the file to write, which is a test if that is.
func (d *declaration) parse(dir, out string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		d.found.Add(token.Position{Filename: dir}, err.Error())
	}
	var files []*ast.File
	for _, e := range entries {
		name := e.Name()
		match, _ := build.Default.MatchFile(dir, name)
		tests := strings.HasSuffix(name, "_test.go") == strings.HasSuffix(out, "_test.go")
		if !match || path.Ext(name) != ".go" || name == path.Base(out) || !tests {
			continue
		}
		f, err := parser.ParseFile(d.fset, path.Join(dir, name), nil, parser.ParseComments|parser.SkipObjectResolution)
		if list := (scanner.ErrorList{}); errors.As(err, &list) {
			d.found = append(d.found, list...)
		} else if err != nil {
			d.found.Add(token.Position{Filename: path.Join(dir, name)}, err.Error())
		}
		if f != nil {
			files = append(files, f)
		}
	}
	declares := func(f *ast.File) bool { return slices.ContainsFunc(f.Comments, directive) }
	if i := slices.IndexFunc(files, declares); i >= 0 {
		d.pkg = files[i].Name.Name
	}
	for _, f := range files {
		if f.Name.Name == d.pkg { // not the other package of tests
			d.file(f)
		}
	}
	if len(d.families) == 0 && len(d.found) == 0 {
		d.found.Add(token.Position{Filename: dir}, "no struct has the comment //messages:family")
	}
}

// file takes in what a file declares.
func (d *declaration) file(f *ast.File) {
	if slices.ContainsFunc(f.Comments, func(c *ast.CommentGroup) bool { return has(c, "//messages:byvalue") }) {
		d.ref = ""
	}
	for _, i := range f.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		d.imports[path.Base(p)] = p
		if i.Name != nil {
			d.imports[i.Name.Name] = p
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			d.used[n.Name] = true
		case *ast.FuncDecl:
			name := n.Name.Name
			if n.Recv != nil {
				name = strings.TrimPrefix(d.source(n.Recv.List[0].Type), "*") + "." + name
			}
			d.byHand[name] = true
		case *ast.GenDecl:
			for _, s := range n.Specs {
				if t, ok := s.(*ast.TypeSpec); ok {
					d.typ(t, directive(n.Doc) || directive(t.Doc))
				}
			}
		}
		return true
	})
}

func (d *declaration) typ(t *ast.TypeSpec, isFamily bool) {
	list, isStruct := t.Type.(*ast.StructType)
	if isStruct {
		d.structs[t.Name.Name] = list
	}
	if isFamily && isStruct {
		d.families = append(d.families, t.Name.Name)
	} else if isFamily {
		d.wrong(t.Name.Pos(), "%s is a family of messages: want a struct", t.Name.Name)
	}
}

func directive(doc *ast.CommentGroup) bool { return has(doc, "//messages:family") }

func has(doc *ast.CommentGroup, line string) bool {
	return doc != nil && slices.ContainsFunc(doc.List, func(c *ast.Comment) bool { return c.Text == line })
}

// source is an expression as the package writes it.
func (d *declaration) source(n ast.Node) string {
	var b strings.Builder
	_ = format.Node(&b, d.fset, n)
	return b.String()
}

// tags reads the tag of a field, which may have some keys.
func (d *declaration) tags(f *ast.Field, valid ...string) map[string]string {
	tags := map[string]string{}
	if f.Tag == nil {
		return tags
	}
	rest, _ := strconv.Unquote(f.Tag.Value)
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		key, after, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(after)
		if err != nil {
			d.wrong(f.Tag.Pos(), "the tag is not a list of key:\"value\"")
			break
		}
		if !slices.Contains(valid, key) {
			d.wrong(d.within(f, key+":"), "unknown key %q in the tag%s", key, near(key, valid))
		}
		tags[key], _ = strconv.Unquote(quoted)
		rest = after[len(quoted):]
	}
	return tags
}

// within is where the tag of a field has a word, else where the tag begins.
func (d *declaration) within(f *ast.Field, word string) token.Pos {
	return f.Tag.Pos() + token.Pos(max(0, strings.Index(f.Tag.Value, word)))
}

// comment is what stands behind a field, or above it, in one line.
func comment(f *ast.Field) string {
	text := f.Comment.Text()
	if text == "" {
		text = f.Doc.Text()
	}
	return strings.Join(strings.Fields(text), " ")
}
