// Package fact has the facts that properties are written over, so that one property checks every world: Go models, and
// recorded traces without an engine.
//
// A model says with a [Mapping] which of its notes is which fact. A [Hearing] makes the fact of each observation once,
// before the ledgers and properties read it:
//
//	h := fact.Hear(&system, facts)
//	system.Properties = append(system.Properties,
//		h.Property(fact.Property{Claim: model.Claim{Name: "fenced-order"}, Checker: &check.FencedOrder{}}))
//
// Package models/check has the properties. An [Evaluator] follows one property
// through a run. It needs neither an engine nor messages.
package fact
