package formula

import (
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestExact(t *testing.T) {
	values := map[string]*big.Rat{"ttl": big.NewRat(10e9, 1), "n": big.NewRat(5, 1)}
	for text, want := range map[string]string{
		"ttl/3":                       "10000000000/3",
		"ttl - 2*5ms":                 "9990000000",
		"floor(ttl/100 + 1ns, 1ms)":   "100000000",
		"floor(-ttl, 3s)":             "-12000000000",
		"n - floor(n/2, 1) - 1":       "2",
		"max(0, 1s - ttl)":            "0",
		"min(ttl, 1s) + min(1s, ttl)": "2000000000",
		"max(ttl, 1s)":                "10000000000",
		"2*(ttl + 1.2*ttl)":           "44000000000",
		"0.1 + 0.2 - 0.3":             "0",
		"sqrt(n*n)":                   "5",
		"sqrt(2*ttl*ttl)":             "1767766952966368811/125000000",
		"-n*-n":                       "25",
	} {
		f, err := ParseOf(text, []string{"ttl", "n"})
		require.NoError(t, err, text)
		v, err := f.Exact(func(name string) *big.Rat { return values[name] })
		require.NoError(t, err, text)
		assert.Equal(t, want, v.RatString(), text)
	}
}

func TestExactHasNone(t *testing.T) {
	for text, want := range map[string]string{
		"n/(n - n)": "division by 0", "floor(n, 0)": "division by 0", "exp(n)": "exp has no exact value", "sqrt(0 - n)": "the square root of -2", "1 + m": "m has no value",
	} {
		f, err := ParseOf(text, []string{"n", "m"})
		require.NoError(t, err, text)
		_, err = f.Exact(func(name string) *big.Rat {
			if name == "n" {
				return big.NewRat(2, 1)
			}
			return nil
		})
		assert.ErrorContains(t, err, want, text)
	}
	_, err := ParseOf("m", []string{"n"})
	assert.ErrorContains(t, err, `"m" in the formula`)
}
