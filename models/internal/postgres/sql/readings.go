package sql

import "slices"

// Readings says what a statement does with timestamps other than to compare them by <, <=, > and
// >= and to add durations to them, and what to want in its place; "" if nothing. A search with
// symbolic time can do nothing else.
func (st *Statement) Readings() string {
	for _, p := range st.Parts {
		if p.Target != nil && p.Target.Table.ordersReadings() {
			return "keeps an index of timestamps: want one without"
		}
		lists := append([][]*Node{p.Returning}, p.Values...)
		if c := p.Conflict; c != nil {
			lists = append(lists, c.Values, []*Node{c.Where})
		}
		for _, list := range lists {
			if what := readings(list); what != "" {
				return what
			}
		}
		if what := p.Query.readings(); what != "" {
			return what
		}
	}
	return ""
}

// ordersReadings reports whether a table has an index with a timestamp in it.
func (t *Table) ordersReadings() bool {
	return slices.ContainsFunc(t.Indexes, func(x *Index) bool {
		return slices.ContainsFunc(x.columns, func(c int) bool { return t.Columns[c].kind == Timestamp })
	})
}

func (q *Query) readings() string {
	if q == nil {
		return ""
	}
	for _, k := range q.Order {
		if k.By.Kind == Timestamp {
			return "sorts by a timestamp: want another column"
		}
	}
	list := append([]*Node{q.Where, q.Limit}, q.Items...)
	for _, a := range q.Aggregates {
		list = append(list, a.Argument)
	}
	return readings(list)
}

func readings(list []*Node) string {
	for _, n := range list {
		if n == nil {
			continue
		}
		switch {
		case n.Op == OpSubtract && n.Kids[1].Kind == Timestamp:
			return "subtracts a timestamp from another: want a duration, or a comparison with the sum of the other and a duration"
		case (n.Op == OpEqual || n.Op == OpDiffer || n.Op == OpIn) && n.Kids[0].Kind == Timestamp:
			return "compares timestamps by = or <>: want <, <=, > or >="
		}
		if what := readings(n.Kids); what != "" {
			return what
		}
		if what := n.Query.readings(); what != "" {
			return what
		}
	}
	return ""
}
