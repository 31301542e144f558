package linear

import (
	"strings"

	"fencepost/internal/lazyregexp"
)

// keying is whether the values of a history carry keys.
type keying uint8

const (
	unsettled keying = iota
	plain            // a value is a value
	perhaps          // values are pairs, and nothing has shown yet of what
	pairs            // a value is a pair of a key and a value, as of jepsen.independent
)

// conventions are what the values and keys of a history have in common.
type conventions struct {
	keying
	settledAt int // where the first value with a form stands
	spelt     [2]struct {
		form
		known bool
	} // the first value and the first key that are not nil
}

// split returns the key and the value of an event, where keys stand in the values.
//
// What shows that they do is a read that is called with a key and nil, or a cas with a
// key and its two values: neither can be anything else. A write of two things could be of
// a list.
func (v *conventions) split(e *event, kind Kind, called bool) error {
	got := perhaps
	switch {
	case !e.value.isPair():
		got = plain
	case kind == CAS && e.value.items[1].isPair():
		got = pairs
	case kind == CAS:
		got = plain
	case kind != Write && kind != Append && kind != Add && kind != Remove && kind != Enqueue && called && e.value.items[1].is(Nil):
		got = pairs
	}
	if !called && got == plain {
		return nil // the call has shown what it is; a return may leave out what is known
	}
	switch {
	case v.keying == unsettled:
		v.keying, v.settledAt = got, e.value.offset
	case v.keying == plain && got == perhaps:
		return nil // refused as a value
	case (v.keying == plain) != (got == plain):
		return at(e.value.offset, "want values that are pairs of a key and a value everywhere or nowhere, got %v", e.value)
	case got == pairs:
		v.keying = pairs
	}
	if v.keying == plain {
		return nil
	}
	if e.key.kind != missing {
		return at(e.key.offset, "want a key in :key or in :value, got both")
	}
	e.key, e.value = e.value.items[0], e.value.items[1]
	return nil
}

// settled returns an error if pairs may be keys with their values, or lists.
func (v *conventions) settled() error {
	if v.keying == perhaps {
		return at(v.settledAt, "want to know whether a list of 2 is a key and its value: no read and no cas shows it; see --independent")
	}
	return nil
}

// integer is a number that can be written in other ways.
var integer = lazyregexp.New(`^[-+]?(?:0|[1-9]\d*)N?$`)

// text returns the text of a value, or of a key. 7 and "7" would be the same, and so they
// must not both be there.
func (v *conventions) text(f form, isKey int) (string, error) {
	got := f.text
	switch f.kind {
	case text:
	case keyword:
		got = ":" + f.text
	case word:
		if integer().MatchString(got) {
			if got = strings.TrimSuffix(strings.TrimPrefix(got, "+"), "N"); got == "-0" {
				got = "0"
			}
		}
	default:
		return "", at(f.offset, "want a %s, got %v", []string{"value", "key"}[isKey], f)
	}
	if f.kind == text && got == "" {
		return got, nil
	}
	first := &v.spelt[isKey]
	if !first.known {
		first.form, first.known = f, true
	}
	if (first.kind == text) != (f.kind == text) {
		return "", at(f.offset, "want %ss that are all texts in quotes or none, got %v after %v", []string{"value", "key"}[isKey], f, first.form)
	}
	return got, nil
}
