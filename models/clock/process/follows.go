package process

import "fencepost/models/product"

// clocks are what the clocks follow.
var clocks = map[string]product.Product{
	"lamport": {Name: "Lamport clocks", Version: "Lamport, 1978"},
	"vector":  {Name: "vector clocks", Version: "Fidge, 1988; Mattern, 1989"},
	"pruned":  {Name: "Dynamo", Version: "DeCandia et al., 2007, section 4.4"},
	"hlc":     {Name: "hybrid logical clocks", Version: "Kulkarni et al., 2014", Note: "with the guards of cockroachdb/cockroach, pkg/util/hlc"},
}

// Follows are the papers and products whose clock the processes have.
func (p *Params) Follows() []product.Product {
	if c, ok := clocks[p.Clock]; ok {
		return []product.Product{c}
	}
	return nil
}
