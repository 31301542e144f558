package postgres

import "slices"

// access is how the rows of a table are found: all of them, or those in an index that
// begin with known values.
type access struct {
	index   int     // place in the table's indexes; -1 for all rows
	prefix  []*node // values of its first columns
	low     *node   // of the column that follows: at least this; nil for none
	ordered bool    // the index has the order of ORDER BY
}

// plan chooses the access to the tables of a query.
func (q *query) plan() {
	q.access, q.joined = access{index: -1}, access{index: -1}
	if q.from == nil {
		return
	}
	later := []int{q.from.number}
	if q.other != nil {
		later = append(later, q.other.number)
		q.joined = q.best(q.other, later[1:], nil)
	}
	q.access = q.best(q.from, later, q.order)
}

// best is the index with the longest prefix; then one that has the order.
func (q *query) best(r *relation, later []int, order []orderKey) access {
	found := access{index: -1}
	if r.table == nil {
		return found
	}
	for i, x := range r.table.indexes {
		a := access{index: i}
		for _, c := range x.columns {
			n := equalTo(q.where, r, c, later)
			if n == nil {
				a.low = atLeast(q.where, r, c, later)
				break
			}
			a.prefix = append(a.prefix, n)
		}
		a.ordered = len(order) > 0 && inOrder(order, r, x.columns[len(a.prefix):])
		if a.score() > found.score() {
			found = a
		}
	}
	return found
}

func (a *access) score() int {
	s := 4 * len(a.prefix)
	if a.low != nil {
		s += 2
	}
	if a.ordered {
		s++
	}
	return s
}

// inOrder reports whether the columns of an index begin with the keys, ascending.
func inOrder(order []orderKey, r *relation, columns []int) bool {
	for i, k := range order {
		for k.by.op == opSame {
			k.by = k.by.kids[0]
		}
		if k.descending || i >= len(columns) || !k.by.is(r, columns[i]) {
			return false
		}
	}
	return true
}

// is reports whether a node is a column.
func (n *node) is(r *relation, c int) bool {
	return n.op == opColumn && n.relation == r.number && n.column == c
}

// terms calls visit for the conditions that are joined by AND, until it returns false.
func terms(n *node, visit func(n *node) bool) bool {
	if n == nil {
		return true
	}
	if n.op == opAnd {
		return terms(n.kids[0], visit) && terms(n.kids[1], visit)
	}
	return visit(n)
}

// equalTo is the expression that a condition makes a column equal to; nil for none.
func equalTo(where *node, r *relation, c int, later []int) (found *node) {
	terms(where, func(n *node) bool {
		for i := range n.kids {
			if n.op == opEqual && n.kids[i].is(r, c) && n.kids[1-i].known(later) {
				found = n.kids[1-i]
			}
		}
		return found == nil
	})
	return found
}

// atLeast is the expression that a condition makes a lower bound of a column. The
// condition itself is evaluated all the same.
func atLeast(where *node, r *relation, c int, later []int) (found *node) {
	terms(where, func(n *node) bool {
		switch {
		case (n.op == opGreater || n.op == opGreaterEqual) && n.kids[0].is(r, c) && n.kids[1].known(later):
			found = n.kids[1]
		case (n.op == opLess || n.op == opLessEqual) && n.kids[1].is(r, c) && n.kids[0].known(later):
			found = n.kids[0]
		}
		return found == nil
	})
	return found
}

// known reports whether an expression has a value before the relations are read.
func (n *node) known(later []int) bool {
	if n.query != nil || n.op == opColumn && slices.Contains(later, n.relation) {
		return false
	}
	return !slices.ContainsFunc(n.kids, func(k *node) bool { return !k.known(later) })
}
