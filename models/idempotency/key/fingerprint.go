package key

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fencepost/internal/lazyregexp"
)

// Part is one field of a request that a fingerprint is made of. Make it with [Word] or
// [Decimal].
type Part struct {
	name, value string
	decimal     bool
}

// Word is a field that is compared letter by letter.
func Word(name, value string) Part { return Part{name, value, false} }

// Decimal is a field that is a number, in the one way in which it is written: digits without
// a sign or an exponent, and no zero at either end that could be left out.
func Decimal(name, value string) Part { return Part{name, value, true} }

var canonical = lazyregexp.New(`^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$`)

// Fingerprint tells requests of a tenant apart by their content, in hex. It is what a server
// keeps beside a key to refuse another request with the same key, and not itself a key: two
// orders may be alike on purpose. The order of the parts does not matter; a part that is left
// out differs from every value that it could have.
//
// A number that is not canonical, a name that is empty or given twice, and an empty tenant are
// errors: a guess at what was meant would take two requests for one.
func Fingerprint(tenant string, parts ...Part) (string, error) {
	if tenant == "" {
		return "", fmt.Errorf("fingerprint: want a tenant")
	}
	sorted := slices.Clone(parts)
	slices.SortFunc(sorted, func(a, b Part) int { return strings.Compare(a.name, b.name) })
	var b []byte
	b = appendText(b, tenant)
	for i, p := range sorted {
		switch {
		case p.name == "":
			return "", fmt.Errorf("fingerprint: a field has no name")
		case i > 0 && p.name == sorted[i-1].name:
			return "", fmt.Errorf("fingerprint: %s: the field is given twice", p.name)
		case p.decimal && !canonical().MatchString(p.value):
			return "", fmt.Errorf("fingerprint: %s: want a canonical decimal such as 0.01, got %q", p.name, p.value)
		}
		b = appendText(b, p.name)
		b = appendText(b, p.value)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:]), nil
}

// appendText adds a text with its length before it, so that no text ends where another begins.
func appendText(b []byte, s string) []byte {
	b = strconv.AppendInt(b, int64(len(s)), 10)
	b = append(b, ':')
	return append(b, s...)
}
