package version

// halfBits is how many elements a cart with tombstones can have.
const halfBits = 32

// carts are how a client merges the carts that it reads as siblings. A union knows only what is
// there: an element that one sibling lacks since it was removed, and another still has, comes
// back. With tombstones a cart also says what was removed, in the upper half of its bits; an
// element that was removed stays so.
//
// Source: "Dynamo", 2007, section 4.4: deleted items can resurface.
type carts struct{ tombstones bool }

// merge is the cart that a client makes of siblings.
func (c carts) merge(siblings []Value) (all uint64) {
	for _, v := range siblings {
		all |= v.Data
	}
	return all
}

// present are the elements of a cart.
func (c carts) present(cart uint64) uint64 {
	if c.tombstones {
		return cart & (1<<halfBits - 1) &^ (cart >> halfBits)
	}
	return cart
}

// add and remove are a cart with some elements more, or less.
func (c carts) add(cart, elements uint64) uint64 { return cart | elements }

func (c carts) remove(cart, elements uint64) uint64 {
	if c.tombstones {
		return cart | elements<<halfBits
	}
	return cart &^ elements
}

// value is the value that a write makes where the store knows nothing of its type: the client
// merges the carts that it has read, and adds or removes elements.
func (t *taking) value() Value {
	v := Value{Write: t.ID, Data: t.Data}
	switch t.Op {
	case Delete:
		return Value{Write: t.ID, Tombstone: true, At: t.wall}
	case Add:
		v.Data = t.carts.add(t.carts.merge(t.context.Values()), t.Data)
	case Remove:
		v.Data = t.carts.remove(t.carts.merge(t.context.Values()), t.Data)
	}
	return v
}
