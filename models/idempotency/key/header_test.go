package key

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const uuid = "8e03978e-40d5-43e8-bc93-6894a57f9324"

// ID-23: quoted, unquoted, missing, and too short by one.
func TestAHeaderIsAStructuredStringOfAtLeast20Characters(t *testing.T) {
	h := Structured()
	key, err := h.Parse(`"` + uuid + `"`)
	require.NoError(t, err)
	assert.Equal(t, uuid, key)
	for want, values := range map[string][]string{
		"Idempotency-Key: want a structured string in quotation marks, as \"" + uuid + "\"": {uuid},
		"Idempotency-Key: the header is missing":                                            nil,
		"Idempotency-Key: want at least 20 characters, got 19":                              {`"` + uuid[:19] + `"`},
	} {
		_, err := h.Parse(values...)
		assert.EqualError(t, err, want)
	}
	_, err = h.Parse(`"` + uuid[:20] + `"`)
	assert.NoError(t, err)
}

func TestARefusalSaysWhyAndWhere(t *testing.T) {
	long := strings.Repeat("k", 256)
	for _, c := range []struct {
		header Header
		value  string
		want   Reason
		at     int
	}{
		{Header{}, "", Empty, 0},
		{Header{}, " \t ", Empty, 0},
		{Header{}, `""`, Empty, 0},
		{Header{}, `"a`, Unterminated, 2},
		{Header{}, `"`, Unterminated, 1},
		{Header{}, `"a\b"`, BadEscape, 2},
		{Header{}, `"a\`, BadEscape, 2},
		{Header{}, `"a\"`, Unterminated, 4},
		{Header{}, `"a", "b"`, Separator, 3},
		{Header{}, `"a" ;n=1`, Separator, 4},
		{Header{}, `"a"b`, Trailing, 3},
		{Header{}, "\"a\tb\"", Control, 2},
		{Header{}, "\"a\nb\"", Control, 2},
		{Header{}, "\"a\x00\"", Control, 2},
		{Header{}, "\"\x7f\"", Control, 1},
		{Header{}, "\"a\xff\"", NotUTF8, 2},
		{Header{}, `"schlüssel"`, NotASCII, 5},
		{Header{}, `'a'`, Unquoted, 0},
		{Header{}, `:YQ==:`, Unquoted, 0},
		{Structured(), `"` + long + `"`, TooLong, 256},
		{Structured(), `"short"`, TooShort, 5},
		{Stripe(), long, TooLong, 256},
		{Stripe(), "a, b", Separator, 1},
		{Stripe(), "a\u0085b", Control, 1},
		{Stripe(), "a\xc3", NotUTF8, 1},
	} {
		_, err := c.header.Parse(c.value)
		var e *Error
		require.ErrorAs(t, err, &e, c.value)
		assert.Equal(t, c.want, e.Reason, c.value)
		assert.Equal(t, c.at, e.At, c.value)
	}
	_, err := Stripe().Parse("a", "b")
	assert.EqualError(t, err, "Idempotency-Key: want one header, got several")
	_, err = (Header{}).Parse(`"a`)
	assert.EqualError(t, err, "Idempotency-Key: the quotation mark that ends the string is missing at byte 2")
}

func TestAKeyIsWhatStandsBetweenTheQuotationMarks(t *testing.T) {
	for _, c := range []struct {
		header      Header
		value, want string
	}{
		{Header{}, `"a"`, "a"},
		{Header{}, `  "a"  `, "a"},
		{Header{}, `"a b,c;d"`, "a b,c;d"},
		{Header{}, `"\"\\"`, `"\`},
		{Structured(), `"` + strings.Repeat("k", 255) + `"`, strings.Repeat("k", 255)},
		{Stripe(), uuid, uuid},
		{Stripe(), `"a"`, `"a"`},
		{Stripe(), strings.Repeat("ü", 255), strings.Repeat("ü", 255)},
		{Stripe(), "a\ufffd", "a\ufffd"},
	} {
		key, err := c.header.Parse(c.value)
		require.NoError(t, err, c.value)
		assert.Equal(t, c.want, key)
	}
}

// FuzzHeader: a header is refused for a reason, or gives a key within the limits that, written
// as a header again, is the same key.
func FuzzHeader(f *testing.F) {
	for _, s := range []string{`"` + uuid + `"`, uuid, "", `"`, `"a\"b"`, `"a";b`, "\"\xff\"", "a,b", `"\`} {
		f.Add(s, uint8(0), uint8(20), false)
		f.Add(s, uint8(1), uint8(255), true)
	}
	f.Fuzz(func(t *testing.T, value string, least, most uint8, raw bool) {
		h := Header{Raw: raw, Least: int(least), Most: int(most)}
		key, err := h.Parse(value)
		var e *Error
		if errors.As(err, &e) {
			if e.Reason == 0 || e.Error() == "" || key != "" {
				t.Fatalf("%q: %v with key %q", value, err, key)
			}
			return
		}
		n := utf8.RuneCountInString(key)
		if err != nil || n < max(1, h.Least) || h.Most > 0 && n > h.Most || !utf8.ValidString(key) {
			t.Fatalf("%q: key %q of %d characters, %v", value, key, n, err)
		}
		again := key
		if !raw {
			again = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(key) + `"`
		}
		if twice, err := h.Parse(again); err != nil || twice != key {
			t.Fatalf("%q: %q is read as %q, %v", value, again, twice, err)
		}
	})
}
