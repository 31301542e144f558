// Package response says what a limiter decided in the words of HTTP: the status, when to
// come back, and how much is left.
//
// response.go makes the answer of one or several rules; fields.go writes and reads the
// two fields of the IETF draft; retry.go is Retry-After. The values come from the step
// that decided, on the same clock.
//
// They are right for one client that is alone. Where many wait for the same rule and each
// is told the exact instant, all come back at it: add a different length to each, or
// give each a turn of its own (a leaky queue).
//
// Source: RFC 6585, section 4; RFC 9110, section 10.2.3;
// draft-ietf-httpapi-ratelimit-headers.
package response
