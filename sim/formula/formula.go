// Package formula reads closed forms such as max(0, x - 8060ms), so that what a proof
// says can be drawn over what was simulated. It decides nothing in a run.
package formula

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// MaxLength is the longest text of a formula, in bytes.
const MaxLength = 200

// A Formula is a number that depends on x, or on other names.
type Formula struct {
	text string
	root *node
}

// A node is a part of a formula: a sign or a function of its arguments, a name, or else
// a number.
type node struct {
	sign    byte // + - * /, or 0
	of      string
	args    [2]*node
	name    string
	number  float64
	decimal string // the same number exactly: digits, or nanoseconds
}

// String is the text that was read.
func (f *Formula) String() string { return f.text }

// At is the value at x. It is no number, or infinite, where the formula has none.
func (f *Formula) At(x float64) float64 { return f.root.at(x) }

func (n *node) at(x float64) float64 {
	switch {
	case n.name != "":
		return x
	case n.of != "":
		a, b := n.args[0].at(x), 0.0
		if n.args[1] != nil {
			b = n.args[1].at(x)
		}
		return functions[n.of].of(a, b)
	case n.sign == 0:
		return n.number
	}
	a, b := n.args[0].at(x), n.args[1].at(x)
	switch n.sign {
	case '+':
		return a + b
	case '-':
		return a - b
	case '*':
		return a * b
	}
	return a / b
}

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
	// floor is the largest multiple of the second that is not above the first.
	"floor": {2, func(a, b float64) float64 { return math.Floor(a/b) * b }},
}

// Parse reads a formula of x: numbers, durations such as 8060ms, which count in
// nanoseconds, + - * / and parentheses, and the functions exp, log, sqrt, min, max and floor, where
// floor(a, b) is the largest multiple of b that is not above a.
func Parse(text string) (*Formula, error) { return ParseOf(text, []string{"x"}) }

// ParseOf reads a formula of names other than x, each of letters.
func ParseOf(text string, names []string) (*Formula, error) {
	if len(text) > MaxLength {
		return nil, fmt.Errorf("a formula of %d bytes: want at most %d", len(text), MaxLength)
	}
	p := &parser{rest: text, names: names}
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
	rest  string
	names []string
	err   error
}

// want says what a formula is made of.
func (p *parser) want() string {
	return "want numbers, durations such as 8060ms, " + strings.Join(p.names, ", ") + ", + - * /, parentheses, and exp, log, sqrt, min, max or floor"
}

func (p *parser) skip() { p.rest = strings.TrimLeft(p.rest, " ") }

func (p *parser) fail() {
	if p.err != nil {
		return
	}
	if p.err = fmt.Errorf("the formula ends too soon: %s", p.want()); p.rest != "" {
		_, n := utf8.DecodeRuneInString(p.rest)
		p.err = fmt.Errorf("%q in the formula: %s", p.rest[:n], p.want())
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

func (p *parser) sum() *node     { return p.chain("+-", p.product) }
func (p *parser) product() *node { return p.chain("*/", p.signed) }

// chain reads parts with signs between them, from the left.
func (p *parser) chain(signs string, part func() *node) *node {
	a := part()
	for {
		sign, ok := p.take(signs)
		if !ok {
			return a
		}
		a = &node{sign: sign, args: [2]*node{a, part()}}
	}
}

func (p *parser) signed() *node {
	if _, minus := p.take("-"); minus {
		return &node{sign: '*', args: [2]*node{{number: -1, decimal: "-1"}, p.signed()}}
	}
	return p.atom()
}

func (p *parser) atom() *node {
	nothing := &node{decimal: "0"}
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
		n := &node{of: word, args: [2]*node{p.sum()}}
		if f.takes == 2 {
			p.must(",")
			n.args[1] = p.sum()
		}
		p.must(")")
		return n
	}
	if slices.Contains(p.names, word) {
		p.rest = p.rest[end:]
		return &node{name: word}
	}
	n, err := number(word)
	if err != nil {
		p.err = fmt.Errorf("%q in the formula: %s", word, p.want())
		return nothing
	}
	p.rest = p.rest[end:]
	return n
}

// wordly reports whether a byte is part of a word or of a number.
func wordly(c byte) bool {
	return c >= '0' && c <= '9' || c == '.' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80
}

func number(word string) (*node, error) {
	if strings.Trim(word, "0123456789.") == "" {
		v, err := strconv.ParseFloat(word, 64)
		return &node{number: v, decimal: word}, err
	}
	d, err := time.ParseDuration(word)
	return &node{number: float64(d), decimal: strconv.FormatInt(int64(d), 10)}, err
}
