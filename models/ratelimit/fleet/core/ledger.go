package core

import (
	"fmt"

	"fencepost/models/ratelimit/measure"
	"fencepost/sim/model/values"
)

// Windows are what was admitted of each key in the window that ends now.
type Windows []measure.Window

// Reset forgets what was admitted.
func (w Windows) Reset() {
	for i := range w {
		w[i].Clear()
	}
}

// Grow makes room for the keys of a layout.
func (w *Windows) Grow(l *Layout) {
	for len(*w) < l.Keys+1 {
		*w = append(*w, measure.NewWindow(l.Window))
	}
}

// Allowed is the bound of the admissions in a window, and the limit if that is another.
func (l *Layout) Allowed(in string) string {
	text := fmt.Sprintf("at most %d %s %s", l.Bound, in, values.Length(l.Window))
	if l.Bound != l.Limit {
		text += fmt.Sprintf("; the limit is %d", l.Limit)
	}
	return text
}

// Resized is a list of n zeros, in the memory of an old one if it fits.
func Resized[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// Copied is a list with the elements of another, in the memory of an old one. It is never
// nil, so that a copy of an empty list is equal to it.
func Copied[T any](into, from []T) []T {
	if into == nil {
		into = []T{}
	}
	return append(into[:0], from...)
}
