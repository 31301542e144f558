package compare

import "fencepost/models/product"

// Follows are the products whose behaviour the algorithms have.
func (p *Params) Follows() []product.Product {
	return []product.Product{
		{Name: "nginx limit_req", Version: "1.15.7 and later", Note: "algorithm nginx; of leaky-meter, burst: 20 is nginx's burst=19 nodelay"},
		{Name: "throttled, redis-cell", Version: "9e814f2", Note: "of gcra, burst is their max_burst and one"},
		{Name: "Redis", Version: "7.0.15", Note: "the commands that are counted"},
	}
}
