package key

import (
	"math/big"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func fingerprint(t require.TestingT, tenant string, parts ...Part) string {
	f, err := Fingerprint(tenant, parts...)
	require.NoError(t, err)
	return f
}

// What the normaliser makes one of (ID-03, ID-04) differs here, or is refused.
func TestAFingerprintTellsRequestsApart(t *testing.T) {
	seen := map[string]int{}
	for i, parts := range [][]Part{
		{},
		{Decimal("quantity", "0.000000001")},
		{Decimal("quantity", "0.000000004")},
		{Decimal("quantity", "123456789012.12345678")},
		{Decimal("quantity", "123456789012.12345679")},
		{Decimal("quantity", "0.01")},
		{Decimal("quantity", "0.010000001")},
		{Decimal("quantity", "0.01"), Decimal("price", "0")}, // a price of 0 is none of no price
		{Word("a", "1:b2")},
		{Word("a", "1"), Word("b", "2")},
		{Word("a", "11:b1:2")},
		{Word("a1", ":b2")},
		{Word("a", "xyyyyyyyy0:")},
		{Word("a1", "x"), Word("yyyyyyyy", "")},
		{Word("symbol", "BTC")},
		{Word("symbol", "btc")},
	} {
		f := fingerprint(t, "t", parts...)
		require.NotContains(t, seen, f, "case %d is as case %d", i, seen[f])
		seen[f] = i
		assert.NotEqual(t, f, fingerprint(t, "u", parts...))
	}
	assert.Equal(t, fingerprint(t, "t", Word("a", "1"), Word("b", "2")), fingerprint(t, "t", Word("b", "2"), Word("a", "1")))
}

func TestAFingerprintRefusesWhatMayMeanTwoThings(t *testing.T) {
	for _, value := range []string{"", "0.010", "0.0", ".5", "5.", "00", "01", "+1", "-1", "-0", "1e-9", "0,01", "1abc", "abc", "NaN", " 1", "1 ", "١", "1.0"} {
		_, err := Fingerprint("t", Decimal("quantity", value))
		assert.EqualError(t, err, `fingerprint: quantity: want a canonical decimal such as 0.01, got `+quoteGo(value))
	}
	for want, parts := range map[string][]Part{
		"fingerprint: a: the field is given twice": {Word("a", "1"), Word("b", "1"), Decimal("a", "2")},
		"fingerprint: a field has no name":         {Word("", "1")},
	} {
		_, err := Fingerprint("t", parts...)
		assert.EqualError(t, err, want)
	}
	_, err := Fingerprint("")
	assert.EqualError(t, err, "fingerprint: want a tenant")
}

func quoteGo(s string) string { return `"` + s + `"` }

// Two lists of fields have the same fingerprint if they are the same, whatever separators are
// in them, and each number has one canonical form.
func TestOnlyEqualFieldsHaveEqualFingerprints(t *testing.T) {
	texts := rapid.StringMatching(`[ab0-2:,"\\]{0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		draw := func(name string) (string, []Part) {
			values := rapid.MapOfN(texts.Filter(func(s string) bool { return s != "" }), texts, 0, 3).Draw(t, name)
			var parts []Part
			for k, v := range values {
				parts = append(parts, Word(k, v))
			}
			slices.SortFunc(parts, func(a, b Part) int {
				if a.name < b.name {
					return -1
				}
				return 1
			})
			return rapid.SampledFrom([]string{"t", "1:t"}).Draw(t, name+" tenant"), parts
		}
		tenantA, a := draw("a")
		tenantB, b := draw("b")
		same := tenantA == tenantB && slices.Equal(a, b)
		if got := fingerprint(t, tenantA, a...) == fingerprint(t, tenantB, b...); got != same {
			t.Fatalf("%s %v and %s %v: equal fingerprints %v", tenantA, a, tenantB, b, got)
		}
	})
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.StringMatching(`[0-2.]{1,4}`).Draw(t, "a"), rapid.StringMatching(`[0-2.]{1,4}`).Draw(t, "b")
		if canonical().MatchString(a) && canonical().MatchString(b) && a != b {
			x, _ := new(big.Rat).SetString(a)
			y, _ := new(big.Rat).SetString(b)
			if x.Cmp(y) == 0 {
				t.Fatalf("%s and %s are one number in two canonical forms", a, b)
			}
		}
	})
}
