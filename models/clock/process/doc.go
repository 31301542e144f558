// Package process lets processes exchange messages under one clock, and holds the clock
// against what happened before what.
//
// A process makes events: local ones, sends and receipts. Each is stamped by the
// process's [Clock], exactly once, and a message carries the stamp of its send. The
// clocks are those of package clock: scalar.go, vectors.go and hybrid.go say in a few
// lines each what a process does with them. Who sends to whom is a [Pattern] (pattern.go)
// or is written down, event by event (scripted.go).
//
// Observers are told of every event. They share a [ledger], which records the events in
// a [clock.History] that looks at no clock; claims.go and concurrency.go then ask of each
// event, as it happens, whether its stamp says what is true.
//
// Source: Lamport 1978; Mattern 1989; Kulkarni et al. 2014; S4 9.1 to 11.2 of
// docs/sources.md.
package process
