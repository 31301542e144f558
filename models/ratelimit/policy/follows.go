package policy

import "fencepost/models/product"

// Follows are the products whose behaviour the rules have.
func (p *Params) Follows() []product.Product {
	list := []product.Product{{Name: "envoyproxy/ratelimit", Version: "0184b1a", Note: "refused requests count, as without a local cache and without " +
		"STOP_CACHE_KEY_INCREMENT_WHEN_OVERLIMIT. There windows go by the wall clock; here by clock, usually monotonic"}}
	if p.Algorithm != "" && p.Algorithm != "window" {
		list[0].Note = "the file and its reloads; the algorithm is not Envoy's, and refused requests do not count"
	}
	if p.Algorithm == "bucket" {
		list = append(list, product.Product{Name: "bucket4j", Note: "on-change, by its TokensInheritanceStrategy. No version was compared"})
	}
	return list
}
