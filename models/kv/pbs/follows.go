package pbs

import "fencepost/models/product"

// Follows is the paper whose trials these are.
func (p *Params) Follows() []product.Product {
	return []product.Product{{Name: "probabilistically bounded staleness", Version: "Bailis et al., 2012"}}
}
