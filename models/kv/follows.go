package kv

import "fencepost/models/product"

// Follows are the papers and products whose behaviour the store has.
func (p *Params) Follows() []product.Product {
	return []product.Product{{Name: "Dynamo", Version: "DeCandia et al., 2007"},
		{Name: "Apache Cassandra", Note: "tombstones and gc_grace_seconds, pending ranges. No version was compared"}}
}
