// Package threshold finds where on a line something changes from one state to another.
package threshold

import "slices"

// Found is where the state changes.
type Found struct {
	// Before and After are neighbours between which it changes; they are equal if the
	// two ends are of the same state.
	Before, After int64
	// Changes is how often the state changes between the places sampled first: more
	// than once, and what is found is one boundary of several.
	Changes int
	// Odd, if both ends are of the same state, is a place between them that is not, or -1.
	Odd int64
}

// samples is how many places are looked at before the search: enough to see a state
// that comes and goes in broad bands, and no proof that there is none.
const samples = 9

// Find looks for a change of state between place 0 and place n, above 0: first at a few
// places evenly apart, and then by halving the first part in which it changes. State is
// asked once for each place.
func Find(n int64, state func(int64) (bool, error)) (Found, error) {
	places := []int64{}
	for i := range int64(samples) {
		places = append(places, n/(samples-1)*i+n%(samples-1)*i/(samples-1))
	}
	places = slices.Compact(places)
	is := make([]bool, len(places))
	f := Found{Odd: -1}
	first := -1
	for i, p := range places {
		var err error
		if is[i], err = state(p); err != nil {
			return f, err
		}
		if i > 0 && is[i] != is[i-1] {
			if f.Changes++; first < 0 {
				first = i
			}
		}
	}
	if is[0] == is[len(is)-1] {
		if first >= 0 {
			f.Odd = places[first]
		}
		return f, nil
	}
	f.Before, f.After = places[first-1], places[first]
	for f.After-f.Before > 1 {
		middle := f.Before + (f.After-f.Before)/2
		s, err := state(middle)
		if err != nil {
			return f, err
		}
		if s == is[first-1] {
			f.Before = middle
		} else {
			f.After = middle
		}
	}
	return f, nil
}
