package linear

import (
	"slices"
	"strconv"
	"strings"
)

// stepSet is what a set does: add and remove take effect in any state, and a read returns
// all elements. The state is their text, as [Elements] returns it.
func stepSet(elements string, o *Op) (bool, any) {
	switch o.Kind {
	case Add:
		return true, Elements(append(elementsOf(elements), o.Value)...)
	case Remove:
		return true, Elements(slices.DeleteFunc(elementsOf(elements), func(e string) bool { return e == o.Value })...)
	}
	return elements == o.Value, elements // a read
}

// Elements is the text of a set, what a read of it returned: its elements in order, a blank
// between two, and in quotes what is more than a word.
func Elements(list ...string) string {
	list = slices.Clone(list)
	slices.Sort(list)
	list = slices.Compact(list)
	for i, e := range list {
		if !isWord(e) {
			list[i] = strconv.Quote(e)
		}
	}
	return strings.Join(list, " ")
}

// repeated says which element a list has twice, "" if it has none.
func repeated(list []string) string {
	sorted := slices.Sorted(slices.Values(list))
	for i := 1; i < len(sorted); i++ {
		if sorted[i] == sorted[i-1] {
			return "each element once, got " + show(sorted[i]) + " again"
		}
	}
	return ""
}

// elementsOf is the elements of a text that [Elements] made, in order.
func elementsOf(set string) (list []string) {
	for set != "" {
		e, rest, _ := strings.Cut(set, " ")
		if q, err := strconv.QuotedPrefix(set); err == nil {
			e, _ = strconv.Unquote(q)
			rest = strings.TrimPrefix(set[len(q):], " ")
		}
		list, set = append(list, e), rest
	}
	return list
}
