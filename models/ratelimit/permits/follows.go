package permits

import "fencepost/models/product"

// Follows are the products whose behaviour the limiter has.
func (p *Params) Follows() []product.Product {
	switch p.Algorithm {
	case "fixed":
		return nil
	case "leases":
		return []product.Product{{Name: "Stripe", Version: "2017, Scaling your API with rate limiters", Note: "the concurrent requests limiter"}}
	}
	return []product.Product{{Name: "a Go middleware", Version: "as published in S3 of docs/sources.md"}}
}
