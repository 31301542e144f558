package idempotency

import "fencepost/models/product"

// Follows are the products whose behaviour the servers have.
func (p *Params) Follows() []product.Product {
	return []product.Product{
		{Name: "PostgreSQL", Version: "15.18", Note: "every schedule and flow compared with the server; 12 to 18 answer alike"},
		{Name: "Stripe API", Version: "reference, Idempotent requests"},
		{Name: "Idempotency-Key", Version: "draft-ietf-httpapi-idempotency-key-header"},
	}
}
