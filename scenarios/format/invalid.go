package format

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"fencepost/scenarios/grid"
	"fencepost/scenarios/internal/strict"
)

// MaxProblems is how many problems are reported.
const MaxProblems = 50

// Invalid is every mistake in a scenario, in the order of the file, those of --set
// last.
type Invalid struct {
	Problems []Problem `json:"problems"`       // at most 50
	More     int       `json:"more,omitempty"` // mistakes beyond those

	Cause error `json:"-"` // why a file could not be read
}

// Problem is one mistake.
type Problem struct {
	File    string `json:"file"`              // the scenario file, or the name that was asked for
	Line    int    `json:"line,omitempty"`    // from 1; 0 is the file as a whole, or a --set
	Column  int    `json:"column,omitempty"`  // in characters, from 1
	Set     string `json:"set,omitempty"`     // "path=value" if the place is a --set
	Path    string `json:"path,omitempty"`    // keys and indices, as in faults.0.for
	Text    string `json:"text,omitempty"`    // what stands there, cut if long
	Message string `json:"message"`           // what is wrong, and what was wanted
	Nearest string `json:"nearest,omitempty"` // the valid word that Text is near to
	Excerpt string `json:"excerpt,omitempty"` // the line with a mark under Text
	Detail  string `json:"detail,omitempty"`  // further lines, such as those of a log that cannot be read
}

// Error returns position, message and path of each problem in one line, then the
// line of the file and the details.
func (e *Invalid) Error() string {
	list := strict.Error{More: e.More}
	for _, p := range e.Problems {
		s := strict.Problem{
			Position: strict.Position{File: p.File, Line: p.Line, Column: p.Column, Set: p.Set, Path: p.Path},
			Text:     p.Text, Message: p.Message, Nearest: p.Nearest, Excerpt: p.Excerpt,
		}
		if p.Detail != "" {
			s.Excerpt = strings.TrimPrefix(s.Excerpt+"\n    "+strings.ReplaceAll(p.Detail, "\n", "\n    "), "\n")
		}
		list.Problems = append(list.Problems, s)
	}
	return list.Error()
}

// Unwrap returns why a file could not be read, such as [io/fs.ErrNotExist], or nil.
func (e *Invalid) Unwrap() error { return e.Cause }

// InvalidOf is what reading a text has found as an [*Invalid], or nil.
func InvalidOf(err error) error {
	var f findings
	f.add(err, nil)
	return f.err()
}

// findings are the mistakes that the passes over one file have found so far.
type findings struct {
	list []Problem
	seen map[Problem]bool
	more int
	why  error
}

// add takes the mistakes of one pass over the file, of which an earlier pass may
// have found some. Details holds what does not fit into a line, by position. The
// mistakes that come from choices which were made name these.
func (f *findings) add(err error, details map[strict.Position]string, choices ...grid.Choice) {
	e := (*strict.Error)(nil)
	if !errors.As(err, &e) {
		return
	}
	f.more, f.why = max(f.more, e.More), cmp.Or(f.why, e.Unwrap())
	for _, p := range e.Problems {
		found := Problem{
			File: p.File, Line: p.Line, Column: p.Column, Set: p.Set, Path: p.Path,
			Text: p.Text, Message: p.Message, Nearest: p.Nearest, Excerpt: p.Excerpt, Detail: details[p.Position],
		}
		if f.seen[found] {
			continue
		}
		if f.seen == nil {
			f.seen = map[Problem]bool{}
		}
		f.seen[found] = true
		if !about(p.Position, grid.Changes(choices)) {
			found.Message = "with " + grid.SettingsText(choices) + ": " + found.Message
		}
		f.list = append(f.list, found)
	}
}

// about reports whether a position is that of a change, or nothing is changed.
func about(at strict.Position, changes []grid.Change) bool {
	return len(changes) == 0 || slices.ContainsFunc(changes, func(c grid.Change) bool {
		value := c.Value.Pos()
		for _, p := range []strict.Position{c.At, value} {
			if at.Line == p.Line && at.Column == p.Column && at.Set == p.Set {
				return true
			}
		}
		return false
	})
}

// full reports whether more mistakes would not be shown anyway.
func (f *findings) full() bool { return len(f.list) >= MaxProblems }

// err is all of it as an [*Invalid], or nil.
func (f *findings) err() error {
	if len(f.list) == 0 {
		return nil
	}
	list := slices.Clone(f.list)
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(min(len(a.Set), 1), min(len(b.Set), 1)), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	e := &Invalid{Problems: list, More: f.more, Cause: f.why}
	if extra := len(list) - MaxProblems; extra > 0 {
		e.Problems, e.More = list[:MaxProblems], f.more+extra
	}
	return e
}
