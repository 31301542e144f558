// Package rules reads the rules file of envoyproxy/ratelimit: which limit a request
// counts against, and under which key.
//
//	domain: api
//	descriptors:
//	  - key: message_type
//	    value: marketing
//	    descriptors:
//	      - key: to_number
//	        rate_limit: {unit: day, requests_per_unit: 5}
//
// load.go reads a file and reports what the real loader reports, in its words; match.go
// finds the limit of a request; key.go is the name of its counter; set.go swaps one
// version for the next and keeps the last good one.
//
// Where it is stricter than the real loader: a key that occurs twice in one mapping is
// refused (there the last one counts), and so are files above [MaxSize], above [MaxDepth]
// or with more than [MaxNodes] values once aliases are followed. A bare word such as on or
// yes is a text, as in YAML 1.2.
//
// What only names statistics (detailed_metric, value_to_metric) or is passed through
// (metadata) is accepted and has no effect.
//
// Source: envoyproxy/ratelimit, src/config/config_impl.go and src/limiter/cache_key.go.
package rules
