// Package check has properties over facts: each is written once, for every world that tells these facts. A file has one
// property, with its form for symbolic time. What several of them remember is kept once, in a ledger: lock_ledger.go.
package check
