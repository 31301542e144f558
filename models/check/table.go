package check

import "fencepost/models/fact"

// Table has a value for each client, by its node, or for each instance, from 0.
type Table[T any] []T

// Reset clears the values.
func (t Table[T]) Reset() { clear(t) }

// none is the zero holder.
var none fact.Holder
