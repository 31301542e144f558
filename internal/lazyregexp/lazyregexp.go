// Package lazyregexp has regular expressions that a program compiles when it first asks for them: one that has many for logs
// that it rarely reads starts sooner.
package lazyregexp

import (
	"regexp"
	"sync"
)

// New is the regular expression expr, compiled at the first call. That panics if expr is none.
func New(expr string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })
}
