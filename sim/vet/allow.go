package vet

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// directive begins the comment that allows what stands on its line or, if nothing
// else does, on the line after it.
const directive = "//fencepost:allow"

// An allowance is one such comment.
type allowance struct {
	pos    token.Pos
	file   string
	line   int // that it is about
	reason string
	used   bool
}

// complaint is what is wrong with the comment itself.
func (a *allowance) complaint() string {
	switch {
	case a.reason == "":
		return "fencepost:allow says no reason, so whether it still holds is unknown; write one after it"
	case !a.used:
		return "fencepost:allow allows nothing here, and would hide what comes next; remove it"
	}
	return ""
}

func allowances(pass *analysis.Pass) (list []*allowance) {
	for _, f := range pass.Files {
		var code map[int]token.Pos
		for _, group := range f.Comments {
			for _, comment := range group.List {
				rest, ok := strings.CutPrefix(comment.Text, directive)
				if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
					continue
				}
				if code == nil {
					code = firstOnLine(pass.Fset, f)
				}
				reason, _, _ := strings.Cut(rest, "// want") // of a test of this package
				p := pass.Fset.Position(comment.Pos())
				a := &allowance{pos: comment.Pos(), file: p.Filename, line: p.Line, reason: strings.TrimSpace(reason)}
				if first, ok := code[p.Line]; !ok || first > comment.Pos() {
					a.line++
				}
				list = append(list, a)
			}
		}
	}
	return list
}

// firstOnLine is where the code of each line begins, of the lines where something
// begins or ends.
func firstOnLine(fset *token.FileSet, f *ast.File) map[int]token.Pos {
	first := map[int]token.Pos{}
	note := func(pos token.Pos) {
		line := fset.Position(pos).Line
		if old, ok := first[line]; !ok || pos < old {
			first[line] = pos
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n.(type) {
		case nil, *ast.Comment, *ast.CommentGroup:
			return false
		case *ast.File:
			return true
		}
		note(n.Pos())
		note(n.End() - 1)
		return true
	})
	return first
}

// allowed is the comment about a position, nil if there is none.
func (c *checker) allowed(pos token.Pos) *allowance {
	if len(c.allows) == 0 || pos == token.NoPos {
		return nil
	}
	p := c.pass.Fset.Position(pos)
	for _, a := range c.allows {
		if a.line == p.Line && a.file == p.Filename {
			return a
		}
	}
	return nil
}

// allow takes out of the graph what comments allow: findings on their line, and calls
// on it with all that they lead to.
func (c *checker) allow() {
	units := c.order
	for _, s := range c.sent {
		units = append(units, s.u)
	}
	for _, u := range units {
		if u.foreign {
			continue
		}
		kept := u.found[:0]
		for _, f := range u.found {
			if a := c.allowed(f.pos); a != nil {
				a.used = true
			} else {
				kept = append(kept, f)
			}
		}
		u.found = kept
	}
	type cut struct {
		u *unit
		e edge
	}
	var cuts []cut
	for _, u := range units {
		for _, e := range u.edges {
			a := c.allowed(e.pos)
			if a == nil {
				continue
			}
			if found, _ := reach(e.to); len(found) > 0 {
				a.used = true
				cuts = append(cuts, cut{u, e})
			}
		}
	}
	for _, k := range cuts { // only now: what one of them hides must not leave another unused
		k.u.remove(k.e)
	}
}
