package lazyregexp_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"fencepost/internal/lazyregexp"
)

func TestARegularExpressionIsCompiledOnce(t *testing.T) {
	digits := lazyregexp.New(`\d+`)
	require.Equal(t, "12", digits().FindString("a12b"))
	require.Same(t, digits(), digits())
}

func TestAMistakeIsFoundAtTheFirstUse(t *testing.T) {
	wrong := lazyregexp.New(`(`)
	require.Panics(t, func() { wrong() })
}
