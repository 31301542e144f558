package comments

import (
	"reflect"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

type documented struct{ A, B int }

func TestSource(t *testing.T) {
	s := &Source{Module: "fencepost", FS: fstest.MapFS{
		"scenarios/internal/comments/a.go": {Data: []byte(`package comments

// documented is a type
// of two lines.
type documented struct {
	A, C int // of both
	// B stands above.
	B int
}
`)},
		"scenarios/internal/comments/a_test.go": {Data: []byte("this is not even Go")},
	}}
	of := reflect.TypeFor[documented]()
	require.Equal(t, "documented is a type of two lines.", s.Of(of, ""))
	require.Equal(t, "of both", s.Of(of, "A"))
	require.Equal(t, "of both", s.Of(of, "C"))
	require.Equal(t, "B stands above.", s.Of(of, "B"))
	require.Empty(t, s.Of(of, "D"))
	require.Empty(t, s.Of(reflect.TypeFor[testing.T](), "D"), "of another module")
	require.Empty(t, s.Of(reflect.TypeFor[int](), ""))
	require.NoError(t, s.Err())
}

func TestSourceThatCannotBeRead(t *testing.T) {
	s := &Source{Module: "fencepost", FS: fstest.MapFS{"scenarios/internal/comments/a.go": {Data: []byte("package")}}}
	require.Empty(t, s.Of(reflect.TypeFor[documented](), "A"))
	require.ErrorContains(t, s.Err(), "a.go:1:8")
}
