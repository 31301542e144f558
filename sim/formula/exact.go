package formula

import (
	"fmt"
	"math/big"
)

// Exact is the value of the formula for given values of its names, without rounding but
// for a square root, which is rounded down to a billionth: durations count in nanoseconds.
// An error says where it has none: a division by 0, the square root of less, exp, log.
func (f *Formula) Exact(values func(name string) *big.Rat) (*big.Rat, error) {
	v, err := f.root.exact(values)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.text, err)
	}
	return v, nil
}

func (n *node) exact(values func(string) *big.Rat) (*big.Rat, error) {
	switch {
	case n.name != "":
		v := values(n.name)
		if v == nil {
			return nil, fmt.Errorf("%s has no value", n.name)
		}
		return v, nil
	case n.sign == 0 && n.of == "":
		v, _ := new(big.Rat).SetString(n.decimal)
		return v, nil
	case n.of == "exp" || n.of == "log":
		return nil, fmt.Errorf("%s has no exact value", n.of)
	}
	a, err := n.args[0].exact(values)
	if err != nil {
		return nil, err
	}
	if n.of == "sqrt" {
		return root(a)
	}
	b, err := n.args[1].exact(values)
	if err != nil {
		return nil, err
	}
	return n.join(a, b)
}

// join is a sign, or a function of two, on its two values.
func (n *node) join(a, b *big.Rat) (*big.Rat, error) {
	v := new(big.Rat)
	if (n.sign == '/' || n.of == "floor") && b.Sign() == 0 {
		return nil, fmt.Errorf("a division by 0")
	}
	switch {
	case n.sign == '+':
		return v.Add(a, b), nil
	case n.sign == '-':
		return v.Sub(a, b), nil
	case n.sign == '*':
		return v.Mul(a, b), nil
	case n.sign == '/':
		return v.Quo(a, b), nil
	case n.of == "floor":
		v.Quo(a, b)
		whole := new(big.Int).Div(v.Num(), v.Denom()) // a denominator is positive: rounded down
		return v.Mul(new(big.Rat).SetInt(whole), b), nil
	case (n.of == "min") == (a.Cmp(b) < 0):
		return a, nil
	}
	return b, nil
}

// root is a square root, rounded down to a billionth.
func root(a *big.Rat) (*big.Rat, error) {
	if a.Sign() < 0 {
		return nil, fmt.Errorf("the square root of %s", a.RatString())
	}
	const scale = 1_000_000_000
	scaled := new(big.Int).Mul(a.Num(), big.NewInt(scale))
	scaled.Mul(scaled, big.NewInt(scale)).Quo(scaled, a.Denom())
	return new(big.Rat).SetFrac(scaled.Sqrt(scaled), big.NewInt(scale)), nil
}
