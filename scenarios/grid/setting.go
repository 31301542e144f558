package grid

import (
	"slices"
	"strings"

	"fencepost/result"
	"fencepost/scenarios/internal/strict"
)

// position is where mistakes in a setting are.
func position(s result.Setting, doc *strict.Doc) strict.Position {
	return strict.Position{File: doc.Name(), Set: s.Path + "=" + strict.Excerpt(s.Value)}
}

// Replaced is settings with one more, and without those that it makes void.
func Replaced(sets []result.Setting, path, value string) []result.Setting {
	rest := slices.DeleteFunc(slices.Clone(sets), func(s result.Setting) bool { return s.Path == path || strings.HasPrefix(s.Path, path+".") })
	return append(rest, result.Setting{Path: path, Value: value})
}
