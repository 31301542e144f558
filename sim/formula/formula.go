// Package formula reads closed forms such as max(0, x - 8060ms), so that what a proof
// says can be drawn over what was simulated. It decides nothing in a run.
package formula

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxLength is the longest text of a formula, in bytes.
const MaxLength = 200

// A Formula is a number that depends on x.
type Formula struct {
	text string
	root node
}

// node is a part of a formula.
type node func(x float64) float64

// String is the text that was read.
func (f *Formula) String() string { return f.text }

// At is the value at x. It is no number, or infinite, where the formula has none.
func (f *Formula) At(x float64) float64 { return f.root(x) }

// functions by name, with how many arguments they take.
var functions = map[string]struct {
	takes int
	of    func(a, b float64) float64
}{
	"exp":  {1, func(a, _ float64) float64 { return math.Exp(a) }},
	"log":  {1, func(a, _ float64) float64 { return math.Log(a) }},
	"sqrt": {1, func(a, _ float64) float64 { return math.Sqrt(a) }},
	"min":  {2, math.Min},
	"max":  {2, math.Max},
}

const want = "want numbers, durations such as 8060ms, x, + - * /, parentheses, and exp, log, sqrt, min or max"

// Parse reads a formula of x: numbers, durations such as 8060ms, which count in
// nanoseconds, + - * / and parentheses, and the functions exp, log, sqrt, min and max.
func Parse(text string) (*Formula, error) {
	if len(text) > MaxLength {
		return nil, fmt.Errorf("a formula of %d bytes: want at most %d", len(text), MaxLength)
	}
	p := &parser{rest: text}
	root := p.sum()
	if p.skip(); p.err == nil && p.rest != "" {
		p.fail()
	}
	if p.err != nil {
		return nil, p.err
	}
	return &Formula{text, root}, nil
}

// parser reads from the left. Once it has failed, it reads nothing more.
type parser struct {
	rest string
	err  error
}

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *parser) fail() {
	if p.err != nil {
		return
	}
	if p.err = fmt.Errorf("the formula ends too soon: %s", want); p.rest != "" {
		_, n := utf8.DecodeRuneInString(p.rest)
		p.err = fmt.Errorf("%q in the formula: %s", p.rest[:n], want)
	}
}

// take reads a sign, if it is one of these.
func (p *parser) take(signs string) (byte, bool) {
	if p.skip(); p.err != nil || p.rest == "" || strings.IndexByte(signs, p.rest[0]) < 0 {
		return 0, false
	}
	sign := p.rest[0]
	p.rest = p.rest[1:]
	return sign, true
}

func (p *parser) must(sign string) {
	if _, ok := p.take(sign); !ok {
		p.fail()
	}
}

func (p *parser) sum() node {
	a := p.product()
	for {
		sign, ok := p.take("+-")
		if !ok {
			return a
		}
		left, right := a, p.product()
		if sign == '+' {
			a = func(x float64) float64 { return left(x) + right(x) }
		} else {
			a = func(x float64) float64 { return left(x) - right(x) }
		}
	}
}

func (p *parser) product() node {
	a := p.signed()
	for {
		sign, ok := p.take("*/")
		if !ok {
			return a
		}
		left, right := a, p.signed()
		if sign == '*' {
			a = func(x float64) float64 { return left(x) * right(x) }
		} else {
			a = func(x float64) float64 { return left(x) / right(x) }
		}
	}
}

func (p *parser) signed() node {
	if _, minus := p.take("-"); minus {
		a := p.signed()
		return func(x float64) float64 { return -a(x) }
	}
	return p.atom()
}

func (p *parser) atom() node {
	nothing := func(float64) float64 { return 0 }
	if _, ok := p.take("("); ok {
		a := p.sum()
		p.must(")")
		return a
	}
	end := 0
	for end < len(p.rest) && wordly(p.rest[end]) {
		end++
	}
	word := p.rest[:end]
	if p.err != nil || word == "" {
		p.fail()
		return nothing
	}
	if f, ok := functions[word]; ok {
		p.rest = p.rest[end:]
		p.must("(")
		a, b := p.sum(), node(nothing)
		if f.takes == 2 {
			p.must(",")
			b = p.sum()
		}
		p.must(")")
		return func(x float64) float64 { return f.of(a(x), b(x)) }
	}
	if word == "x" {
		p.rest = p.rest[end:]
		return func(x float64) float64 { return x }
	}
	v, err := number(word)
	if err != nil {
		p.err = fmt.Errorf("%q in the formula: %s", word, want)
		return nothing
	}
	p.rest = p.rest[end:]
	return func(float64) float64 { return v }
}

// wordly reports whether a byte is part of a word or of a number.
func wordly(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func number(word string) (float64, error) {
	if strings.Trim(word, "0123456789.") == "" {
		return strconv.ParseFloat(word, 64)
	}
	d, err := time.ParseDuration(word)
	return float64(d), err
}
