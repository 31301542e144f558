package modeltest

import (
	"strings"
	"testing"

	"fencepost/sim/model"
)

// Case is a change of the default parameters, and what is wrong then. Without a path nothing
// is.
type Case[P any] struct {
	Path, Says string // Says is a part of the message
	Set        func(*P)
}

// Refused tests what tags cannot say: each case is refused for its path, and for nothing
// else.
func Refused[P any](t testing.TB, defaults func() P, problems func(*P) []model.ValidationError, cases ...Case[P]) {
	t.Helper()
	for i, c := range cases {
		p := defaults()
		c.Set(&p)
		found := problems(&p)
		right := len(found) == 1 && found[0].Path == c.Path && strings.Contains(found[0].Message, c.Says)
		if c.Path == "" {
			right = len(found) == 0
		}
		if !right {
			t.Errorf("modeltest: case %d: want %q refused with %q, got %v", i+1, c.Path, c.Says, found)
		}
	}
}
