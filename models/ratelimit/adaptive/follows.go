package adaptive

import "fencepost/models/product"

// Follows are the products whose behaviour the controller has.
func (p *Params) Follows() []product.Product {
	switch p.Algorithm {
	case "aimd", "vegas", "gradient2":
		return []product.Product{{Name: "Netflix/concurrency-limits", Note: "AIMDLimit, VegasLimit, Gradient2Limit. No version was compared"}}
	}
	return nil
}
