// Package idempotency is what happens to requests that are sent more than once: clients that
// send again what they have no answer for, API servers that run a flow (package flow), a
// database, a cache, a payment provider and a broker.
//
//	client-1 ... client-n -> api-1 ... api-m -> db, cache, provider, broker -> consumer-1 ...
//
// A flow is the text that a server runs for each request, with the SQL that it sends to the
// database. The model adds what the flow does not see: pauses, crashes, lost messages, clocks,
// duplicates, and a client that sees only the answers that reach it.
//
// An intent is what a user wants once. A client keeps its intents over a crash and sends each
// until it has a final answer. An effect is a committed row in a table that the flow names, or
// a charge at the provider; observers learn of it at the instant at which it is durable.
//
// The properties are in the files named for them: at most one effect per intent, one answer
// per key, no acknowledged effect that is lost, no answer for another tenant or another
// payload, progress, conservation of money, no answer that names a row that does not exist,
// events folded exactly once, and recovery points that do not move backwards.
//
// Clock readings are compared with Before only:
//
//fencepost:readings
package idempotency
