package mutex

import "fencepost/models/product"

// Follows is the paper that the algorithm is of.
func (p *Params) Follows() []product.Product {
	if p.Algorithm == "ricart-agrawala" {
		return []product.Product{{Name: "mutual exclusion", Version: "Ricart and Agrawala, 1981"}}
	}
	return []product.Product{{Name: "mutual exclusion", Version: "Lamport, 1978"}}
}
