package sql

import "slices"

// Access is how the rows of a table are found: all of them, or those in an index that
// begin with known values.
type Access struct {
	Index   int     // place in the table's indexes; -1 for all rows
	Prefix  []*Node // values of its first columns
	Low     *Node   // of the column that follows: at least this; nil for none
	Ordered bool    // the index has the order of ORDER BY
}

// plan chooses the access to the tables of a query.
func (q *Query) plan() {
	q.Access, q.Joined = Access{Index: -1}, Access{Index: -1}
	if q.From == nil {
		return
	}
	later := []int{q.From.Number}
	if q.Other != nil {
		later = append(later, q.Other.Number)
		q.Joined = q.best(q.Other, later[1:], nil)
	}
	q.Access = q.best(q.From, later, q.Order)
}

// best is the index with the longest prefix; then one that has the order.
func (q *Query) best(r *Relation, later []int, order []OrderKey) Access {
	found := Access{Index: -1}
	if r.Table == nil {
		return found
	}
	for i, x := range r.Table.Indexes {
		a := Access{Index: i}
		for _, c := range x.columns {
			n := equalTo(q.Where, r, c, later)
			if n == nil {
				a.Low = atLeast(q.Where, r, c, later)
				break
			}
			a.Prefix = append(a.Prefix, n)
		}
		a.Ordered = len(order) > 0 && inOrder(order, r, x.columns[len(a.Prefix):])
		if a.score() > found.score() {
			found = a
		}
	}
	return found
}

func (a *Access) score() int {
	s := 4 * len(a.Prefix)
	if a.Low != nil {
		s += 2
	}
	if a.Ordered {
		s++
	}
	return s
}

// inOrder reports whether the columns of an index begin with the keys, ascending.
func inOrder(order []OrderKey, r *Relation, columns []int) bool {
	for i, k := range order {
		for k.By.Op == opSame {
			k.By = k.By.Kids[0]
		}
		if k.Descending || i >= len(columns) || !k.By.is(r, columns[i]) {
			return false
		}
	}
	return true
}

// is reports whether a node is a column.
func (n *Node) is(r *Relation, c int) bool {
	return n.Op == OpColumn && n.Relation == r.Number && n.Column == c
}

// terms calls visit for the conditions that are joined by AND, until it returns false.
func terms(n *Node, visit func(n *Node) bool) bool {
	if n == nil {
		return true
	}
	if n.Op == OpAnd {
		return terms(n.Kids[0], visit) && terms(n.Kids[1], visit)
	}
	return visit(n)
}

// equalTo is the expression that a condition makes a column equal to; nil for none.
func equalTo(where *Node, r *Relation, c int, later []int) (found *Node) {
	terms(where, func(n *Node) bool {
		for i := range n.Kids {
			if n.Op == OpEqual && n.Kids[i].is(r, c) && n.Kids[1-i].known(later) {
				found = n.Kids[1-i]
			}
		}
		return found == nil
	})
	return found
}

// atLeast is the expression that a condition makes a lower bound of a column. The
// condition itself is evaluated all the same.
func atLeast(where *Node, r *Relation, c int, later []int) (found *Node) {
	terms(where, func(n *Node) bool {
		switch {
		case (n.Op == OpGreater || n.Op == OpGreaterEqual) && n.Kids[0].is(r, c) && n.Kids[1].known(later):
			found = n.Kids[1]
		case (n.Op == OpLess || n.Op == OpLessEqual) && n.Kids[1].is(r, c) && n.Kids[0].known(later):
			found = n.Kids[0]
		}
		return found == nil
	})
	return found
}

// known reports whether an expression has a value before the relations are read.
func (n *Node) known(later []int) bool {
	if n.Query != nil || n.Op == OpColumn && slices.Contains(later, n.Relation) {
		return false
	}
	return !slices.ContainsFunc(n.Kids, func(k *Node) bool { return !k.known(later) })
}
