package broadcast

import "fencepost/models/product"

// Follows is the paper that the order is of.
func (p *Params) Follows() []product.Product {
	switch p.Order {
	case "causal":
		return []product.Product{{Name: "causal broadcast", Version: "Birman, Schiper and Stephenson, 1991"}}
	case "total-lamport":
		return []product.Product{{Name: "total order", Version: "Lamport, 1978"}}
	}
	return nil
}
