package core

import "fencepost/models/check"

// Allowed is the bound of the admissions in a window, and the limit if that is another.
func (l *Layout) Allowed(in string) string {
	return check.Allowed(in, l.Bound, l.Limit, l.Window)
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
