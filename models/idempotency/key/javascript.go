package key

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Value is a value of JavaScript, as much of it as the keys of the article need. The zero
// Value is undefined.
//
// Source: ECMA-262, 2024.
type Value struct {
	kind   kind
	text   string
	number float64
}

type kind uint8

const (
	undefined kind = iota
	null
	jsString
	number
	object
)

// Null is the value null, and Object any object without a number of its own, as the result
// of a query.
var (
	Null   = Value{kind: null}
	Object = Value{kind: object}
)

// Text is a string.
func Text(s string) Value { return Value{kind: jsString, text: s} }

// Number is a number.
func Number(x float64) Value { return Value{kind: number, number: x} }

// truthy is ToBoolean, section 7.1.2.
func (v Value) truthy() bool {
	switch v.kind {
	case jsString:
		return v.text != ""
	case number:
		return v.number != 0 && v.number == v.number
	}
	return v.kind == object
}

// String is ToString, sections 7.1.17 and 6.1.6.1.20.
func (v Value) String() string {
	switch v.kind {
	case undefined:
		return "undefined"
	case null:
		return "null"
	case jsString:
		return v.text
	case object:
		return "[object Object]"
	}
	return numberText(v.number)
}

// numberText is Number::toString: the shortest digits that are this number, with an exponent
// below 1e-6 and from 1e21.
func numberText(x float64) string {
	switch {
	case x != x:
		return "NaN"
	case math.IsInf(x, 0):
		return strings.TrimPrefix(strconv.FormatFloat(x, 'f', -1, 64), "+") + "inity"
	case x == 0:
		return "0" // also of -0
	}
	if a := math.Abs(x); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	return mantissa + "e" + exponent[:1] + strings.TrimLeft(exponent[1:], "0")
}

// spaces are what parseFloat and trim remove: WhiteSpace and LineTerminator, section 12.
const spaces = "\t\v\f \u00a0\ufeff\n\r\u2028\u2029\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"

// parseFloat is the number at the beginning of a text, NaN if there is none, section 19.2.4.
func parseFloat(v Value) float64 {
	s := strings.TrimLeft(v.String(), spaces)
	n := prefix(s)
	if n == 0 {
		return math.NaN()
	}
	x, _ := strconv.ParseFloat(s[:n], 64) // out of range is an infinity, as there
	return x
}

// prefix is how much of a text is a StrDecimalLiteral.
func prefix(s string) int {
	digits := func(i int) int {
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		return i
	}
	begin := 0
	if s != "" && (s[0] == '+' || s[0] == '-') {
		begin = 1
	}
	if strings.HasPrefix(s[begin:], "Infinity") {
		return begin + len("Infinity")
	}
	end := digits(begin)
	found := end > begin
	if end < len(s) && s[end] == '.' {
		fraction := digits(end + 1)
		if found = found || fraction > end+1; found {
			end = fraction
		}
	}
	if !found {
		return 0
	}
	if end < len(s) && (s[end] == 'e' || s[end] == 'E') {
		exponent := end + 1
		if exponent < len(s) && (s[exponent] == '+' || s[exponent] == '-') {
			exponent++
		}
		if last := digits(exponent); last > exponent {
			return last
		}
	}
	return end
}

// toFixed8 is Number.prototype.toFixed(8), section 21.1.3.3: of two numerals as near the
// greater one, calculated exactly.
func toFixed8(x float64) string {
	if x != x || math.IsInf(x, 0) || math.Abs(x) >= 1e21 {
		return numberText(x)
	}
	sign := ""
	if x < 0 {
		sign, x = "-", -x
	}
	r := new(big.Rat).SetFloat64(x)
	r.Mul(r, big.NewRat(1e8, 1)).Add(r, big.NewRat(1, 2))
	n := new(big.Int).Quo(r.Num(), r.Denom()).String()
	n = strings.Repeat("0", max(0, 9-len(n))) + n
	return sign + n[:len(n)-8] + "." + n[len(n)-8:]
}

// Less is a < b: of two texts by their letters, otherwise by what they are as numbers, which
// is never true of an object.
//
// Source: section 7.2.12. Texts beyond the basic plane, whose order there is another, are not
// looked at.
func Less(a, b Value) bool {
	if a.kind == jsString && b.kind == jsString {
		return a.text < b.text
	}
	return a.toNumber() < b.toNumber()
}

// toNumber is ToNumber, section 7.1.4, of decimal literals.
func (v Value) toNumber() float64 {
	switch v.kind {
	case null:
		return 0
	case number:
		return v.number
	case jsString:
		s := strings.Trim(v.text, spaces)
		if s == "" {
			return 0
		}
		if prefix(s) == len(s) {
			return parseFloat(v)
		}
	}
	return math.NaN()
}

// Field is a property of an object literal.
type Field struct {
	Name  string
	Value Value
}

// JSON is JSON.stringify of an object with these properties, in their order. What is undefined
// is left out.
//
// Source: section 25.5.2. A name that is a whole number, which would come first there, is not
// treated apart.
func JSON(fields ...Field) string {
	var b strings.Builder
	b.WriteByte('{')
	for _, f := range fields {
		if f.Value.kind == undefined {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		quote(&b, f.Name)
		b.WriteByte(':')
		switch v := f.Value; {
		case v.kind == jsString:
			quote(&b, v.text)
		case v.kind == object:
			b.WriteString("{}")
		case v.kind == number && (v.number != v.number || math.IsInf(v.number, 0)):
			b.WriteString("null")
		default:
			b.WriteString(v.String())
		}
	}
	b.WriteByte('}')
	return b.String()
}

// quote is QuoteJSONString.
func quote(b *strings.Builder, s string) {
	const hex = "0123456789abcdef"
	b.WriteByte('"')
	for _, c := range s {
		switch i := strings.IndexRune("\b\t\n\f\r\"\\", c); {
		case i >= 0:
			b.WriteByte('\\')
			b.WriteByte("btnfr\"\\"[i])
		case c < ' ':
			b.WriteString(`\u00`)
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		default:
			b.WriteRune(c)
		}
	}
	b.WriteByte('"')
}
