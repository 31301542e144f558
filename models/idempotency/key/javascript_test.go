package key

import (
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
)

// What is expected here was printed by node 20.

func TestParseFloatAndToFixedAreThoseOfTheLanguage(t *testing.T) {
	for _, c := range []struct {
		of   Value
		want string
	}{
		{Number(1.0 / 512), "0.00195313"}, {Number(3.0 / 512), "0.00585938"}, // of two as near the greater one
		{Text("-1e-9"), "-0.00000000"}, {Number(-1e-9), "-0.00000000"}, {Number(math.Copysign(0, -1)), "0.00000000"}, {Text("-0"), "0.00000000"},
		{Number(1e21), "1e+21"}, {Text("1e21"), "1e+21"}, {Number(1e300), "1e+300"}, {Text("1e400"), "Infinity"},
		{Text("  7"), "7.00000000"}, {Text("\u00a05."), "5.00000000"}, {Text("\ufeff9"), "9.00000000"},
		{Text("Infinity"), "Infinity"}, {Text("-Infinityx"), "-Infinity"}, {Text("+3"), "3.00000000"},
		{Text(".5e1"), "5.00000000"}, {Text("5e"), "5.00000000"}, {Text("5e+"), "5.00000000"}, {Text("0x10"), "0.00000000"},
		{Text(""), "NaN"}, {Text("."), "NaN"}, {Text("-"), "NaN"}, {Value{}, "NaN"}, {Null, "NaN"}, {Object, "NaN"},
		{Number(1e-7), "0.00000010"}, {Number(0.30000000000000004), "0.30000000"}, {Number(1 << 53), "9007199254740992.00000000"},
		{Number(5e-9), "0.00000001"}, {Number(1.5e-9), "0.00000000"}, {Number(1.000000005), "1.00000000"}, {Number(12345678.123456785), "12345678.12345679"},
	} {
		assert.Equal(t, c.want, toFixed8(parseFloat(c.of)), c.of.String())
	}
}

func TestJSONIsThatOfTheLanguage(t *testing.T) {
	for want, x := range map[string]float64{"0": math.Copysign(0, -1), "1e+21": 1e21, "100000000000000000000": 1e20, "0.000001": 1e-6, "1e-7": 1e-7,
		"1.23e-18": 123e-20, "0.30000000000000004": 0.30000000000000004, "-1.5e-10": -1.5e-10, "5e-324": 5e-324, "1.7976931348623157e+308": math.MaxFloat64, "100": 100} {
		assert.Equal(t, `{"n":`+want+`}`, JSON(Field{"n", Number(x)}))
	}
	assert.Equal(t, `{"a":null,"b":null,"c":null,"e":{}}`, JSON(Field{"a", Number(math.NaN())}, Field{"b", Number(math.Inf(-1))}, Field{"c", Null}, Field{"d", Value{}}, Field{"e", Object}))
	assert.Equal(t, `{"s":"a\"\\\b\f\n\r\t\u0001`+"\u007f\u2028"+`<>&é😀/"}`, JSON(Field{"s", Text("a\"\\\b\f\n\r\t\u0001\u007f\u2028<>&é😀/")}))
	assert.Equal(t, "{}", JSON())
}
