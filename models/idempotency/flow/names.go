package flow

import (
	"slices"

	"fencepost/models/internal/postgres/sql"
)

// Names that a flow is given and cannot set.
var (
	inputNames     = []string{"tenant", "key", "fp", "amount", "intent", "attempt", "event", "owner"}
	parameterNames = []string{"lease", "lock_ttl", "max_wait", "poll", "ttl", "lock_timeout", "provider_ttl"}
	builtinNames   = []string{"found", "rows", "sqlstate", "clock"}
)

// Places in builtinNames.
const (
	foundName = iota
	rowsName
	stateName
	clockName
)

// list is the inputs in the order of inputNames.
func (in Input) list() [8]sql.Value {
	return [8]sql.Value{in.Tenant, in.Key, in.Fingerprint, in.Amount, in.Intent, in.Attempt, in.Event, in.Owner}
}

// value is the parameter at a place in parameterNames.
func (p *Params) value(i sql.Value) sql.Value {
	switch i {
	case 0:
		return sql.Value(p.Lease)
	case 1:
		return sql.Value(p.LockTTL)
	case 2:
		return sql.Value(p.MaxWait)
	case 3:
		return sql.Value(p.Poll)
	case 4:
		return sql.Value(p.TTL)
	case 5:
		return sql.Value(p.LockTimeout)
	}
	return sql.Value(p.ProviderTTL)
}

// given is what a name is that every flow has.
func given(name string) (op operator, index int, ok bool) {
	for i, list := range [][]string{inputNames, parameterNames, builtinNames} {
		if index = slices.Index(list, name); index >= 0 {
			return input + operator(i), index, true
		}
	}
	return 0, 0, false
}

// known are all names that can be read here.
func (c *compiler) known() []string {
	return slices.Concat(c.names, inputNames, parameterNames, builtinNames)
}

// resolve is a name as a node, and whether it is a clock reading.
func (c *compiler) resolve(id ident) (node, bool) {
	if id.text == "" {
		return node{}, false
	}
	if i := slices.Index(c.names, id.text); i >= 0 {
		return node{op: variable, value: sql.Value(i)}, c.clock[i]
	}
	op, i, ok := given(id.text)
	if !ok {
		c.bad(id.at, "no variable %s%s", id.text, nearest(id.text, c.known()))
	}
	return node{op: op, value: sql.Value(i)}, op == builtin && i == clockName
}
