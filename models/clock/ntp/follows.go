package ntp

import "fencepost/models/product"

// Follows is the standard of the client.
func (p *Params) Follows() []product.Product {
	return []product.Product{{Name: "NTP", Version: "4, RFC 5905", Note: "slews and steps as adjtime(2) and clock_settime(2) have them"}}
}
