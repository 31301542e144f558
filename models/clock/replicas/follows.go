package replicas

import "fencepost/models/product"

// Follows are the papers that the versions are of.
func (p *Params) Follows() []product.Product {
	return []product.Product{{Name: "Dynamo", Version: "DeCandia et al., 2007, section 4.4"}, {Name: "dotted version vectors", Version: "Preguica et al., 2010"}}
}
