package formula

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAt(t *testing.T) {
	for text, want := range map[string]float64{
		"3*(x-1)":                  27,
		"x - 2 - 3":                5,
		"x / 2 / 5":                1,
		"2 + 3 * 4":                14,
		"-x + -(-1)":               -9,
		"max(0, x - 8060ms)":       0,
		"floor(x, 4)":              8,
		"min(1us, 1500ns)":         1000,
		"exp(-20/x)":               math.Exp(-2),
		"sqrt(log(exp(1)) * 0.25)": 0.5,
		" 1.5 ":                    1.5,
	} {
		f, err := Parse(text)
		require.NoError(t, err, text)
		assert.InDelta(t, want, f.At(10), 1e-12, text)
		assert.Equal(t, text, f.String())
	}
}

func TestBad(t *testing.T) {
	for text, want := range map[string]string{
		"": "ends too soon", "x +": "ends too soon", "(x": "ends too soon", "max(x)": `")"`, "y": `"y"`, "3s4x": `"3s4x"`,
		"x x": `"x"`, "1.2.3": `"1.2.3"`, "exp x": `"x"`, "x ^ 2": `"^"`, "\x80": "", "x; rm": `";"`,
		strings.Repeat("(", 201): "at most 200",
	} {
		_, err := Parse(text)
		assert.ErrorContains(t, err, want, text)
	}
}

// FuzzParse: what is read has a value or none, and reading it again gives the same.
func FuzzParse(f *testing.F) {
	f.Add("max(0, x - 8060ms)", 1e9)
	f.Add("exp(-(x/3)*1)", 2.0)
	f.Fuzz(func(t *testing.T, text string, x float64) {
		g, err := Parse(text)
		if err != nil {
			require.NotEmpty(t, err.Error())
			return
		}
		again, err := Parse(g.String())
		require.NoError(t, err)
		a, b := g.At(x), again.At(x)
		require.True(t, a == b || math.IsNaN(a) && math.IsNaN(b))
	})
}
