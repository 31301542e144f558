package chain

import "fencepost/models/product"

// Follows are the texts that the chain follows.
func (p *Params) Follows() []product.Product {
	return []product.Product{{Name: "Stripe", Version: "2017, Scaling your API with rate limiters", Note: "the load shedders"},
		{Name: "Site Reliability Engineering", Version: "Beyer et al., 2016, chapters 21 and 22", Note: "retries and their budgets"}}
}
